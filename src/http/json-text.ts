import { isUtf8 } from 'node:buffer'
import { Problem } from '../errors.ts'

/** The value of a JSON text in UTF-8. */
export function parseJsonText(bytes: Buffer): unknown {
  try {
    const text = bytes.toString()
    // What cannot be decoded becomes U+FFFD; only then is it worth asking whether that was sent so.
    if (text.includes('\ufffd') && !isUtf8(bytes)) throw new Error('not UTF-8')
    return JSON.parse(text)
  } catch {
    // The parser's message quotes the body, which may hold an address: it is not passed on.
    throw new Problem('malformed_json', { detail: 'The body is not JSON in UTF-8.' })
  }
}
