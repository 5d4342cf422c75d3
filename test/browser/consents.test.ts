import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import * as client from 'openid-client'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import { changeIn } from '../../src/db/sql.ts'
import { createClient } from '../../src/identity/clients/clients.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { seriousFindingsOfState } from '../support/browser.ts'
import { makeCertificate } from '../support/certificates.ts'
import { type ConsoleTest, startConsole } from '../support/console.ts'
import { FULL } from '../support/full.ts'
import { PASSWORD, type SignedIn } from '../support/people.ts'

/** Two organisations in a browser: an application of one, people of the other, a standard library as the application. */

/** The application's certificate is its own word. */
const trusting = { ignoreHTTPSErrors: true }
const insecure = { execute: [client.allowInsecureRequests] }
let test: ConsoleTest
let acme: string
let beta: string
let application: Server
let callback: string

beforeAll(async () => {
  const dayMs = 86_400_000
  const { key, cert } = makeCertificate({
    names: ['localhost'],
    notBeforeMs: Date.now() - dayMs,
    notAfterMs: Date.now() + dayMs,
  })
  application = createServer({ key, cert }, (_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Back in the application</title>')
  })
  await new Promise<void>((resolve) => application.listen(0, 'localhost', resolve))
  callback = `https://localhost:${(application.address() as AddressInfo).port}/callback`
  test = await startConsole()
  acme = (await test.server.organisation({ name: 'Acme Ltd' })).id
  beta = (await test.server.organisation({ name: 'Beta GmbH' })).id
})
afterAll(async () => {
  await test?.close()
  application?.close()
})
afterEach(async () => expect(await test.leave()).toEqual([]))

async function newApplication(name: string) {
  const request = {
    kind: 'web',
    name,
    scopes: ['openid', 'email', 'offline_access', 'risk:payment', 'risk:bulk'],
    redirect_uris: [callback],
    policy_uri: 'https://beta.example/privacy',
    terms_uri: 'https://beta.example/terms',
  }
  const made = await changeIn(test.sql, systemClock, (tx) =>
    createClient(tx, operatorIn(beta), request, { production: true }),
  )
  const config = await client.discovery(
    new URL(test.server.url),
    made.client.id,
    made.secret ?? '',
    undefined,
    insecure,
  )
  async function begin(page: Page, parameters: Record<string, string> = {}) {
    const verifier = client.randomPKCECodeVerifier()
    const start = client.buildAuthorizationUrl(config, {
      redirect_uri: callback,
      scope: 'openid email risk:payment risk:bulk',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...parameters,
    })
    await page.goto(start.href)
    return async () => {
      await page.waitForURL(`${callback}**`)
      return client.authorizationCodeGrant(config, new URL(page.url()), { pkceCodeVerifier: verifier })
    }
  }
  return { id: made.client.id, begin }
}

const answersTo = async (token: string) =>
  (
    await test.server.post('/v1/payment-risk', { email: 'a@company.example' }, undefined, {
      authorization: `Bearer ${token}`,
    })
  ).status

async function typeCredentials(page: Page, { email }: Pick<SignedIn, 'email'>): Promise<void> {
  await page.getByLabel('Email address').and(page.locator(':focus')).waitFor()
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
}

it('the page tells whose application asks, what weighs, how long, where to withdraw; the person withdraws it there', async () => {
  const app = await newApplication('Ledger Sync')
  const person = await test.member(acme, 'developer')
  const page = await test.open(person, '/console', trusting)
  const end = await app.begin(page, { scope: 'openid email offline_access risk:payment risk:bulk' })
  await page.getByRole('heading', { name: 'Allow Ledger Sync?' }).waitFor()
  await page.getByText('By Beta GmbH, not your organisation').waitFor()
  for (const name of ['Spend money', 'About you', 'Stay connected for 90 days']) {
    expect(await page.getByRole('heading', { name, exact: true }).count(), name).toBe(1)
  }
  const main = await page.getByRole('main').innerText()
  expect(main).toContain('Each check is charged to the organisation you choose')
  expect(main).toContain(new URL(callback).host)
  expect(await page.getByRole('link', { name: 'Privacy policy of Ledger Sync' }).getAttribute('href')).toBe(
    'https://beta.example/privacy',
  )
  expect(await page.getByRole('link', { name: 'Terms of Ledger Sync' }).getAttribute('href')).toBe(
    'https://beta.example/terms',
  )
  expect(await page.getByRole('link', { name: 'Account → Connected applications' }).getAttribute('href')).toBe(
    '/console/account',
  )
  expect(await seriousFindingsOfState(page)).toEqual([])
  await page.getByRole('button', { name: 'Allow' }).click()
  const tokens = await end()
  expect(await answersTo(tokens.access_token)).toBe(200)

  await page.goto(`${test.server.url}/console/account`)
  const row = page.getByRole('row', { name: /Ledger Sync/ })
  await row.getByText('By Beta GmbH, not your organisation').waitFor()
  expect(await row.innerText()).toContain('Acme Ltd')
  expect(await row.innerText()).toContain('Check whole lists')
  expect(await seriousFindingsOfState(page)).toEqual([])
  await row.getByRole('button', { name: 'Withdraw' }).click()
  await row.getByRole('button', { name: 'Yes, withdraw' }).click()
  await page.getByText('None yet. Applications that you give access').waitFor()
  expect(await answersTo(tokens.access_token)).toBe(401)

  await app.begin(page)
  await page.getByRole('heading', { name: 'Allow Ledger Sync?' }).waitFor()
})

