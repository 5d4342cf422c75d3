import type { KoaContextWithOIDC } from 'oidc-provider'
import { etagOf, isKept } from '../http/change.ts'
import { PATHS } from './paths.ts'

/** Documents for applications change rarely and are requested often: clients may cache them for a short time. */
const KEPT_SECONDS_MAX = 300

export const OPENID_METADATA_PATH = '/.well-known/openid-configuration'
export const SERVER_METADATA_PATH = '/.well-known/oauth-authorization-server'
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource'

export function isDocument(path: string): boolean {
  return [OPENID_METADATA_PATH, SERVER_METADATA_PATH, PATHS.jwks].includes(path)
}

/** Every client must know a key before it signs: cached copies must expire before that. */
export function keptSeconds(signingKeyPublishedSeconds: number): number {
  return Math.min(KEPT_SECONDS_MAX, Math.floor(signingKeyPublishedSeconds / 2))
}

export function documentHeaders(document: unknown, seconds: number): { 'cache-control': string; etag: string } {
  return { 'cache-control': `public, max-age=${seconds}`, etag: etagOf(document) }
}

/** Makes the library's document cacheable for a while. */
export function answerDocument(ctx: KoaContextWithOIDC, seconds: number): void {
  const headers = documentHeaders(ctx.body, seconds)
  ctx.set(headers)
  if (isKept(ctx.get('if-none-match') || undefined, headers.etag)) ctx.status = 304
}
