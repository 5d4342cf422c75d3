import type { Kind } from './kinds.ts'

/**
 * A key under which two records are certainly the same indicator for the server. It is careful on purpose: records
 * the server would tell apart never share a key, while some it would take as one (two spellings of an IPv6 address,
 * an internationalised name and its xn-- form) keep their own and are checked, and billed, each.
 */
export function dedupeKey(kind: Kind, text: string): string {
  const trimmed = text.trim()
  if (kind === 'email') return trimmed.normalize('NFC').toLowerCase()
  if (kind === 'ip') return trimmed.toLowerCase()
  const name = trimmed.toLowerCase().normalize('NFC')
  return name.length > 1 && name.endsWith('.') ? name.slice(0, -1) : name
}
