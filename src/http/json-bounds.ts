import { Problem } from '../errors.ts'

/**
 * How much a JSON body may hold. The parser's time grows with the number of values and with their depth more than with
 * the bytes: four megabytes of brackets keep it busy a hundred times as long as four megabytes of text. So both are
 * counted over the bytes beforehand, which takes a few milliseconds at most.
 */
export interface JsonBounds {
  /** Arrays and objects inside one another. */
  readonly depthMax: number
  /** Brackets, commas, colons and strings: a list of strings has two for each. */
  readonly marksMax: number
  /** Bytes of one string, or of what stands between two marks; default any number. */
  readonly stretchMax?: number
  /** A list in the outermost object that gets a problem of its own when it alone is too long. */
  readonly list?: { readonly field: string; readonly lengthMax: number; readonly refuse: (length: string) => Problem }
}

/** For bodies of up to 64 KiB. */
export const ORDINARY_JSON: JsonBounds = { depthMax: 32, marksMax: 16_000 }

/** Why a body is not to be parsed; undefined for one that may be. Whether it is JSON at all is for the parser to say. */
export function refuseOversized(bytes: Uint8Array, bounds: JsonBounds): Problem | undefined {
  const { depthMax, marksMax, list } = bounds
  const { depth, marks, listLength, stretched } = countJson(bytes, bounds)
  if (stretched) {
    const pointer = stretched === 'in the list' ? `/${list?.field}/${listLength - 1}` : ''
    return oversized('too_long', `One value is longer than ${bounds.stretchMax} bytes.`, pointer)
  }
  if (depth > depthMax) return oversized('too_deep', `The body is nested deeper than ${depthMax} levels.`)
  if (marks <= marksMax) return undefined
  // Counting stops at the bound, so the list may be longer.
  if (list && listLength > list.lengthMax) return list.refuse(`At least ${listLength}`)
  return oversized('too_many_values', `The body has more than ${marksMax} brackets, commas, colons and strings.`)
}

function oversized(code: string, detail: string, pointer = ''): Problem {
  return new Problem('validation_failed', { detail, errors: [{ pointer, code, detail }] })
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b

/** What a byte outside a string stands for; 0 for one that is no mark. */
const SEPARATOR = 1
const OPENING = 2
const CLOSING = 3
const STRING = 4
const MEANINGS = new Uint8Array(256)
for (const character of ',:') MEANINGS[character.charCodeAt(0)] = SEPARATOR
for (const character of '[{') MEANINGS[character.charCodeAt(0)] = OPENING
for (const character of ']}') MEANINGS[character.charCodeAt(0)] = CLOSING
MEANINGS[QUOTE] = STRING

interface Counted {
  readonly depth: number
  readonly marks: number
  /** Elements of the named list; of the last one where the name stands twice, as the parser would take it. */
  readonly listLength: number
  /** Where something is too long by itself: as the last element of the named list so far, or elsewhere. */
  readonly stretched: 'in the list' | 'elsewhere' | undefined
}

/** Counts until the body ends or a bound is exceeded. */
function countJson(bytes: Uint8Array, bounds: JsonBounds): Counted {
  const { depthMax, marksMax, stretchMax = bytes.length, list } = bounds
  // A local: the innermost loops run for each of up to four million bytes.
  const meanings = MEANINGS
  const end = bytes.length
  let depth = 0
  let marks = 0
  let listLength = 0
  let inList = false
  let nameStart = 0
  let nameEnd = 0
  const place = () => (inList && depth === 2 ? 'in the list' : 'elsewhere')
  for (let i = 0; i < end && marks <= marksMax && depth <= depthMax; i++) {
    const gapEnd = Math.min(end, i + stretchMax + 1)
    while (i < gapEnd && meanings[bytes[i] as number] === 0) i++
    if (i === end) break
    if (i === gapEnd) return { depth, marks, listLength, stretched: place() }
    marks++
    switch (meanings[bytes[i] as number]) {
      case STRING: {
        const start = i + 1
        const stringEnd = Math.min(end, start + stretchMax + 1)
        for (i = start; i < stringEnd && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++
        if (i - start > stretchMax) return { depth, marks, listLength, stretched: place() }
        if (depth === 1) {
          nameStart = start
          nameEnd = i
        }
        break
      }
      case SEPARATOR:
        if (inList && depth === 2) listLength++
        break
      case OPENING:
        depth++
        if (depth === 2) {
          inList = bytes[i] === OPEN_ARRAY && isText(bytes, nameStart, nameEnd, list?.field)
          if (inList) listLength = 1
        }
        break
      case CLOSING:
        depth--
        break
    }
  }
  return { depth, marks, listLength, stretched: undefined }
}

function isText(bytes: Uint8Array, start: number, end: number, text: string | undefined): boolean {
  return (
    text !== undefined && end - start === text.length && Buffer.from(bytes.subarray(start, end)).toString() === text
  )
}