it.runIf(FULL)(
  'what was allowed is remembered in a second browser, and asked for again once an owner has withdrawn it',
  async () => {
    const app = await newApplication('Night Batch')
    const owner = await test.member(acme, 'owner')
    const person = await test.member(acme, 'developer')
    const first = await test.stranger('/sign-in', trusting)
    const end = await app.begin(first)
    await typeCredentials(first, person)
    await first.getByRole('button', { name: 'Allow' }).click()
    const { access_token: token } = await end()

    const second = await test.stranger('/sign-in', trusting)
    const silently = await app.begin(second)
    await typeCredentials(second, person)
    expect((await silently()).claims()?.sub).toBe(person.id)

    const members = await test.open(owner, '/console/members')
    const row = members.getByRole('row', { name: /Night Batch/ })
    await row.getByText('by Beta GmbH, not your organisation').waitFor()
    expect(await seriousFindingsOfState(members)).toEqual([])
    await row.getByRole('button', { name: 'Withdraw' }).click()
    await row.getByRole('button', { name: 'Yes, withdraw' }).click()
    await row.waitFor({ state: 'detached' })
    expect(await answersTo(token)).toBe(401)
    await members.goto(`${test.server.url}/console/audit`)
    await members.getByText(/withdrew the consent of .* to the application “Night Batch”/).waitFor()

    for (const page of [first, second]) {
      await app.begin(page)
      await page.getByRole('heading', { name: 'Allow Night Batch?' }).waitFor()
    }
  },
)

it.runIf(FULL)(
  'select_account: the present account or another; on the consent page another account can be used too',
  async () => {
    const app = await newApplication('Audit Desk')
    const [ada, bob] = [await test.member(acme, 'developer'), await test.member(acme, 'developer')]
    const page = await test.open(ada, '/console', trusting)
    const first = await app.begin(page, { prompt: 'select_account' })
    await page.getByRole('heading', { name: 'Choose an account' }).waitFor()
    expect(await seriousFindingsOfState(page)).toEqual([])
    await page.getByRole('button', { name: `(${ada.email})` }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    expect((await first()).claims()?.sub).toBe(ada.id)

    const second = await app.begin(page, { prompt: 'select_account' })
    await page.getByRole('button', { name: 'Another account' }).click()
    await page.getByText(`signs ${ada.email} out of this browser`).waitFor()
    expect(await seriousFindingsOfState(page)).toEqual([])
    await page.getByRole('button', { name: `Back, as ${ada.email}` }).click()
    await page.getByRole('button', { name: 'Another account' }).click()
    await typeCredentials(page, bob)
    await page.getByText(bob.email).waitFor()
    await page.getByRole('button', { name: 'Use another account' }).click()
    await typeCredentials(page, ada)
    // She has allowed it before.
    expect((await second()).claims()?.sub).toBe(ada.id)
  },
)

it.runIf(FULL)(
  'the device page tells where, when and with what it was asked for, and whose application it is',
  async () => {
    const request = { kind: 'native', name: 'Till', scopes: ['openid', 'risk:payment'], redirect_uris: [] }
    const made = await changeIn(test.sql, systemClock, (tx) =>
      createClient(tx, operatorIn(beta), request, { production: true }),
    )
    const asked = await fetch(`${test.server.url}/oauth/device_authorization`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'till/2.1' },
      body: new URLSearchParams({ client_id: made.client.id, scope: 'openid risk:payment' }).toString(),
    })
    const { verification_uri_complete: address } = (await asked.json()) as { verification_uri_complete: string }
    const person = await test.member(acme, 'developer')
    const page = await test.open(person, '/console', trusting)
    await page.goto(address)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('By Beta GmbH, not your organisation').waitFor()
    const main = await page.getByRole('main').innerText()
    expect(main).toMatch(/Asked from\s+(::1|127\.0\.0\.1)/)
    expect(main).toMatch(/When\s+just now/)
    expect(main).toMatch(/With\s+till\/2\.1/)
    expect(await seriousFindingsOfState(page)).toEqual([])
  },
)

it.runIf(FULL)(
  'names in any script are isolated, and one that turns the writing is refused with a sentence',
  async () => {
    const organisation = await test.server.organisation({ name: 'שלום Ltd' })
    const person = await test.member(organisation.id, 'owner')
    const page = await test.open(person, '/console/keys')
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Purpose').fill('Acme\u202EdtL')
    await page.getByRole('button', { name: 'Create the key' }).click()
    await page.getByText('changes the direction of writing (U+202E)').waitFor()
    const name = `مفتاح ${randomUUID().slice(0, 8)}`
    await page.getByLabel('Purpose').fill(name)
    await page.getByRole('button', { name: 'Create the key' }).click()
    await page.locator('bdi', { hasText: name }).waitFor()
    expect(await page.locator('bdi', { hasText: 'שלום Ltd' }).count()).toBeGreaterThan(0)
  },
)
