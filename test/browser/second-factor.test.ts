import { Secret, TOTP } from 'otpauth'
import type { CDPSession, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { openAccountMenu, overflowPx, seriousFindingsOfState } from '../support/browser.ts'
import { type ConsoleTest, startConsole } from '../support/console.ts'
import { FULL } from '../support/full.ts'
import { PASSWORD, type SignedIn } from '../support/people.ts'

let console: ConsoleTest

beforeAll(async () => {
  console = await startConsole()
})
afterAll(() => console?.close())
afterEach(async () => {
  expect(await console.leave()).toEqual([])
})

const PHONE = { width: 380, height: 800 }

/** A device that makes and uses passkeys by itself, as after a finger on its sensor. */
async function addAuthenticator(page: Page): Promise<{ cdp: CDPSession; id: string }> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { cdp, id: authenticatorId }
}

/** From now on the address field offers no passkeys, and the page remembers what it signals to the browser. */
async function offersNothing(page: Page): Promise<void> {
  const script = `PublicKeyCredential.isConditionalMediationAvailable = async () => false
    PublicKeyCredential.signalUnknownCredential = async (told) => { window.told = told }`
  await page.addInitScript(script)
  await page.evaluate(script)
}

async function somebody(): Promise<{ organisationId: string; person: SignedIn }> {
  const { id } = await console.server.organisation({ name: 'Example Ltd', creditPence: 1000 })
  return { organisationId: id, person: await console.member(id) }
}

async function keepRecoveryCodes(page: Page): Promise<string[]> {
  const dialog = page.getByRole('dialog', { name: 'Your recovery codes' })
  const text = await dialog.getByLabel('Recovery codes', { exact: true }).innerText()
  await dialog.getByRole('button', { name: 'I have saved them' }).click()
  await dialog.waitFor({ state: 'hidden' })
  return text.trim().split('\n')
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name of the new passkey').fill(name)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
}

async function pressSignOut(page: Page): Promise<void> {
  const menu = await openAccountMenu(page)
  await menu.getByRole('button', { name: 'Sign out' }).click()
}

async function signOut(page: Page): Promise<void> {
  await pressSignOut(page)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
}

/** The console is there, at whichever page. */
async function isIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: / account menu$/ }).waitFor()
}

async function givePassword(page: Page, { email }: SignedIn): Promise<void> {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const codeOf = (secret: string, atMs = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: atMs })

/** One-time codes by the page; returns what the app would know, and the recovery codes. */
async function setUpCodes(page: Page): Promise<{ secret: string; recoveryCodes: string[] }> {
  await page.getByRole('button', { name: 'Set up one-time codes' }).click()
  const secret = (await page.getByLabel('Text for the app', { exact: true }).innerText()).trim()
  await page.getByRole('img', { name: 'QR code for the app' }).waitFor()
  expect(await seriousFindingsOfState(page)).toEqual([])
  await page.getByLabel('The code that the app shows now').fill(codeOf(secret))
  await page.getByRole('button', { name: 'Confirm' }).click()
  return { secret, recoveryCodes: await keepRecoveryCodes(page) }
}

