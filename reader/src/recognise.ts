import { type Kind, whyNothingToCheck } from '@assay/sdk'
import { findIndicators } from './find.ts'
import { type Indicator, indicatorKey, isIndicator, type NotIndicator, type Recognised } from './indicator.ts'
import { aKind } from './kinds.ts'
import { findInLogLine } from './log.ts'
import { otherThing } from './other-things.ts'
import { INVISIBLE, peel, readLooseAddress, readToken, refang, WORDS_AROUND } from './token.ts'

const TEXT_MAX = 4096
/** A bare value without surrounding characters: most cells of most lists. */
const BARE = /^[a-z0-9][a-z0-9.@_+-]*[a-z0-9]$/i
const NONE_INSIDE = 'There is no email address, domain or IP address in this text.'

/** Recognises the content of a field or a cell. Never throws. */
export function recognise(text: string): Recognised {
  const readFrom = text.trim()
  const no = (problem: string, kind?: Kind): NotIndicator => ({ kind, problem, readFrom })
  if (readFrom === '') return no('Enter an email address, a domain or an IP address.')
  if (readFrom.length > TEXT_MAX) return no('This is too long.')
  const { plain, notes } = BARE.test(readFrom) ? { plain: readFrom, notes: [] } : unwrap(readFrom)
  const strict = readToken(plain)
  const read = strict && !('problem' in strict) ? strict : (readLooseAddress(plain) ?? strict)
  if (read && !('problem' in read)) return { ...read, notes: [...notes, ...read.notes], readFrom }
  const several = /\s/.test(plain) || /^[\w.-]+=|^\{/.test(plain)
  if (read && !several) return no(commaHint(plain) ?? read.problem, read.kind)
  const other = otherThing(plain)
  if (other !== undefined) return no(other)
  if (several) return readSentence(plain, readFrom, notes)
  return no(
    /^[\w-]+$/.test(plain) ? 'This is a word. A domain has at least two parts, as in example.com.' : NONE_INSIDE,
  )
}

function commaHint(text: string): string | undefined {
  const read = text.includes(',') ? readToken(text.replaceAll(',', '.')) : undefined
  return read && !('problem' in read) ? `It contains a comma. Did you mean ${read.value}?` : undefined
}

function unwrap(text: string): { plain: string; notes: string[] } {
  const seen = text.replace(INVISIBLE, '')
  const peeled = peel(seen)
  const refanged = refang(peeled)
  return {
    plain: refanged === peeled ? peeled : peel(refanged),
    notes: [
      ...(seen === text ? [] : ['It contained invisible characters; they were removed.']),
      ...(refanged === peeled
        ? []
        : ['It was written so that nobody opens it by mistake (defanged); this was undone.']),
    ],
  }
}

/** A sentence, or a name with an address after it: accepted only if it clearly contains exactly one indicator. */
function readSentence(text: string, readFrom: string, notes: readonly string[]): Recognised {
  const found = findInside(text)
  const [first] = found
  if (!first) return { kind: undefined, problem: NONE_INSIDE, readFrom }
  if (found.length > 1) {
    const values = found.slice(0, 3).map(({ value }) => value)
    const more = found.length > values.length ? ', …' : ''
    return { kind: undefined, problem: `There is more than one in this text: ${values.join(', ')}${more}.`, readFrom }
  }
  if (/@\s+$/.test(text.slice(0, text.indexOf(first.readFrom)))) {
    return { kind: 'email', problem: 'There is a space beside the @. Enter the email address without it.', readFrom }
  }
  if (hasBlankInside(text, first)) {
    return { kind: first.kind, problem: `There is a space before “${first.value}”. Enter it alone.`, readFrom }
  }
  return { ...first, notes: [...notes, ...first.notes, WORDS_AROUND], readFrom }
}

/** In the words of a sentence, or in the fields of a line of a log: there only those that can be checked, if there are any. */
export function findInside(text: string): readonly Indicator[] {
  const found = findIndicators(text)
  const logged = findInLogLine(text)
    .toSorted((a, b) => Number(b.direction === 'source') - Number(a.direction === 'source'))
    .map(({ indicator }) => indicator)
  if (logged.length < found.length || (logged.length === found.length && !/[={]/.test(text))) return found
  const once = [...new Map(logged.map((one) => [indicatorKey(one), one])).values()]
  const open = once.filter(({ kind, value }) => whyNothingToCheck(kind, value) === undefined)
  return open.length > 0 ? open : once
}

/** `jane doe@company.example` may be an address with an extra blank; `Jane Doe jane@company.example` is not. */
function hasBlankInside(text: string, { kind, readFrom }: Indicator): boolean {
  const at = text.indexOf(readFrom)
  if (kind === 'ip' || (kind === 'domain' && at + readFrom.length < text.length)) return false
  const before = text.slice(0, at)
  return (kind === 'domain' ? /^\p{Ll}[\p{L}\p{N}.-]*\s+$/u : /(?:^|\s)\p{Ll}[\p{L}\p{N}._-]*\s+$/u).test(before)
}

/** Like `recognise`, for a list of one kind. In a list of domains, the domain of an email address is read. */
export function recogniseAs(kind: Kind, text: string): Recognised {
  const found = recognise(text)
  if (!isIndicator(found)) return { ...found, kind }
  if (found.kind === kind) return found
  if (kind === 'domain' && found.kind === 'email') {
    const value = found.value.slice(found.value.lastIndexOf('@') + 1)
    return { ...found, kind, value, notes: [...found.notes, 'Only the domain of the email address is checked.'] }
  }
  return { kind, problem: `This is ${aKind(found.kind)}, not ${aKind(kind)}.`, readFrom: found.readFrom }
}
