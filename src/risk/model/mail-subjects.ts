import { HashFilter, hashBetween, hashText, PREFIXES, readText } from '../../lib/text-index.ts'
import { isDigit } from './local-words.ts'
import type { Demand } from './lure-languages.ts'
import { wordSet } from './word-lists.ts'

// Names made of nothing but the words of a mail that asks for money, a password or an advance. Firms have a name of
// their own: among 400,000 honest names only a few are such subjects.

/** An investment may have a name of its own too: `goldfx-capital-returns`. */
const INVESTMENT = wordSet('subjects: investment')
/** The words of each subject. Two of them make it, the others may stand beside them. */
const SUBJECTS = [...['payment', 'mailbox', 'job', 'prize'].map((name) => wordSet(`subjects: ${name}`)), INVESTMENT]
const BESIDE = wordSet('subjects: beside')
/** Words that mails say of payments and accounts. */
export const SAYS = wordSet('subjects: says')
const WORDS_MIN = 3
const TELLING_MIN = 2

const ALL = [...SUBJECTS, SAYS, BESIDE].flatMap((words) => [...words])
const WORDS = new HashFilter(HashFilter.fill(ALL.map((word) => hashText(word))))

/** Most names have a word of their own at one end. A number is none. */
function mayBeSubject(label: string): boolean {
  readText(label)
  const last = label.lastIndexOf('-') + 1
  const isIn = (from: number, to: number) => WORDS.mayHold(hashBetween(PREFIXES, from, to))
  if (last > 0 && isIn(0, label.indexOf('-'))) return true
  return isDigit(label.charCodeAt(label.length - 1)) || isIn(last, label.length)
}

/** `overdue-invoice-reminder`, `mailbox-storage-upgrade`: the demand of a name that is the subject of a mail. */
export function subjectIn(label: string): Demand | undefined {
  if (!mayBeSubject(label)) return undefined
  const words = label.split(/[-\d]+/).filter((word) => word !== '')
  if (words.length < WORDS_MIN) return undefined
  for (const subject of SUBJECTS) {
    const telling = words.filter((word) => subject.has(word))
    if (telling.length === 0) continue
    const said = words.filter((word) => SAYS.has(word) && !subject.has(word))
    const others = words.filter((word) => BESIDE.has(word) && !subject.has(word) && !SAYS.has(word))
    if (telling.length + Math.min(1, said.length) < TELLING_MIN) continue
    const unknown = words.length - telling.length - said.length - others.length
    if (unknown > (subject === INVESTMENT && telling.length >= TELLING_MIN ? 1 : 0)) continue
    return { kind: 'subject', institution: undefined, site: undefined, words: [...said, ...telling] }
  }
  return undefined
}
