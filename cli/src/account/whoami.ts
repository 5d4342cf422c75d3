import { type Assay, PermissionError } from '@assay/sdk'
import { type AnswerOptions, printAnswer } from '../answer.ts'
import { connect } from '../client.ts'
import { CliError, type Context } from '../context.ts'
import { currentToken, discover, LOGIN_ENDED, request } from '../oauth.ts'
import { readLogin } from '../settings.ts'
import { hanging, harmless } from '../terminal/paint.ts'

/** `assay whoami`: the credential and the service in use, whether the credential works, and who pays. */
export async function whoami(context: Context, options: AnswerOptions): Promise<void> {
  const { assay, identity, url } = connect(context)
  const facts: Record<string, string> = { service: url }
  if (identity.method === 'login') {
    facts.signed_in_by = 'login'
    const { userinfo_endpoint } = await discover(context, url)
    const person = await personOf(context, userinfo_endpoint, await currentToken(context, url, { refresh: false }))
    if (!person) throw new CliError(LOGIN_ENDED)
    facts.person = person
    facts.scopes = harmless(readLogin(context, url)?.scope ?? '')
    Object.assign(facts, await organisationOf(assay))
  } else {
    facts.signed_in_by = identity.method === 'api_key' ? 'API key' : 'application'
    // Enough to distinguish keys, not enough to use one.
    if (identity.method === 'api_key') facts.key = `${identity.key.slice(0, 8)}…`
    else facts.application = identity.clientId
    Object.assign(facts, await organisationOf(assay))
    const account = await ifAllowed(assay.call('GET /v1/billing'))
    if (account) facts.plan = account.plan.name
  }
  const label = (name: string) => `${name.replaceAll('_', ' ').padEnd(15)} `
  printAnswer(context, facts, options, () =>
    Object.entries(facts)
      .map(([name, value]) => `${hanging(label(name), value, context.stdout.columns)}\n`)
      .join(''),
  )
}

/** The organisation that pays for the checks of this credential. */
async function organisationOf(assay: Assay): Promise<Record<string, string>> {
  const organisation = await ifAllowed(assay.call('GET /v1/organisation'))
  if (!organisation) return {}
  const { id, name, state } = organisation
  return { organisation: harmless(name), organisation_id: id, state }
}

/** Undefined without the scope: the credential is still valid. */
async function ifAllowed<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof PermissionError && error.code === 'insufficient_scope') return undefined
    throw error
  }
}

/** Name and address of the signed-in person; undefined when the token is not valid. */
export async function personOf(context: Context, endpoint: string, token: string): Promise<string | undefined> {
  const { status, body } = await request(context, endpoint, { headers: { authorization: `Bearer ${token}` } })
  if (status !== 200) return undefined
  const text = (name: string) => (typeof body[name] === 'string' ? harmless(body[name]) : '')
  const email = text('email')
  return [text('name'), email && `<${email}>`].filter(Boolean).join(' ') || text('sub')
}
