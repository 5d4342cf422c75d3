/**
 * Security headers of every answer (JSON, file, problem or redirect): no type sniffing, no frames, no scripts, no
 * referrer to other sites. Pages set their own policy for what they load.
 */
const EVERYWHERE = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // URLs contain user codes: no other site may see them, but our own may check where a request comes from.
  'referrer-policy': 'same-origin',
} as const

/** Half a year, for this host only: we do not decide for other names of the domain. */
const SECURE_ONLY = { 'strict-transport-security': 'max-age=15552000' } as const

export function browserHeaders(baseUrl: string): Readonly<Record<string, string>> {
  return baseUrl.startsWith('https:') ? { ...EVERYWHERE, ...SECURE_ONLY } : EVERYWHERE
}
