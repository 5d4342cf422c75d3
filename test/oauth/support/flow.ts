import { hash, randomBytes } from 'node:crypto'
import type { Client } from '../../../src/identity/clients/clients.ts'
import type { Person } from '../../../src/identity/people/people.ts'
import { answerPages, type Browser } from './browser.ts'
import { PASSWORD } from './server.ts'

/** All these need of a server. */
interface TestServer {
  readonly url: string
}

/** The protocol by hand, for what a well-behaved client library would never send. */
export type Form = Readonly<Record<string, string>>

export interface OAuthAnswer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  readonly json: any
  readonly text: string
}

export async function send(url: string, init: RequestInit = {}): Promise<OAuthAnswer> {
  const response = await fetch(url, { redirect: 'manual', ...init })
  const text = await response.text()
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    json = undefined
  }
  return { status: response.status, headers: response.headers, text, json }
}

export function postForm(url: string, form: Form, headers: Record<string, string> = {}): Promise<OAuthAnswer> {
  return send(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
  })
}

export const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})

export interface App {
  readonly client: Client
  readonly secret: string
}

/** How this client proves itself in a form. */
export const credentials = ({ client, secret }: App): Form =>
  secret === '' ? { client_id: client.id } : { client_id: client.id, client_secret: secret }

export function tokenRequest(server: TestServer, app: App, form: Form): Promise<OAuthAnswer> {
  return postForm(`${server.url}/oauth/token`, { ...credentials(app), ...form })
}

export function newVerifier(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: hash('sha256', verifier, 'base64url') }
}

export function authorizeUrl(server: TestServer, app: App, parameters: Form & { challenge: string }): string {
  const { challenge, ...rest } = parameters
  const query = new URLSearchParams({
    client_id: app.client.id,
    response_type: 'code',
    redirect_uri: app.client.redirect_uris[0] ?? '',
    scope: 'openid risk:payment',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...rest,
  })
  for (const [name, value] of [...query]) if (value === '') query.delete(name)
  return `${server.url}/oauth/authorize?${query}`
}

/** Goes through the pages; returns what came back to the application. */
export async function authorize(
  server: TestServer,
  app: App,
  person: Person,
  browser: Browser,
  parameters: Form = {},
): Promise<{ callback: URLSearchParams; verifier: string; pages: string[]; location: string }> {
  const { verifier, challenge } = newVerifier()
  const end = await answerPages(browser, authorizeUrl(server, app, { challenge, ...parameters }), {
    email: person.email,
    password: PASSWORD,
  })
  return { callback: new URL(end.location).searchParams, verifier, pages: end.pages, location: end.location }
}

export function exchange(
  server: TestServer,
  app: App,
  authorized: { readonly callback: URLSearchParams; readonly verifier: string },
): Promise<OAuthAnswer> {
  return tokenRequest(server, app, {
    grant_type: 'authorization_code',
    code: authorized.callback.get('code') ?? '',
    redirect_uri: app.client.redirect_uris[0] ?? '',
    code_verifier: authorized.verifier,
  })
}

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

export function beginDevice(server: TestServer, app: App, form: Form = {}): Promise<OAuthAnswer> {
  return postForm(`${server.url}/oauth/device_authorization`, {
    client_id: app.client.id,
    scope: 'openid risk:payment',
    ...form,
  })
}

export function poll(server: TestServer, app: App, deviceCode: string): Promise<OAuthAnswer> {
  return postForm(`${server.url}/oauth/token`, {
    grant_type: DEVICE_GRANT,
    client_id: app.client.id,
    device_code: deviceCode,
  })
}

/** The steps of a person on the device pages up to the first decision. */
export async function decideDevice(
  browser: Browser,
  userCode: string,
  decision: 'allow' | 'deny',
): Promise<OAuthAnswer & { redirectTo: string }> {
  const { csrf } = (await (await browser.fetch('/api/device')).json()) as { csrf: string }
  const response = await browser.post('/api/device/confirm', csrf, { user_code: userCode, decision })
  const text = await response.text()
  const json = JSON.parse(text)
  return { status: response.status, headers: response.headers, text, json, redirectTo: json.redirect_to ?? '' }
}

export async function approveDevice(
  browser: Browser,
  userCode: string,
  person: Person,
  decision: 'allow' | 'deny' = 'allow',
): Promise<string> {
  const { redirectTo } = await decideDevice(browser, userCode, 'allow')
  const end = await answerPages(browser, redirectTo, { email: person.email, password: PASSWORD, decision })
  return end.location
}
