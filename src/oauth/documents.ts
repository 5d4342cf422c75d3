import type { KoaContextWithOIDC } from 'oidc-provider'
import { etagOf, isKept } from '../http/change.ts'
import { PATHS } from './paths.ts'

/**
 * Documents that tell applications about this server: metadata and public keys. They change rarely and are asked for
 * often, so whoever asks may keep them for a short while, and asks again by their ETag.
 */
const KEPT_SECONDS_MAX = 300

export const OPENID_METADATA_PATH = '/.well-known/openid-configuration'
export const SERVER_METADATA_PATH = '/.well-known/oauth-authorization-server'
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource'

/** Those that the library makes. */
export function isDocument(path: string): boolean {
  return [OPENID_METADATA_PATH, SERVER_METADATA_PATH, PATHS.jwks].includes(path)
}

/** A key must be known to everybody by the time it signs: what is kept must end before that. */
export function keptSeconds(signingKeyPublishedSeconds: number): number {
  return Math.min(KEPT_SECONDS_MAX, Math.floor(signingKeyPublishedSeconds / 2))
}

export function documentHeaders(document: unknown, seconds: number): { 'cache-control': string; etag: string } {
  return { 'cache-control': `public, max-age=${seconds}`, etag: etagOf(document) }
}

/** Puts the library's document into a form that may be kept for a while. */
export function answerDocument(ctx: KoaContextWithOIDC, seconds: number): void {
  const headers = documentHeaders(ctx.body, seconds)
  ctx.set(headers)
  if (isKept(ctx.get('if-none-match') || undefined, headers.etag)) ctx.status = 304
}
