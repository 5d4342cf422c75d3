import { DEVICE_GRANT } from './paths.ts'

/** Called for each answer of the token endpoint. Both words are from short lists, whatever the caller sends. */
export type CountToken = (grant: string, outcome: string) => void

const GRANTS: Readonly<Record<string, string>> = {
  client_credentials: 'client_credentials',
  authorization_code: 'authorization_code',
  refresh_token: 'refresh_token',
  [DEVICE_GRANT]: 'device_code',
}

/** RFC 6749 §5.2, RFC 8628 §3.5, and this server's own errors. */
const ERRORS: ReadonlySet<string> = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'authorization_pending',
  'slow_down',
  'access_denied',
  'expired_token',
  'temporarily_unavailable',
  'server_error',
])

export function grantWord(grantType: unknown): string {
  return typeof grantType === 'string' && Object.hasOwn(GRANTS, grantType) ? (GRANTS[grantType] ?? 'other') : 'other'
}

export function errorWord(error: unknown): string {
  return typeof error === 'string' && ERRORS.has(error) ? error : 'other'
}

/** The grant type of a form. */
export function grantOfForm(body: unknown): string {
  return grantWord(Buffer.isBuffer(body) ? new URLSearchParams(body.toString('latin1')).get('grant_type') : undefined)
}
