import { type Readable, Transform } from 'node:stream'
import { BODY_TOO_LARGE_WORDS } from '../access/limits.ts'
import { Problem } from '../errors.ts'
import { countBodyBytes } from './body-garbage.ts'

/**
 * Limits of a JSON body. Parse time grows with the number of values and with their depth more than with the bytes: four
 * megabytes of brackets take a hundred times as long as four megabytes of text. So both are counted over the bytes
 * before parsing, which takes a few milliseconds at most.
 */
export interface JsonBounds {
  /** Arrays and objects inside one another. */
  readonly depthMax: number
  /** Brackets, commas, colons and strings: a list of strings has two for each. */
  readonly marksMax: number
  /** Bytes of one string, or between two marks; default unlimited. */
  readonly stretchMax?: number
  /** A list in the outermost object that has its own problem when it is too long. */
  readonly list?: { readonly field: string; readonly lengthMax: number; readonly refuse: (length: string) => Problem }
}

/** For bodies of up to 64 KiB. */
export const ORDINARY_JSON: JsonBounds = { depthMax: 32, marksMax: 16_000 }

/** Why a body of up to 64 KiB must not be parsed; the parser itself reports invalid JSON. */
export function ordinaryJsonRefusal(bytes: Buffer): Problem | undefined {
  const { depthMax, marksMax } = ORDINARY_JSON
  // Bodies of checks have some 30 bytes: too few to exceed the limit of marks, and without brackets there is no depth.
  if (bytes.length <= marksMax) {
    let opened = 0
    for (let i = 0; i < bytes.length; i++) if (MEANINGS[bytes[i] as number] === OPENING) opened++
    if (opened <= depthMax) return undefined
  }
  return jsonRefusal(bytes, ORDINARY_JSON)
}

export function jsonRefusal(bytes: Buffer, bounds: JsonBounds): Problem | undefined {
  const count = new JsonCount(bounds)
  count.add(bytes)
  return count.refusal()
}

function tooLarge(): Problem {
  return new Problem('body_too_large', { detail: BODY_TOO_LARGE_WORDS })
}

