import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newPerson, PASSWORD } from '../oauth/support/server.ts'
import { type Service, startService } from '../sdk/service.ts'
import { startBrowser, type Visit, visitAgain } from '../support/browser.ts'
import { FULL } from '../support/full.ts'
import { assay, createHome, everyLine, type Home, startInTerminal } from './assay.ts'

/** The device login against the real provider, approved by a person in a real browser. */

let browser: Browser
let service: Service
let home: Home
let env: Record<string, string>
const visits: Visit[] = []
beforeAll(async () => {
  ;[browser, service] = await Promise.all([startBrowser(), startService({ lifetimes: { deviceIntervalSeconds: 1 } })])
  env = { ASSAY_URL: service.server.url }
})
afterAll(async () => {
  await service?.stop()
})
beforeEach(() => {
  home = createHome()
})
afterEach(async () => {
  await Promise.all(visits.splice(0).map((each) => each.close()))
  home.remove()
})

async function personOfNewOrganisation() {
  const organisation = await service.server.organisation({ creditPence: 100 })
  return { organisation, person: await newPerson(service.sql, [organisation]) }
}

/** The steps of a person with the link. */
async function decide(link: string, email: string, decision: 'Allow' | 'Refuse'): Promise<void> {
  const opened = await visitAgain(browser)
  visits.push(opened)
  const { page } = opened
  await page.goto(link)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Assay command line').first().waitFor()
  await page.getByRole('button', { name: 'Yes, continue' }).click()
  await page.getByLabel('Email address').and(page.locator(':focus')).waitFor()
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: decision }).click()
  await page.getByRole('heading', { name: decision === 'Allow' ? 'Your device is connected' : 'Refused' }).waitFor()
}

const LINK = /https?:\/\/\S+user_code=\S+/

describe('assay login', () => {
  it.each(FULL ? [80, 40] : [40])(
    'in a terminal of %i columns: link, QR code, approval in a browser, then checks by login',
    async (columns) => {
      const { organisation, person } = await personOfNewOrganisation()
      const terminal = startInTerminal(['login', '--no-browser'], home, { env, columns })
      await terminal.shows(/Ctrl-C stops/)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours end where the link does
      const link = LINK.exec(terminal.seen())?.[0].replace(/\u001b.*$/, '') ?? ''
      expect(terminal.seen()).toMatch(/[█▀▄]/)
      expect(terminal.seen()).toContain(new URL(link).searchParams.get('user_code')!)
      const lines = everyLine(terminal.seen()).filter((line) => !LINK.test(line))
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns)
      await decide(link, person.email, 'Allow')
      expect(await terminal.ended).toBe(0)
      expect(terminal.seen().replace(/\s+/g, ' ')).toContain(`as Pat Example <${person.email}>`)

      const file = home.path('.config/assay/credentials.json')
      expect(statSync(file).mode & 0o777).toBe(0o600)
      const who = JSON.parse((await assay(['whoami', '--json'], { home, env })).stdout)
      expect(who).toMatchObject({
        signed_in_by: 'login',
        person: `Pat Example <${person.email}>`,
        organisation_id: organisation.id,
      })
      writeFileSync(home.path('list.txt'), '2a00:1450::1\n2a00:1450::2')
      const quoted = await assay(['bulk', home.path('list.txt')], { home, env })
      expect(quoted.stderr).toContain('2 rows: 2 distinct. At most £0.02 (£0.02 from credit).')
      expect((await assay(['check', '2a00:1450::1'], { home, env })).code).toBe(0)
      expect(await service.billedUnits(organisation.id)).toBe(1)
      const denied = await assay(['usage'], { home, env })
      expect(denied).toMatchObject({ code: 1, stdout: '' })
      expect(denied.stderr).toMatch(/billing:read.*API key/)
    },
  )

  it('renews the token, once even when many commands need it, and logout ends it on the server', async () => {
    const { person } = await personOfNewOrganisation()
    await signIn(person.email)
    const file = home.path('.config/assay/credentials.json')
    const held = () => JSON.parse(readFileSync(file, 'utf8'))[service.server.url]
    const before = held()
    const later = () => Date.now() + 3600_000
    const codes = await Promise.all(
      [1, 2, 3].map(
        async () => (await assay(['check', '2a00:1450::1'], { home, env, now: later, sleep: (ms) => delay(ms) })).code,
      ),
    )
    expect(codes).toEqual([0, 0, 0])
    const after = held()
    expect(after.access_token).not.toBe(before.access_token)
    expect(after.refresh_token).not.toBe(before.refresh_token)
    const bearer = (token: string) =>
      service.server.send('/v1/infrastructure-risk', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{"ip":"10.0.0.1"}',
      })
    expect((await bearer(after.access_token)).status).toBe(200)
    const out = await assay(['logout'], { home, env })
    expect(out).toMatchObject({ code: 0, stderr: '' })
    expect((await bearer(after.access_token)).status).toBe(401)
    expect((await assay(['check', '2a00:1450::1'], { home, env })).stderr).toMatch(/Not signed in/)
    expect((await assay(['logout'], { home, env })).stdout).toMatch(/Not signed in/)
  })

  it.runIf(FULL)('a login revoked elsewhere: one line, what to do, exit 1', async () => {
    const { person } = await personOfNewOrganisation()
    await signIn(person.email)
    await service.sql.query('delete from oauth_record where person_id = $1', [person.id])
    const result = await assay(['check', '2a00:1450::1'], { home, env, now: () => Date.now() + 3600_000 })
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toBe('assay: The login is no longer valid. Sign in again: assay login\n')
  })

  it.runIf(FULL)('a refusal in the browser, and an application the service does not know', async () => {
    const { person } = await personOfNewOrganisation()
    const terminal = startInTerminal(['login', '--no-browser', '--no-qr'], home, { env, columns: 80 })
    await terminal.shows(/Ctrl-C stops/)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours end where the link does
    await decide(LINK.exec(terminal.seen())?.[0].replace(/\u001b.*$/, '') ?? '', person.email, 'Refuse')
    expect(await terminal.ended).toBe(1)
    expect(terminal.seen()).toContain('denied in the browser')
    await assay(['config', 'set', 'client_id', 'nobody'], { home, env })
    const unknown = await assay(['login'], { home, env })
    expect(unknown.stderr).toMatch(/does not know the application "nobody"/)
  })

  it('Ctrl-C while waiting leaves nothing behind', async () => {
    const terminal = startInTerminal(['login', '--no-browser'], home, { env, columns: 80 })
    await terminal.shows(/Ctrl-C stops/)
    terminal.type('\u0003')
    expect(await terminal.ended).toBe(130)
    expect(() => statSync(home.path('.config/assay/credentials.json'))).toThrow()
  })

  async function signIn(email: string): Promise<void> {
    const terminal = startInTerminal(['login', '--no-browser', '--no-qr'], home, { env, columns: 120 })
    await terminal.shows(/Ctrl-C stops/)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours end where the link does
    await decide(LINK.exec(terminal.seen())?.[0].replace(/\u001b.*$/, '') ?? '', email, 'Allow')
    expect(await terminal.ended).toBe(0)
  }
})
