import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as client from 'openid-client'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '../../src/access/roles.ts'
import type { Sql } from '../../src/db/sql.ts'
import {
  newClient,
  newOrganisation,
  newPerson,
  PASSWORD,
  startServer,
  type TestServer,
} from '../oauth/support/server.ts'
import { openAccountMenu, seriousFindingsOfState, startBrowser, type Visit, visitAgain } from '../support/browser.ts'
import { FULL } from '../support/full.ts'
import { createMigratedPlace, openPlace } from '../support/stores.ts'

/** The whole way: a real server, a real browser, a standard client library as the application. */

const insecure = { execute: [client.allowInsecureRequests] }
let browser: Browser
let sql: Sql
let server: TestServer
let application: Server
let callback: string
let removeStore: () => Promise<void>
const visits: Visit[] = []

beforeAll(async () => {
  const { place, remove } = await createMigratedPlace('sqlite')
  removeStore = remove
  sql = await openPlace(place)
  application = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Back in the application</title>')
  })
  await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve))
  callback = `http://127.0.0.1:${(application.address() as AddressInfo).port}/callback`
  ;[browser, server] = await Promise.all([startBrowser(), startServer(sql)])
})
afterAll(async () => {
  await server?.close()
  application?.close()
  await sql?.close()
  await removeStore?.()
})
afterEach(async () => {
  const complaints = visits.flatMap((each) => each.complaints)
  await Promise.all(visits.splice(0).map((each) => each.close()))
  expect(complaints).toEqual([])
})

async function newVisitor(): Promise<Page> {
  const opened = await visitAgain(browser)
  visits.push(opened)
  return opened.page
}

async function typeCredentials(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email address').and(page.locator(':focus')).waitFor()
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
}

const charged = async (token: string) =>
  (await fetch(`${server.url}/guarded/risk:payment`, { headers: { authorization: `Bearer ${token}` } })).json()

