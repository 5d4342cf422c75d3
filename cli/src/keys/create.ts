import type { Operations } from '@assay/sdk'
import { type AnswerOptions, answerText } from '../answer.ts'
import { connect } from '../client.ts'
import { CliError, type Context } from '../context.ts'
import { newKeyText } from './api-key.ts'

/** `assay keys create` */
export async function createKey(
  context: Context,
  name: string,
  options: AnswerOptions & { scope?: string; expires?: string },
): Promise<void> {
  const expiresAtMs = options.expires === undefined ? undefined : Date.parse(options.expires)
  if (expiresAtMs !== undefined && !(expiresAtMs > context.now())) {
    throw new CliError(`--expires ${JSON.stringify(options.expires)} is not a day to come, such as 2027-01-31.`)
  }
  const key = await connect(context).assay.call('POST /v1/organisation/keys', {
    body: {
      name,
      ...(options.scope ? { scopes: scopesIn(options.scope) } : {}),
      ...(expiresAtMs === undefined ? {} : { expires_at: new Date(expiresAtMs).toISOString() }),
    },
    signal: context.interrupted,
  })
  context.stdout.write(answerText(key, options) ?? newKeyText(key))
}

type KeyScopes = NonNullable<Operations['POST /v1/organisation/keys']['body']['scopes']>

/** The service knows which there are, and names one that is not. */
function scopesIn(text: string): KeyScopes {
  return text.split(/[\s,]+/).filter((scope): scope is KeyScopes[number] => scope !== '')
}