function oversized(code: string, detail: string, pointer = ''): Problem {
  return new Problem('validation_failed', { detail, errors: [{ pointer, code, detail }] })
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const NAME_LENGTH_MAX = 64

/** The meaning of a byte outside a string; 0 if it is no mark. */
const SEPARATOR = 1
const OPENING = 2
const CLOSING = 3
const STRING = 4
const MEANINGS = new Uint8Array(256)
for (const character of ',:') MEANINGS[character.charCodeAt(0)] = SEPARATOR
for (const character of '[{') MEANINGS[character.charCodeAt(0)] = OPENING
for (const character of ']}') MEANINGS[character.charCodeAt(0)] = CLOSING
MEANINGS[QUOTE] = STRING

/** The next position of a byte; the end if there is none. */
function find(bytes: Buffer, byte: number, from: number): number {
  const at = bytes.indexOf(byte, from)
  return at < 0 ? bytes.length : at
}

/** Counts chunk by chunk, as the body arrives, until it ends or exceeds a limit. */
class JsonCount {
  readonly #bounds: JsonBounds
  readonly #stretchMax: number
  #depth = 0
  #marks = 0
  /** Bytes of the string so far, or since the last mark. */
  #stretch = 0
  #inString = false
  /** The next byte of the string is escaped. */
  #escaped = false
  /** The position of the next backslash in the chunk, as far as searched. */
  #escapeAt = -1
  /** The last string in the outermost object, as far as it may be the name of the list. */
  #name = ''
  #inList = false
  /** Elements of the named list; of the last one if the name occurs twice, as in the parser. */
  #listLength = 0

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds
    this.#stretchMax = bounds.stretchMax ?? Number.POSITIVE_INFINITY
  }

  get marks(): number {
    return this.#marks
  }

  get isExceeded(): boolean {
    const { depthMax, marksMax } = this.#bounds
    return this.#depth > depthMax || this.#marks > marksMax || this.#stretch > this.#stretchMax
  }

  add(bytes: Buffer): void {
    this.#escapeAt = -1
    for (let i = 0; i < bytes.length && !this.isExceeded; ) {
      i = this.#inString ? this.#throughString(bytes, i) : this.#throughGap(bytes, i)
    }
  }

  refusal(): Problem | undefined {
    const { depthMax, marksMax, stretchMax, list } = this.#bounds
    if (this.#stretch > this.#stretchMax) {
      const pointer = this.#inList && this.#depth === 2 ? `/${list?.field}/${this.#listLength - 1}` : ''
      return oversized('too_long', `One value is longer than ${stretchMax} bytes.`, pointer)
    }
    if (this.#depth > depthMax) return oversized('too_deep', `The body is nested deeper than ${depthMax} levels.`)
    if (this.#marks <= marksMax) return undefined
    // Counting stops at the limit, so the list may be longer.
    if (list && this.#listLength > list.lengthMax) return list.refuse(`At least ${this.#listLength}`)
    return oversized('too_many_values', `The body has more than ${marksMax} brackets, commas, colons and strings.`)
  }

  /** Reads to the end of a string, of the chunk, or of the allowed string length; returns the position. */
  #throughString(bytes: Buffer, from: number): number {
    let i = from
    if (this.#escaped) {
      this.#escaped = false
      i++
    }
    // Most strings have no escape: both bytes are searched natively, and the next escape once for many strings.
    if (this.#escapeAt < i) this.#escapeAt = find(bytes, BACKSLASH, i)
    const quoteAt = find(bytes, QUOTE, i)
    if (quoteAt < this.#escapeAt) i = quoteAt
    else for (i = this.#escapeAt; i < bytes.length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++
    // An escape at the very end of a chunk applies to the first byte of the next one.
    this.#escaped = i > bytes.length
    const to = Math.min(i, bytes.length)
    this.#stretch += to - from
    if (this.#depth === 1 && this.#name.length <= NAME_LENGTH_MAX) {
      this.#name += bytes.toString('latin1', from, Math.min(to, from + NAME_LENGTH_MAX + 1))
    }
    if (to === bytes.length || bytes[to] !== QUOTE || this.#stretch > this.#stretchMax) return to
    this.#inString = false
    this.#stretch = 0
    return to + 1
  }

  /** Reads past the next mark outside a string. */
  #throughGap(bytes: Buffer, from: number): number {
    // A local variable: this loop runs for each of up to four million bytes.
    const meanings = MEANINGS
    const end = Math.min(bytes.length, from + this.#stretchMax - this.#stretch + 1)
    let i = from
    while (i < end && meanings[bytes[i] as number] === 0) i++
    this.#stretch += i - from
    if (i === bytes.length || this.#stretch > this.#stretchMax) return i
    this.#stretch = 0
    this.#marks++
    const byte = bytes[i] as number
    switch (meanings[byte]) {
      case STRING:
        this.#inString = true
        if (this.#depth === 1) this.#name = ''
        break
      case SEPARATOR:
        if (this.#inList && this.#depth === 2) this.#listLength++
        break
      case OPENING:
        this.#depth++
        if (this.#depth === 2) {
          this.#inList = byte === OPEN_ARRAY && this.#name === this.#bounds.list?.field
          if (this.#inList) this.#listLength = 1
        }
        break
      case CLOSING:
        this.#depth--
        break
    }
    return i + 1
  }
}

/**
 * Counts a body on its way to the parser chunk by chunk, so that no chunk blocks the event loop for long. After a limit
 * is exceeded, the rest is read and dropped, up to `bytesMax`, and ends with the problem: a client that sends
 * everything before reading gets the answer too. `counted` receives the marks of an accepted body.
 */
export function boundedJson(
  body: Readable,
  bounds: JsonBounds,
  bytesMax: number,
  counted?: (marks: number) => void,
): Readable {
  const count = new JsonCount(bounds)
  let refusal: Problem | undefined
  let bytes = 0
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      countBodyBytes(chunk.length)
      if (!refusal) {
        count.add(chunk)
        refusal = count.refusal()
      }
      if (!refusal) done(null, chunk)
      // The server's own limit does not count dropped bytes.
      else done(bytes > bytesMax ? tooLarge() : null)
    },
    flush(done) {
      counted?.(count.marks)
      done(refusal)
    },
  })
  // Nobody reads any more (the body was refused for its length), so ignore errors of both streams.
  through.on('error', () => {})
  body.on('error', (error) => through.destroy(error))
  return body.pipe(through)
}
