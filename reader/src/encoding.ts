import { ListProblem } from './problem.ts'

/** Bytes as text, whatever program saved them: UTF-8, UTF-16 with or without its mark, or Windows-1252. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

const HEAD_BYTES = 4096

/** Looks at every byte, because the first letter that is not ASCII may stand at the end. */
export function createDetector(): { write(bytes: Uint8Array): void; end(): Encoding } {
  const head: number[] = []
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let isUtf8 = true
  const test = (bytes?: Uint8Array) => {
    try {
      if (isUtf8) utf8.decode(bytes, { stream: bytes !== undefined })
    } catch {
      isUtf8 = false
    }
  }
  return {
    write(bytes) {
      if (head.length < HEAD_BYTES) head.push(...bytes.subarray(0, HEAD_BYTES - head.length))
      test(bytes)
    },
    end() {
      test()
      return wideEncoding(head) ?? (isUtf8 ? 'utf-8' : 'windows-1252')
    },
  }
}

function wideEncoding(head: readonly number[]): Encoding | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const zeros = [0, 0]
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2]!++
  // Every other byte of Latin text in UTF-16 is zero; in the others none ever is.
  if (zeros[0] === 0 && zeros[1] === 0) return undefined
  if (zeros[0] === 0) return 'utf-16le'
  if (zeros[1] === 0) return 'utf-16be'
  throw new ListProblem('This is not a text file. Save the list as CSV or as a workbook (.xlsx).')
}

// Bytes 80 to 9f. Some platforms decode them as control characters (Node.js 20 among them).
const WINDOWS_80_TO_9F = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const CONTROLS = /[\u0080-\u009f]/g

/** Piece by piece; the mark at the beginning is left out. */
export function createDecoder(encoding: Encoding): { write(bytes: Uint8Array): string; end(): string } {
  const decoder = new TextDecoder(encoding)
  const mended = (text: string) =>
    encoding === 'windows-1252'
      ? text.replace(CONTROLS, (character) => WINDOWS_80_TO_9F[character.charCodeAt(0) - 0x80]!)
      : text
  return { write: (bytes) => mended(decoder.decode(bytes, { stream: true })), end: () => mended(decoder.decode()) }
}

export function decode(bytes: Uint8Array): string {
  const detector = createDetector()
  detector.write(bytes)
  const decoder = createDecoder(detector.end())
  return decoder.write(bytes) + decoder.end()
}