describe('authorization code in a browser', () => {
  async function begin(scope = 'openid email risk:payment', role: Role = 'developer') {
    const organisations = [await newOrganisation(sql, 'Northern Branch'), await newOrganisation(sql, 'Southern Branch')]
    const [own] = organisations
    if (!own) throw new Error('no organisation')
    const { client: app } = await newClient(sql, own.id, {
      kind: 'native',
      name: 'Invoice Desk',
      redirect_uris: [callback],
    })
    const person = await newPerson(sql, organisations, role)
    const config = await client.discovery(new URL(server.url), app.id, undefined, client.None(), insecure)
    const verifier = client.randomPKCECodeVerifier()
    const state = client.randomState()
    const start = client.buildAuthorizationUrl(config, {
      redirect_uri: callback,
      scope,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    })
    return { organisations, app, person, config, verifier, state, start }
  }

  it('a person signs in and consents with the keyboard alone, and the organisation they picked is charged', async () => {
    const { organisations, person, config, verifier, state, start } = await begin()
    const page = await newVisitor()
    await page.goto(start.href)
    await page.getByText('To continue to Invoice Desk').waitFor()
    expect(await seriousFindingsOfState(page)).toEqual([])
    await typeCredentials(page, person.email)

    await page.getByRole('heading', { name: 'Allow Invoice Desk?' }).waitFor()
    expect(await page.getByRole('listitem').allTextContents()).toEqual([
      'Check email addresses before payments',
      'Know who you are',
      'See your email address',
    ])
    expect(await page.getByRole('main').innerText()).toContain(new URL(callback).host)
    expect(await seriousFindingsOfState(page)).toEqual([])
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    expect(await page.getByRole('radio', { name: 'Southern Branch' }).isChecked()).toBe(true)
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Use another account')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Allow')
    await page.keyboard.press('Enter')

    await page.waitForURL(`${callback}**`)
    const tokens = await client.authorizationCodeGrant(config, new URL(page.url()), {
      pkceCodeVerifier: verifier,
      expectedState: state,
    })
    expect(tokens.claims()?.sub).toBe(person.id)
    expect(await charged(tokens.access_token)).toMatchObject({ organisation: organisations[1]?.id, user: person.id })
  })

  it.runIf(FULL)('the page says what a role does not allow, and the application gets the rest', async () => {
    const { person, config, verifier, state, start } = await begin('openid email risk:payment', 'viewer')
    const page = await newVisitor()
    await page.goto(start.href)
    await typeCredentials(page, person.email)
    await page.getByRole('radio', { name: 'Northern Branch' }).check()
    const said = 'Your role viewer in Northern Branch does not allow: Check email addresses before payments.'
    await page.getByText(said).waitFor()
    expect(await seriousFindingsOfState(page)).toEqual([])
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`${callback}**`)
    const tokens = await client.authorizationCodeGrant(config, new URL(page.url()), {
      pkceCodeVerifier: verifier,
      expectedState: state,
    })
    expect(tokens.scope?.split(' ').sort()).toEqual(['email', 'openid'])
  })

  it.runIf(FULL)('a role that allows nothing of what is asked for is told to ask an owner', async () => {
    const { person, start } = await begin('risk:payment', 'viewer')
    const page = await newVisitor()
    await page.goto(start.href)
    await typeCredentials(page, person.email)
    await page.getByRole('radio', { name: 'Northern Branch' }).check()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('alert').getByText('Ask an owner for another role').waitFor()
  })

  it.runIf(FULL)('a wrong password is said in plain words, and the right one goes on', async () => {
    const { person, start } = await begin()
    const page = await newVisitor()
    await page.goto(start.href)
    await typeCredentials(page, person.email, 'not the password')
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').innerText()).toMatch(/Request req_/)
    expect(await page.getByRole('alert').innerText()).not.toContain(person.email)
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Allow Invoice Desk?' }).waitFor()
  })

  it.runIf(FULL)('refusing tells the application so', async () => {
    const { person, state, start } = await begin()
    const page = await newVisitor()
    await page.goto(start.href)
    await typeCredentials(page, person.email)
    await page.getByRole('button', { name: 'Refuse' }).click()
    await page.waitForURL(`${callback}**`)
    const answer = new URL(page.url()).searchParams
    expect(answer.get('error')).toBe('access_denied')
    expect(answer.get('state')).toBe(state)
    expect(answer.has('code')).toBe(false)
  })

  it.runIf(FULL)('the Back button after consent shows that the request has ended, not a form', async () => {
    const { person, start } = await begin()
    const page = await newVisitor()
    await page.goto(start.href)
    await typeCredentials(page, person.email)
    await page.getByRole('radio', { name: 'Northern Branch' }).check()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`${callback}**`)
    await page.goBack()
    await page.getByRole('heading', { name: 'This request has ended' }).waitFor()
    expect(await page.getByRole('button', { name: 'Allow' }).count()).toBe(0)
  })

  it.runIf(FULL)('an unregistered redirect_uri ends on an error page of ours', async () => {
    const { start } = await begin()
    start.searchParams.set('redirect_uri', 'https://evil.example/callback')
    const page = await newVisitor()
    const answer = await page.goto(start.href)
    expect(answer?.status()).toBe(400)
    await page.getByRole('heading', { name: 'This application is not set up right' }).waitFor()
    expect(page.url()).toBe(start.href)
    expect(await page.getByText(/^Request req_/).isVisible()).toBe(true)
    expect(await seriousFindingsOfState(page)).toEqual([])
  })

  it.runIf(FULL)(
    'a sign-out that an application asks for wrongly ends on a page that leads to the right one',
    async () => {
      const { person, start } = await begin()
      const page = await newVisitor()
      await page.goto(start.href)
      await typeCredentials(page, person.email)
      await page.getByRole('heading', { name: 'Allow Invoice Desk?' }).waitFor()
      const answer = await page.goto(`${server.url}/oauth/logout?id_token_hint=nonsense`)
      expect(answer?.status()).toBe(400)
      await page.getByRole('heading', { name: 'You may still be signed in' }).waitFor()
      await page.getByText('could not decode id_token_hint').waitFor()
      expect(await seriousFindingsOfState(page)).toEqual([])
      await page.getByRole('link', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
    },
  )

  it('signing out asks first, and ends on a page that says so', async () => {
    const { person, start } = await begin()
    const page = await newVisitor()
    await page.goto(start.href)
    await typeCredentials(page, person.email)
    await page.getByRole('heading', { name: 'Allow Invoice Desk?' }).waitFor()
    await page.goto(`${server.url}/oauth/logout`)
    expect(await seriousFindingsOfState(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
    await page.goto(start.href)
    await page.getByLabel('Email address').waitFor()
  })
})

describe('device flow in a browser', () => {
  async function begin() {
    const organisation = await newOrganisation(sql, 'Northern Branch')
    const { client: app } = await newClient(sql, organisation.id, {
      kind: 'native',
      name: 'Night Batch',
      redirect_uris: [],
    })
    const person = await newPerson(sql, [organisation])
    const config = await client.discovery(new URL(server.url), app.id, undefined, client.None(), insecure)
    const device = await client.initiateDeviceAuthorization(config, { scope: 'risk:payment' })
    const poll = () => client.pollDeviceAuthorizationGrant(config, { ...device, interval: 0 })
    return { organisation, person, device, poll }
  }

  it('the complete link, sign-in and consent connect the device', async () => {
    const { organisation, person, device, poll } = await begin()
    const page = await newVisitor()
    await page.goto(device.verification_uri_complete ?? '')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Is this your device?' }).waitFor()
    expect(await page.getByRole('main').innerText()).toContain(device.user_code)
    expect(await page.getByText('Night Batch').isVisible()).toBe(true)
    expect(await seriousFindingsOfState(page)).toEqual([])
    await page.getByRole('button', { name: 'Yes, continue' }).click()
    await typeCredentials(page, person.email)
    await page.getByText('By Northern Branch, your organisation').waitFor()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'Your device is connected' }).waitFor()
    const tokens = await poll()
    expect(await charged(tokens.access_token)).toMatchObject({ organisation: organisation.id, user: person.id })
  })

  it.runIf(FULL)('the code typed in lower case without its dash can be refused, once and for all', async () => {
    const { device, poll } = await begin()
    const page = await newVisitor()
    const typed = device.user_code.toLowerCase().replace('-', '')
    await page.goto(device.verification_uri)
    await page.getByLabel('Code').waitFor()
    await page.keyboard.type(typed)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Refuse' }).click()
    await page.getByRole('heading', { name: 'Refused' }).waitFor()
    await expect(poll()).rejects.toMatchObject({ error: 'access_denied' })
    await page.goto(`${device.verification_uri}?user_code=${typed}`)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('alert').waitFor()
  })

  it.runIf(FULL)('refusing at consent tells the device so too', async () => {
    const { person, device, poll } = await begin()
    const page = await newVisitor()
    await page.goto(device.verification_uri_complete ?? '')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Yes, continue' }).click()
    await typeCredentials(page, person.email)
    await page.getByRole('heading', { name: 'Allow Night Batch?' }).waitFor()
    await page.getByRole('button', { name: 'Refuse' }).click()
    await page.getByRole('heading', { name: 'Refused' }).waitFor()
    await expect(poll()).rejects.toMatchObject({ error: 'access_denied' })
  })
})

describe('the console session in a browser', () => {
  it.runIf(FULL)('lasts over a reload and ends with signing out', async () => {
    const person = await newPerson(sql, [await newOrganisation(sql, 'Northern Branch')])
    const page = await newVisitor()
    await page.goto(`${server.url}/console`)
    await typeCredentials(page, person.email)
    await page.getByText('Northern Branch').waitFor()
    await page.reload()
    await page.getByText('Northern Branch').waitFor()
    expect(await page.evaluate<string>('document.cookie')).toBe('')
    expect(await seriousFindingsOfState(page)).toEqual([])
    await (await openAccountMenu(page)).getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Email address').waitFor()
    await page.goto(`${server.url}/console`)
    await page.getByLabel('Email address').waitFor()
  })
})
