import { hash } from 'node:crypto'

/**
 * The hash of one entry of a chain: SHA-256 over the hash of the entry before it and every field of this one. Any
 * change, removal or insertion changes every later hash.
 *
 * A field begins with U+0000, which no text in the store can contain, and a mark that distinguishes null from text. A
 * lone surrogate becomes U+FFFD here as it does in the store.
 */
export function link(previous: string, fields: readonly (string | number | null)[]): string {
  let text = previous
  for (const field of fields) text += field === null ? '\0-' : `\0=${field}`
  return hash('sha256', text, 'base64url')
}
