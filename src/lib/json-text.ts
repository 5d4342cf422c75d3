import { isUtf8 } from 'node:buffer'

/** Parses a JSON text in UTF-8; undefined if it is not valid. */
export function readJsonText(bytes: Buffer): { readonly value: unknown } | undefined {
  const text = bytes.toString()
  // Bytes that cannot be decoded become U+FFFD; only then check whether U+FFFD itself was sent.
  if (text.includes('\ufffd') && !isUtf8(bytes)) return undefined
  try {
    return { value: JSON.parse(text) }
  } catch {
    // The parser's message quotes the text, which may contain an address: do not pass it on.
    return undefined
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
