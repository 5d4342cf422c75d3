import type { Operations } from '@assay/sdk'
import { type Answer, day, rowsAnswer } from '../answer.ts'
import { call, given, listRows } from '../client.ts'
import { CliError, type Context } from '../context.ts'
import { endOf } from '../day.ts'
import { harmless } from '../terminal/paint.ts'

type KeyScopes = NonNullable<Operations['POST /v1/organisation/keys']['body']['scopes']>

const LISTED_MAX = 5000

export async function listKeys(context: Context): Promise<Answer> {
  const { rows } = await listRows(context, 'GET /v1/organisation/keys', {}, LISTED_MAX)
  return rowsAnswer(context, rows, 'There is no key yet. Create one: assay keys create NAME', {
    KEY: (key) => key.id,
    NAME: (key) => key.name,
    STATE: (key) => key.state,
    'MADE BY': ({ created_by: by }) => by?.name ?? (by?.kind === 'operator' ? 'the operator' : (by?.id ?? 'unknown')),
    'LAST USED': (key) => day(key.last_used_at),
    ENDS: (key) => day(key.expires_at),
    SCOPES: (key) => key.scopes.join(' '),
  })
}

export async function createKey(
  context: Context,
  name: string,
  options: { scope?: string; expires?: string },
): Promise<Answer> {
  const expiresAtMs = options.expires === undefined ? undefined : Date.parse(endOf(options.expires) ?? '')
  if (expiresAtMs !== undefined && !(expiresAtMs > context.now())) {
    throw new CliError(`--expires ${JSON.stringify(options.expires)} is not a future day, such as 2027-01-31.`)
  }
  const scopes = options.scope ? scopesIn(options.scope) : undefined
  const expires_at = expiresAtMs === undefined ? undefined : new Date(expiresAtMs).toISOString()
  return newKey(await call(context, 'POST /v1/organisation/keys', { body: { name, ...given({ scopes, expires_at }) } }))
}

export async function rotateKey(context: Context, id: string, options: { graceHours?: number }) {
  const body = given({ grace_hours: options.graceHours })
  return newKey(await call(context, 'POST /v1/organisation/keys/{key_id}/rotate', { path: { key_id: id }, body }))
}

export async function revokeKey(context: Context, id: string): Promise<Answer> {
  await call(context, 'DELETE /v1/organisation/keys/{key_id}', { path: { key_id: id } })
  return { value: { id, revoked: true }, text: () => `Key ${id} is revoked.` }
}

/** Includes the key itself, which is shown only once. */
function newKey(key: Operations['POST /v1/organisation/keys']['response']): Answer {
  const until = key.expires_at ? `, until ${key.expires_at.slice(0, 10)}` : ''
  const about = `Key ${key.id}, "${harmless(key.name)}": ${key.scopes.join(' ')}${until}`
  return { value: key, text: () => [about, 'It is shown only once:', '', harmless(key.api_key)].join('\n') }
}

/** The service validates scopes, and names an unknown one. */
function scopesIn(text: string): KeyScopes {
  return text.split(/[\s,]+/).filter((scope): scope is KeyScopes[number] => scope !== '')
}
