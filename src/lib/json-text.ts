import { isUtf8 } from 'node:buffer'

/** The value of a JSON text in UTF-8; undefined for what is none. */
export function readJsonText(bytes: Buffer): { readonly value: unknown } | undefined {
  const text = bytes.toString()
  // What cannot be decoded becomes U+FFFD; only then is it worth asking whether that was sent so.
  if (text.includes('\ufffd') && !isUtf8(bytes)) return undefined
  try {
    return { value: JSON.parse(text) }
  } catch {
    // The parser's message quotes the text, which may hold an address: it is not passed on.
    return undefined
  }
}