it('a passkey is added, signs in alone, and is renamed and removed', async () => {
  const { person } = await somebody()
  const page = await console.open(person, '/console/account', { fresh: true })
  const { cdp, id } = await addAuthenticator(page)
  await page.getByText('You have no passkey yet.').waitFor()
  expect(await seriousFindingsOfState(page)).toEqual([])
  await addPasskey(page, 'My laptop')
  expect(await keepRecoveryCodes(page)).toHaveLength(10)
  await page.getByRole('row', { name: 'My laptop alone' }).waitFor()
  await page.getByText('10 are left.').waitFor()
  expect(await seriousFindingsOfState(page)).toEqual([])
  // The same device offers no second one for the same account.
  await addPasskey(page, 'Once more')
  await page.getByText('This device already has a passkey for your account.').waitFor()

  // The device confirms at once what the address field offers.
  const signsIn = page.waitForResponse((answer) => answer.url().endsWith('/api/session/passkey') && answer.ok())
  await pressSignOut(page)
  await signsIn
  await isIn(page)
  await offersNothing(page)
  await signOut(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await isIn(page)
  const session = await page.evaluate<{ user: { id: string }; second_factor: object }>(
    `fetch('/api/session').then((answer) => answer.json())`,
  )
  expect([session.user.id, session.second_factor]).toMatchObject([person.id, { given: true }])

  await page.goto(`${console.server.url}/console/account`)
  await page.getByRole('button', { name: 'Rename My laptop' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename the passkey' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Old laptop')
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('cell', { name: 'Old laptop', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Yes, remove' }).click()
  await page.getByText('You have no passkey yet.').waitFor()
  await page.getByText('You get ten codes').waitFor()

  if (!FULL) return
  // A removed passkey opens nothing, and a device without a passkey says so.
  const [held] = (await cdp.send('WebAuthn.getCredentials', { authenticatorId: id })).credentials
  const credentialId = Buffer.from(held?.credentialId ?? '', 'base64').toString('base64url')
  await expect.poll(() => page.evaluate('window.told')).toEqual({ rpId: 'localhost', credentialId })
  await signOut(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByText('This passkey was not accepted.').waitFor()
  await cdp.send('WebAuthn.clearCredentials', { authenticatorId: id })
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByText('Nothing was confirmed').waitFor()
})

it.runIf(FULL)('a passkey that another origin made is not known here', async () => {
  const { person } = await somebody()
  const page = await console.open(person, '/console/account', { fresh: true })
  const { cdp, id } = await addAuthenticator(page)
  await addPasskey(page, 'My laptop')
  await keepRecoveryCodes(page)
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId: id })
  expect(credentials.map(({ rpId }) => rpId)).toEqual(['localhost'])
  // The same key, but made for another server: the browser does not offer it to this one.
  await cdp.send('WebAuthn.clearCredentials', { authenticatorId: id })
  for (const credential of credentials) {
    await cdp.send('WebAuthn.addCredential', {
      authenticatorId: id,
      credential: { ...credential, rpId: 'evil.example' },
    })
  }
  await signOut(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByText('Nothing was confirmed').waitFor()
  expect(new URL(page.url()).pathname).toBe('/sign-in')
})

it('after the password a one-time code is asked for, or a recovery code, which works once; on a phone too', async () => {
  const { person } = await somebody()
  const page = await console.open(person, '/console/account', { viewport: PHONE })
  const { secret, recoveryCodes } = await setUpCodes(page)
  await page.getByText('Set up on').waitFor()
  expect(await overflowPx(page)).toBe(0)
  expect(await seriousFindingsOfState(page)).toEqual([])

  await signOut(page)
  await givePassword(page, person)
  await page.getByText('Your password is right.').waitFor()
  expect(await seriousFindingsOfState(page)).toEqual([])
  expect(await overflowPx(page)).toBe(0)
  await page.getByLabel('One-time code').fill('000000')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('This code is wrong, or was already used.').waitFor()
  // The next step's: the present one's code confirmed the app.
  await page.getByLabel('One-time code').fill(codeOf(secret, Date.now() + 30_000))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await isIn(page)

  for (const outcome of FULL ? ['taken', 'refused'] : ['taken']) {
    await signOut(page)
    await givePassword(page, person)
    await page.getByRole('button', { name: 'Use a recovery code instead' }).click()
    await page.getByLabel('Recovery code', { exact: true }).fill(recoveryCodes[0] ?? '')
    await page.getByRole('button', { name: 'Confirm' }).click()
    if (outcome === 'taken') await isIn(page)
    else await page.getByText('This code is wrong, or was already used.').waitFor()
  }
  if (!FULL) return
  await page.getByLabel('Recovery code', { exact: true }).fill(recoveryCodes[1] ?? '')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await isIn(page)
  await page.goto(`${console.server.url}/console/account`)
  await page.getByText('8 are left.').waitFor()
})

it.runIf(FULL)(
  'an owner requires a second factor; a member is led to add one and goes on where they were',
  async () => {
    const { organisationId, person: owner } = await somebody()
    const member = await console.member(organisationId, 'admin')
    const page = await console.open(owner, '/console/members', { fresh: true })
    await addAuthenticator(page)
    const required = page.getByLabel('Members need a second factor')
    await page.getByText('You have no second factor yourself').waitFor()
    expect(await required.isDisabled()).toBe(true)
    await page.getByRole('link', { name: 'add one first' }).click()
    await addPasskey(page, 'My laptop')
    await keepRecoveryCodes(page)
    await page.getByRole('link', { name: 'Members' }).click()
    await required.click()
    const dialog = page.getByRole('dialog', { name: 'Require a second factor?' })
    await dialog.getByText(member.email).waitFor()
    await dialog.getByText(owner.email).waitFor({ state: 'detached' })
    expect(await seriousFindingsOfState(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Require it' }).click()
    await page.getByText(/^From \d.* on\. Members/).waitFor()
    expect((await member.send('GET', '/v1/organisation/keys')).status).toBe(200)
    await required.click()
    await expect.poll(() => required.isChecked()).toBe(false)
    await required.click()
    await dialog.getByLabel('From this day on').fill('')
    await dialog.getByRole('button', { name: 'Require it' }).click()
    await expect.poll(() => required.isChecked()).toBe(true)
    expect(await seriousFindingsOfState(page)).toEqual([])

    const other = await console.open(member, '/console/keys')
    await other.getByRole('heading', { name: 'A second factor is needed' }).waitFor()
    expect(await seriousFindingsOfState(other)).toEqual([])
    const refused = await member.send('GET', '/v1/organisation/keys', undefined, {
      'x-organisation-id': organisationId,
    })
    expect([refused.status, (refused.json as { code: string }).code]).toEqual([403, 'second_factor_needed'])
    const { secret } = await setUpCodes(other)
    await other.getByRole('button', { name: 'New key' }).waitFor()
    expect(new URL(other.url()).pathname).toBe('/console/keys')

    // A session from before, with the password alone: it needs the code now.
    const earlier = await console.sql.query<{ digest: string }>(
      `select digest from console_session where person_id = $1 and amr = 'pwd'`,
      [member.id],
    )
    expect(earlier.length).toBeGreaterThan(0)
    await console.sql.query(`update console_session set amr = 'pwd' where person_id = $1`, [member.id])
    await other.reload()
    await other.getByLabel('One-time code').fill(codeOf(secret, Date.now() + 30_000))
    await other.getByRole('button', { name: 'Confirm' }).click()
    await other.getByRole('button', { name: 'New key' }).waitFor()
  },
)

it.runIf(FULL)('a sensitive change long after signing in asks who it is, and goes on as it was', async () => {
  const { organisationId, person } = await somebody()
  const page = await console.open(person, '/console/keys')
  const grow = () =>
    console.sql.query('update console_session set proved_at = proved_at - 960000 where person_id = $1', [person.id])
  await grow()
  const make = async (name: string, sensitive: boolean) => {
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Purpose').fill(name)
    if (sensitive) await page.getByLabel('Change members, keys, applications and what the organisation knows').check()
    await page.getByRole('button', { name: 'Create the key' }).click()
  }
  await make('Checks only', false)
  await page.getByRole('cell', { name: 'Checks only', exact: true }).waitFor()
  await page.reload()
  await make('Automation', true)
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByLabel('Password', { exact: true }).fill('not the password')
  expect(await seriousFindingsOfState(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.getByText('The password is wrong.').waitFor()
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('cell', { name: 'Automation', exact: true }).waitFor()
  const keys = await console.sql.query<{ name: string }>(
    `select name from api_key where organisation_id = $1 and name = 'Automation'`,
    [organisationId],
  )
  expect(keys).toHaveLength(1)

  if (!FULL) return
  // Without the confirmation nothing changes, and the page says so.
  await grow()
  await page.goto(`${console.server.url}/console/members`)
  await console.member(organisationId, 'admin')
  await page.reload()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Yes, remove' }).click()
  await dialog.getByRole('button', { name: 'Cancel the change' }).click()
  await page.getByText('Nothing was changed').waitFor()
  expect(
    (await console.sql.query('select 1 from membership where organisation_id = $1', [organisationId])).length,
  ).toBe(2)
})
