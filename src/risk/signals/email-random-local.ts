import { isFreeMail, isRelay } from '../look-up/evidence.ts'
import type { EmailSubject } from '../look-up/subject.ts'
import { type MadeUp, madeUp, withoutPlay } from '../model/local-part.ts'
import { wordSet } from '../model/word-lists.ts'
import { domainAcademic, domainGovernment, domainOfficialBrand, domainPopular } from './domain-known.ts'
import { type Finding, NOTHING, type Signal, withoutPlus } from './signal.ts'

// Fewer letters and digits say too little.
const LENGTH_MIN = 7
// Two in a thousand of the rarest sort of names are above it, and four in five random strings of eight letters.
const LOG_ODDS_MIN = 3.5

export const emailRandomLocal = {
  code: 'email.random_local',
  description: 'The part before the @ looks made up by a program',
  group: 'person',
  detect: ({ local, host, models }): readonly Finding[] => {
    const base = withoutPlus(local)
    if (base.length < LENGTH_MIN || base.length > LENGTH_MAX || !isPlain(base)) return NOTHING
    const reading = madeUp(base)
    if (reading.logOdds <= LOG_ODDS_MIN || isInitials(reading) || isAssigned(base, host)) return NOTHING
    if (reading.turns < TURNS_MIN && holdsWords(base, reading.logOdds, models)) return NOTHING
    const read = withoutPlay(base)
    if (read !== base && holdsWords(read, madeUp(read).logOdds, models)) return NOTHING
    return [{ source: 'model', confidence: reading.logOdds, sentence: sentenceFor(reading) }]
  },
} satisfies Signal<'email'>

const LENGTH_MAX = 64
const LETTERS_MIN = 5
const TURNS_MIN = 3
const COVERED_MIN = 0.66
const SHORT_WORD = 4
const SHORT_WORD_SAYS = 2.5
const CONSONANTS_MIN = 5

/** Other characters occur in the return addresses of mailing programs, which are meant to be unique. */
function isPlain(local: string): boolean {
  for (let i = 0; i < local.length; i++) {
    const unit = local.charCodeAt(i)
    const isLetterOrDigit = (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39)
    if (!isLetterOrDigit && unit !== DOT && unit !== HYPHEN && unit !== UNDERSCORE) return false
  }
  return true
}

const DOT = 0x2e
const HYPHEN = 0x2d
const UNDERSCORE = 0x5f

/** A few letters, with or without a number, are somebody's initials and year. */
function isInitials({ letters, turns }: MadeUp): boolean {
  return turns === 0 ? letters < LENGTH_MIN : turns === 1 && letters < LETTERS_MIN
}

/** A long word is no chance, whatever is around it; a short one is unlikely to be. */
function holdsWords(text: string, logOdds: number, { lexicon }: EmailSubject['models']): boolean {
  const { longest, covered } = lexicon.cover(text)
  if (covered >= COVERED_MIN * text.length || longest > SHORT_WORD) return true
  return longest === SHORT_WORD && logOdds <= LOG_ODDS_MIN + SHORT_WORD_SAYS
}

/** Relays, universities, companies and programs assign addresses by rule: nobody chose them, unlike at free mail. */
function isAssigned(local: string, host: EmailSubject['host']): boolean {
  const firstWord = local.slice(0, Math.max(0, local.search(/[._-]/)))
  const firstLabel = host.domain.slice(0, host.domain.indexOf('.'))
  if (MACHINES.has(firstWord) || MACHINES.has(firstLabel) || isRelay(host)) return true
  return !isFreeMail(host.own) && STANDING.some((signal) => signal.detect(host).length > 0)
}

const STANDING = [domainAcademic, domainGovernment, domainPopular, domainOfficialBrand]

const MACHINES = wordSet('mailing programs')

function sentenceFor({ turns, consonants }: MadeUp): string {
  const looks = 'The part before the @ looks made up by a program'
  if (turns >= TURNS_MIN) return `${looks}: letters and digits change ${turns} times`
  if (consonants >= CONSONANTS_MIN) return `${looks}: ${consonants} consonants in a row`
  return `${looks}: its letters do not follow one another in names`
}
