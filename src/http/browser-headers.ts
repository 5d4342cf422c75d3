/**
 * What every answer tells a browser, be it JSON, a file, a problem or a redirect: take it for what it is, show it in no
 * frame, run nothing in it, and tell other sites nothing of its address. Pages say themselves what they may load.
 */
const EVERYWHERE = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Addresses hold user codes: no other site may learn them, but our own may check where a request comes from.
  'referrer-policy': 'same-origin',
} as const

/** Half a year, for this host alone: other names of the domain are not ours to decide about. */
const SECURE_ONLY = { 'strict-transport-security': 'max-age=15552000' } as const

export function browserHeaders(baseUrl: string): Readonly<Record<string, string>> {
  return baseUrl.startsWith('https:') ? { ...EVERYWHERE, ...SECURE_ONLY } : EVERYWHERE
}
