import { type Assay, PermissionError } from '@assay/sdk'
import { SCOPES } from '@assay/sdk/tables'
import type { Answer } from '../answer.ts'
import { connect } from '../client.ts'
import { CliError, type Context } from '../context.ts'
import { currentToken, discover, LOGIN_ENDED, loginFrom, type OAuthAnswer, postForm, request } from '../oauth.ts'
import { clientIdOf, readLogin, serviceUrl, withLoginLock, writeLogin } from '../settings.ts'
import { hanging, harmless, paintFor } from '../terminal/paint.ts'

/** `assay login`: RFC 8628. The person approves in a browser, here or on a phone; the command polls meanwhile. */

const USER_SCOPES = Object.entries(SCOPES)
  .filter(([, { user }]) => user)
  .map(([name]) => name)
  .join(' ')
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const SLOW_DOWN_MS = 5000

export async function login(context: Context, options: { browser: boolean; qr: boolean }): Promise<void> {
  const url = serviceUrl(context)
  const clientId = clientIdOf(context)
  const endpoints = await discover(context, url)
  const begun = await postForm(context, endpoints.device_authorization_endpoint, {
    client_id: clientId,
    scope: USER_SCOPES,
  })
  if (begun.status !== 200) throw refusal(begun, clientId)
  const device = readDevice(begun)
  await show(context, device, options)
  const answer = await waitForApproval(context, endpoints.token_endpoint, clientId, device)
  const held = loginFrom(answer.body, clientId, context.now())
  writeLogin(context, url, held)
  const person = await personOf(context, endpoints.userinfo_endpoint, held.access_token)
  context.stdout.write(`Signed in to ${url}${person ? ` as ${person}` : ''}.\n`)
}

type Device = ReturnType<typeof readDevice>

function readDevice({ body }: OAuthAnswer) {
  const text = (name: string) => (typeof body[name] === 'string' ? body[name] : '')
  const number = (name: string, otherwise: number) => (typeof body[name] === 'number' ? body[name] : otherwise)
  const link = text('verification_uri')
  // The link is shown to a person and opened in a browser: accept only a web address.
  if (!/^https?:\/\//.test(link) || text('device_code') === '') {
    throw new CliError('The service sent an unknown response to the login.')
  }
  const complete = text('verification_uri_complete')
  return {
    deviceCode: text('device_code'),
    userCode: harmless(text('user_code')),
    link: harmless(link),
    linkComplete: /^https?:\/\//.test(complete) ? harmless(complete) : harmless(link),
    // RFC 8628: the default interval is five seconds.
    intervalMs: number('interval', 5) * 1000,
    expiresInMs: number('expires_in', 600) * 1000,
  }
}

async function show(context: Context, device: Device, options: { browser: boolean; qr: boolean }): Promise<void> {
  const { stdout } = context
  const paint = paintFor(stdout, context.env)
  stdout.write(`Open this page and approve:\n\n  ${paint.bold(device.linkComplete)}\n\n`)
  if (options.qr && stdout.isTTY) {
    const { renderUnicodeCompact } = await import('uqr')
    const code = renderUnicodeCompact(device.linkComplete, { border: 1 })
    const widest = Math.max(...code.split('\n').map((line) => line.length))
    // A QR code that is cut in two cannot be scanned.
    if (widest <= stdout.columns) stdout.write(`${code}\n\n`)
  }
  stdout.write(`Check that it shows the code ${paint.bold(device.userCode)}\n`)
  const minutes = Math.round(device.expiresInMs / 60_000)
  stdout.write(paint.dim(`Waiting up to ${minutes} min; Ctrl-C stops.\n`))
  if (options.browser && stdout.isTTY && !context.env.SSH_CONNECTION) context.openBrowser(device.linkComplete)
}

async function waitForApproval(context: Context, tokenEndpoint: string, clientId: string, device: Device) {
  const untilMs = context.now() + device.expiresInMs
  let intervalMs = device.intervalMs
  while (context.now() < untilMs) {
    await context.sleep(intervalMs, context.interrupted)
    const answer = await postForm(context, tokenEndpoint, {
      grant_type: DEVICE_GRANT,
      client_id: clientId,
      device_code: device.deviceCode,
    })
    if (answer.status === 200) return answer
    const { error } = answer.body
    if (error === 'slow_down') intervalMs += SLOW_DOWN_MS
    else if (error === 'access_denied')
      throw new CliError('The request was denied in the browser. Nothing was changed.')
    else if (error === 'expired_token') break
    // A restarting server is no reason to start the login again.
    else if (error !== 'authorization_pending' && answer.status < 500) throw refusal(answer, clientId)
  }
  throw new CliError('Nobody approved in time. Try again: assay login')
}

function refusal({ status, body }: OAuthAnswer, clientId: string): CliError {
  if (body.error === 'invalid_client') {
    return new CliError(
      `The service does not know the application "${clientId}". Ask its operator, then: assay config set client_id …`,
    )
  }
  const said = typeof body.error_description === 'string' ? body.error_description : body.error
  return new CliError(harmless(`The service refused the login (${typeof said === 'string' ? said : status}).`))
}

/** `assay logout`. The local login is always deleted, also when the service cannot be reached. */
export async function logout(context: Context): Promise<void> {
  const url = serviceUrl(context)
  await withLoginLock(context, async () => {
    const login = readLogin(context, url)
    if (!login) {
      context.stdout.write(`Not signed in to ${url}.\n`)
      return
    }
    writeLogin(context, url, undefined)
    try {
      const { revocation_endpoint } = await discover(context, url)
      for (const token of [login.refresh_token, login.access_token]) {
        if (!token) continue
        const { status } = await postForm(context, revocation_endpoint, { token, client_id: login.client_id })
        if (status !== 200) throw new Error(`status ${status}`)
      }
      context.stdout.write(`Signed out of ${url}.\n`)
    } catch {
      context.stdout.write(`Signed out of ${url} here.\n`)
      context.stderr.write('assay: the service could not be reached; its tokens expire within 30 days.\n')
    }
  })
}

/** `assay whoami`: the credential and the service in use, whether the credential works, and who pays. */
export async function whoami(context: Context): Promise<Answer> {
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
  const lines = Object.entries(facts).map(([name, value]) => hanging(label(name), value, context.stdout.columns))
  return { value: facts, text: () => lines.join('\n') }
}

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

export async function personOf(context: Context, endpoint: string, token: string): Promise<string | undefined> {
  const { status, body } = await request(context, endpoint, { headers: { authorization: `Bearer ${token}` } })
  if (status !== 200) return undefined
  const text = (name: string) => (typeof body[name] === 'string' ? harmless(body[name]) : '')
  const email = text('email')
  return [text('name'), email && `<${email}>`].filter(Boolean).join(' ') || text('sub')
}
