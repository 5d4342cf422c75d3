import { FeedRefused, type ParseReport } from './report.ts'

/** Bytes to lines: BOM, UTF-16, any line ending, and lines of any length in limited memory. */

export const LINE_CHARACTERS_MAX = 65_536
const SNIFF_BYTES = 512

/** Calls `line` for every line that is not empty, without its ending and outer blanks. */
export async function eachLine(input: AsyncIterable<Uint8Array>, report: ParseReport, line: (text: string) => void) {
  let carry = ''
  // Inside a line longer than the limit: the rest of the line is skipped.
  let skipping = false
  const take = (text: string) => {
    const trimmed = text.trim()
    if (trimmed === '') return
    if (trimmed.includes('\r')) for (const part of trimmed.split(/\r+/)) take(part)
    else line(trimmed)
  }
  for await (const chunk of decode(input)) {
    let from = 0
    for (;;) {
      const end = nextBreak(chunk, from)
      if (end < 0) break
      if (skipping) skipping = false
      else if (carry.length + end - from > LINE_CHARACTERS_MAX)
        report.reject('too_long', carry || chunk.slice(from, from + 100))
      else take(carry + chunk.slice(from, end))
      carry = ''
      from = end + 1
    }
    if (skipping) continue
    carry += chunk.slice(from)
    if (carry.length > LINE_CHARACTERS_MAX) {
      report.reject('too_long', carry)
      carry = ''
      skipping = true
    }
  }
  if (!skipping) take(carry)
}

/** The end of the line that begins at `from`, or -1 when the text ends first. */
function nextBreak(text: string, from: number): number {
  const feed = text.indexOf('\n', from)
  // Old Macintosh files end their lines with a lone carriage return.
  return feed >= 0 ? feed : text.indexOf('\r', from)
}

async function* decode(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let head: Uint8Array<ArrayBufferLike> = new Uint8Array(0)
  for await (const chunk of input) {
    if (decoder) {
      yield decoder.decode(chunk, { stream: true })
      continue
    }
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
    if (head.length < SNIFF_BYTES) continue
    decoder = new TextDecoder(encodingOf(head))
    yield checked(decoder.decode(head, { stream: true }))
  }
  if (!decoder) {
    decoder = new TextDecoder(encodingOf(head))
    yield checked(decoder.decode(head, { stream: true }))
  }
  yield decoder.decode()
}

function encodingOf(head: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  // Without a byte order mark: in UTF-16 of Latin text every other byte is zero.
  const sample = head.subarray(0, SNIFF_BYTES)
  let even = 0
  let odd = 0
  for (let i = 0; i < sample.length; i++) {
    if (sample[i] === 0) i % 2 === 0 ? even++ : odd++
  }
  if (odd > sample.length / 4 && even === 0) return 'utf-16le'
  if (even > sample.length / 4 && odd === 0) return 'utf-16be'
  return 'utf-8'
}

function checked(text: string): string {
  const start = text.slice(0, 400).trimStart().toLowerCase()
  if (/^(<!doctype html|<html|<head|<body|<!--\s*\[if|<\?xml[^>]*>\s*<(!doctype html|html|error))/.test(start)) {
    throw new FeedRefused('It is an HTML or error page, not a list; check the address.')
  }
  return text
}

const DOCUMENT_BYTES_MAX = 256 * 1024 * 1024

async function readText(input: AsyncIterable<Uint8Array>, bytesMax = DOCUMENT_BYTES_MAX): Promise<string> {
  const parts: string[] = []
  let length = 0
  for await (const text of decode(input)) {
    length += text.length
    if (length > bytesMax) throw new FeedRefused(`The document is longer than ${bytesMax} characters.`)
    parts.push(text)
  }
  return parts.join('')
}

export async function readJson(input: AsyncIterable<Uint8Array>): Promise<unknown> {
  const text = await readText(input)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new FeedRefused(`It is not valid JSON (${(cause as Error).message}).`, { cause })
  }
}

export async function readBytes(input: AsyncIterable<Uint8Array>, bytesMax = DOCUMENT_BYTES_MAX): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of input) {
    length += chunk.length
    if (length > bytesMax) throw new FeedRefused(`The file is larger than ${bytesMax} bytes.`)
    parts.push(chunk)
  }
  return Buffer.concat(parts)
}
