import type { Kind } from '@assay/sdk'

/** What an indicator looks like. The service decides whether it is a valid one. */
export function recogniseKind(text: string): Kind {
  const trimmed = text.trim()
  if (trimmed.includes('@')) return 'email'
  // Two colons at least: host:8080 is meant as a host.
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(trimmed) || /^[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(trimmed)) return 'ip'
  return 'domain'
}
