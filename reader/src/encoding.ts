import { ListProblem } from './problem.ts'

/** Decodes bytes from any program: UTF-8, UTF-16 with or without a byte order mark, or Windows-1252. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

export type Detected = { readonly encoding: Encoding; readonly notes: readonly string[] }

const HEAD_BYTES = 4096
/** Text has hardly any control characters. More than one in this many bytes means a program, a picture or an archive. */
const BYTES_PER_CONTROL = 64
const BROKEN = '\ufffd'
const TAB = 9
const CR = 13
const LF = 10

/** Reads every byte, because the first non-ASCII letter may be at the end. */
export function createDetector(): { write(bytes: Uint8Array): void; end(): Detected } {
  const head: number[] = []
  const strays = createPlaces('bytes that are not UTF-8')
  const zeros = createPlaces('zero bytes')
  let bytes = 0
  let letters = 0
  let controls = 0
  let line = 1
  let before = 0
  let wanted = 0
  const look = (byte: number) => {
    if (wanted > 0 && byte >> 6 === 0b10) {
      if (--wanted === 0) letters++
      return
    }
    if (wanted > 0) strays.add(line)
    wanted = byte < 0xc2 || byte > 0xf4 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3
    if (byte === CR || (byte === LF && before !== CR)) line++
    else if (byte === 0) zeros.add(line)
    else if (byte < 32 && byte !== LF) controls++
    else if (byte >= 0x80 && wanted === 0) strays.add(line)
  }
  return {
    write(part) {
      bytes += part.length
      if (head.length < HEAD_BYTES) head.push(...part.subarray(0, HEAD_BYTES - head.length))
      // Most bytes are plain letters; an iterator would take ten times as long.
      for (let at = 0; at < part.length; at++) {
        const byte = part[at]!
        if ((byte < 32 && byte !== TAB) || byte >= 0x80 || wanted > 0) look(byte)
        before = byte
      }
    },
    end() {
      if (wanted > 0) strays.add(line)
      const encoding = wideEncoding(head)
      if (encoding) return { encoding, notes: [] }
      const odd = zeros.count() + controls
      if (odd > 1 && odd * BYTES_PER_CONTROL > bytes) {
        throw new ListProblem('This is not a text file. Save the list as CSV or as a workbook (.xlsx).')
      }
      // Windows-1252 letters rarely look like UTF-8: if most sequences are valid UTF-8, the others are stray bytes.
      return strays.count() > letters
        ? { encoding: 'windows-1252', notes: zeros.notes() }
        : { encoding: 'utf-8', notes: [...strays.notes(), ...zeros.notes()] }
    },
  }
}

const LINES_NAMED = 3

function createPlaces(what: string) {
  const lines: number[] = []
  let count = 0
  let last = 0
  let more = 0
  return {
    count: () => count,
    add(line: number): void {
      count++
      if (line === last) return
      last = line
      if (lines.length < LINES_NAMED) lines.push(line)
      else more++
    },
    notes(): string[] {
      if (count === 0) return []
      const where =
        lines.length > 1
          ? `Lines ${lines.join(', ')}${more > 0 ? ` and ${more} more` : ''} hold`
          : `Line ${lines[0]} holds`
      return [`${where} ${what}: each is shown as ${BROKEN}.`]
    },
  }
}

/** UTF-16: one byte is zero in this share of the pairs, because most lists use Latin letters. */
const WIDE_SHARE = 0.4

function wideEncoding(head: readonly number[]): Encoding | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const zeros = [0, 0]
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2]!++
  const [high = 0, low = 0] = zeros
  if (Math.max(high, low) < (WIDE_SHARE * head.length) / 2 || Math.min(high, low) * 8 > Math.max(high, low))
    return undefined
  return high < low ? 'utf-16le' : 'utf-16be'
}

// Bytes 80 to 9f. Some platforms, such as Node.js 20, decode them as control characters.
const WINDOWS_80_TO_9F = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const CONTROLS = /[\u0080-\u009f]/g

/** Decodes in pieces; leaves out the byte order mark at the start. */
export function createDecoder(encoding: Encoding): { write(bytes: Uint8Array): string; end(): string } {
  const decoder = new TextDecoder(encoding)
  const mended = (text: string) =>
    (encoding === 'windows-1252'
      ? text.replace(CONTROLS, (character) => WINDOWS_80_TO_9F[character.charCodeAt(0) - 0x80]!)
      : text
    ).replaceAll('\0', BROKEN)
  return { write: (bytes) => mended(decoder.decode(bytes, { stream: true })), end: () => mended(decoder.decode()) }
}

export function decode(bytes: Uint8Array): { readonly text: string; readonly notes: readonly string[] } {
  const detector = createDetector()
  detector.write(bytes)
  const { encoding, notes } = detector.end()
  const decoder = createDecoder(encoding)
  return { text: decoder.write(bytes) + decoder.end(), notes }
}
