import { type AssayError, PermissionError } from '@assay/sdk'
import { connect } from '../client.ts'
import { CliError, type Context } from '../context.ts'
import { currentToken, discover, LOGIN_ENDED, request } from '../oauth.ts'
import { readLogin } from '../settings.ts'
import { hanging, harmless } from '../terminal/paint.ts'

/** `assay whoami`: which credential is used with which service, and that it works. */
export async function whoami(context: Context, options: { json?: boolean }): Promise<void> {
  const { assay, identity, url } = connect(context)
  const facts: Record<string, string> = { service: url }
  if (identity.method === 'login') {
    facts.signed_in_by = 'login'
    const { userinfo_endpoint } = await discover(context, url)
    const person = await personOf(context, userinfo_endpoint, await currentToken(context, url, { refresh: false }))
    if (!person) throw new CliError(LOGIN_ENDED)
    facts.person = person
    facts.scopes = harmless(readLogin(context, url)?.scope ?? '')
  } else {
    facts.signed_in_by = identity.method === 'api_key' ? 'API key' : 'application'
    // Enough to tell keys apart, not enough to use one.
    if (identity.method === 'api_key') facts.key = `${identity.key.slice(0, 8)}…`
    else facts.application = identity.clientId
    try {
      const { organisation_id, plan, state } = await assay.call('GET /v1/billing')
      Object.assign(facts, { organisation: organisation_id, plan: plan.name, state })
    } catch (error) {
      // A key without the scope to read billing is still a good key.
      if (!(error instanceof PermissionError && error.code === 'insufficient_scope')) throw error as AssayError
    }
  }
  if (options.json) {
    context.stdout.write(`${JSON.stringify(facts)}\n`)
    return
  }
  for (const [name, value] of Object.entries(facts)) {
    const label = `${name.replaceAll('_', ' ').padEnd(13)} `
    context.stdout.write(`${hanging(label, value, context.stdout.columns)}\n`)
  }
}

/** Name and address of who signed in; undefined when the token is not worth anything. */
export async function personOf(context: Context, endpoint: string, token: string): Promise<string | undefined> {
  const { status, body } = await request(context, endpoint, { headers: { authorization: `Bearer ${token}` } })
  if (status !== 200) return undefined
  const text = (name: string) => (typeof body[name] === 'string' ? harmless(body[name]) : '')
  const email = text('email')
  return [text('name'), email && `<${email}>`].filter(Boolean).join(' ') || text('sub')
}
