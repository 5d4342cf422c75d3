import type { Kind } from './kinds.ts'

/**
 * Two records with the same key are certainly the same indicator for the server. The key is deliberately strict:
 * records that the server distinguishes never share a key. Some records that the server treats as one (two spellings of
 * an IPv6 address, an internationalised name and its xn-- form) have different keys; each is checked and billed.
 */
export function dedupeKey(kind: Kind, text: string): string {
  const trimmed = text.trim()
  if (kind === 'email') return trimmed.normalize('NFC').toLowerCase()
  if (kind === 'ip') return trimmed.toLowerCase()
  const name = trimmed.toLowerCase().normalize('NFC')
  return name.length > 1 && name.endsWith('.') ? name.slice(0, -1) : name
}
