import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { changeIn } from '../../src/db/sql.ts'
import { setOperator } from '../../src/identity/people/changes.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { seriousFindingsOfState } from '../support/browser.ts'
import { type ConsoleTest, startConsole } from '../support/console.ts'
import { KNOWN } from '../support/engine.ts'
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

const SIGNED_OUT = { name: 'You were signed out' }

/** Somebody at work. Their session ends behind their back: the cookie is gone, as after its time. */
async function atWork(path = '/console'): Promise<{ organisationId: string; person: SignedIn; page: Page }> {
  const organisation = await console.server.organisation({ creditPence: 1000 })
  const person = await console.member(organisation.id)
  return { organisationId: organisation.id, person, page: await console.open(person, path) }
}

async function signInAgain(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', SIGNED_OUT)
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

it('a check that meets an ended session goes on after signing in again, and is charged once', async () => {
  const { page, person, organisationId } = await atWork()
  await page.getByRole('textbox').fill(KNOWN.badIp)
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Check' }).click()
  const dialog = page.getByRole('dialog', SIGNED_OUT)
  await dialog.getByText('Sign in to continue.').waitFor()
  expect(await dialog.getByLabel('Email address').inputValue()).toBe(person.email)
  expect(await seriousFindingsOfState(page)).toEqual([])
  await dialog.getByLabel('Password', { exact: true }).fill('not the password')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByText('The email address or the password is wrong.').waitFor()
  await signInAgain(page)
  await page.getByText('High risk').waitFor()
  expect((await console.server.accounts.read(organisationId)).prepaidPence).toBe(999)
})

it.runIf(FULL)('typed text stays in the form, and the form is sent after signing in again', async () => {
  const { page } = await atWork('/console/keys')
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Purpose').fill('Payments')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Create the key' }).click()
  await signInAgain(page)
  await page.getByText('it is shown only once').waitFor()
  await page.getByRole('cell', { name: 'Payments', exact: true }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/console/keys')
})

it.runIf(FULL)('the sign-in stands over a dialog that was open, and what the dialog asked is done once', async () => {
  const { page, person } = await atWork()
  const other = await console.server.organisation({ name: 'Southern Branch', creditPence: 100 })
  await changeIn(console.sql, systemClock, (tx) => setOperator(tx, person.id, true))
  await page.goto(`${console.server.url}/console/organisations/${other.id}`)
  await page.getByRole('button', { name: 'Give credit' }).click()
  const dialog = page.getByRole('dialog', { name: /credit/i })
  await dialog.getByLabel('Amount in pounds').fill('5')
  await dialog.getByLabel('Reason').fill('goodwill')
  await page.context().clearCookies()
  await dialog.getByRole('button', { name: /£5\.00/ }).click()
  await signInAgain(page)
  await page.getByText('£5.00 was added. The credit is now £6.00.').waitFor()
  expect((await console.server.accounts.read(other.id)).prepaidPence).toBe(600)
})

it.runIf(FULL)('a session renewed in another tab serves this one, too', async () => {
  const { page, person, organisationId } = await atWork()
  await page.getByRole('textbox').fill(KNOWN.badIp)
  const other = await page.context().newPage()
  await other.goto(`${console.server.url}/console`)
  await other.getByRole('textbox').waitFor()
  await page.context().clearCookies()
  await other.goto(`${console.server.url}/sign-in`)
  await other.getByLabel('Email address').fill(person.email)
  await other.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await other.getByRole('button', { name: 'Sign in' }).click()
  await other.getByRole('heading', { name: 'Can I trust this?' }).waitFor()
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByText('High risk').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect((await console.server.accounts.read(organisationId)).prepaidPence).toBe(999)
})

it('another person who signs in finds nothing of the one before, and nothing is charged to either', async () => {
  const { page, organisationId } = await atWork()
  const stranger = await console.member((await console.server.organisation({ creditPence: 500 })).id)
  await page.getByText('£10.00 of credit left').waitFor()
  await page.getByRole('textbox').fill(KNOWN.badIp)
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByRole('button', { name: 'Leave this page and use another account' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('Email address').fill(stranger.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('£5.00 of credit left').waitFor()
  expect(await page.getByRole('textbox').inputValue()).toBe('')
  expect((await console.server.accounts.read(organisationId)).prepaidPence).toBe(1000)
})

it.runIf(FULL)('a page opened after the session has ended asks to sign in and leads back there', async () => {
  const { page, person } = await atWork('/console/members')
  await page.getByRole('heading', { name: 'Members' }).waitFor()
  await page.context().clearCookies()
  await page.reload()
  await page.getByText('Sign in to continue').waitFor()
  await page.getByLabel('Email address').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Members' }).waitFor()
})
