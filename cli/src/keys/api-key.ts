import type { Operations } from '@assay/sdk'
import { harmless } from '../terminal/paint.ts'

export type KeyPage = Operations['GET /v1/organisation/keys']['response']
/** With the key itself, seen this once. */
export type NewApiKey = Operations['POST /v1/organisation/keys']['response']

export function newKeyText({ id, name, scopes, expires_at, api_key }: NewApiKey): string {
  return [
    `Key ${id}, "${harmless(name)}": ${scopes.join(' ')}${expires_at ? `, until ${expires_at.slice(0, 10)}` : ''}`,
    'It is shown this once:',
    '',
    harmless(api_key),
    '',
  ].join('\n')
}
