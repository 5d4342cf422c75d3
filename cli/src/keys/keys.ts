import type { Operations } from '@assay/sdk'
import { type AnswerOptions, printAnswer, printRows, readPages } from '../answer.ts'
import { connect } from '../client.ts'
import { CliError, type Context } from '../context.ts'
import { harmless } from '../terminal/paint.ts'

type KeyScopes = NonNullable<Operations['POST /v1/organisation/keys']['body']['scopes']>

const LISTED_MAX = 20_000

export async function listKeys(context: Context, options: AnswerOptions): Promise<void> {
  const { call } = connect(context)
  const { rows } = await readPages((query) => call('GET /v1/organisation/keys', { query }), LISTED_MAX)
  printRows(context, rows, options, 'There is no key yet. Create one: assay keys create NAME', {
    KEY: ({ id }) => id,
    NAME: ({ name }) => name,
    STATE: ({ state }) => state,
    'LAST USED': ({ last_used_at }) => last_used_at?.slice(0, 10),
    ENDS: ({ expires_at }) => expires_at?.slice(0, 10),
    SCOPES: ({ scopes }) => scopes.join(' '),
  })
}

export async function createKey(
  context: Context,
  name: string,
  options: AnswerOptions & { scope?: string; expires?: string },
): Promise<void> {
  const expiresAtMs = options.expires === undefined ? undefined : Date.parse(options.expires)
  if (expiresAtMs !== undefined && !(expiresAtMs > context.now())) {
    throw new CliError(`--expires ${JSON.stringify(options.expires)} is not a future day, such as 2027-01-31.`)
  }
  const key = await connect(context).call('POST /v1/organisation/keys', {
    body: {
      name,
      ...(options.scope ? { scopes: scopesIn(options.scope) } : {}),
      ...(expiresAtMs === undefined ? {} : { expires_at: new Date(expiresAtMs).toISOString() }),
    },
  })
  printAnswer(context, key, options, () => newKeyText(key))
}

export async function rotateKey(
  context: Context,
  id: string,
  options: AnswerOptions & { graceHours?: number },
): Promise<void> {
  const key = await connect(context).call('POST /v1/organisation/keys/{key_id}/rotate', {
    path: { key_id: id },
    body: options.graceHours === undefined ? {} : { grace_hours: options.graceHours },
  })
  printAnswer(context, key, options, () => newKeyText(key))
}

export async function revokeKey(context: Context, id: string, options: AnswerOptions): Promise<void> {
  await connect(context).call('DELETE /v1/organisation/keys/{key_id}', { path: { key_id: id } })
  printAnswer(context, { id, revoked: true }, options, () => `Key ${id} is revoked.\n`)
}

/** Includes the key itself, which is shown only once. */
function newKeyText(key: Operations['POST /v1/organisation/keys']['response']): string {
  const until = key.expires_at ? `, until ${key.expires_at.slice(0, 10)}` : ''
  const about = `Key ${key.id}, "${harmless(key.name)}": ${key.scopes.join(' ')}${until}`
  return [about, 'It is shown only once:', '', harmless(key.api_key), ''].join('\n')
}

/** The service validates scopes, and names an unknown one. */
function scopesIn(text: string): KeyScopes {
  return text.split(/[\s,]+/).filter((scope): scope is KeyScopes[number] => scope !== '')
}
