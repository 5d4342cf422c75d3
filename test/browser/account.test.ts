import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/lib/clock.ts'
import { ringOf } from '../../src/lib/seal.ts'
import { createMailJob } from '../../src/mail/job.ts'
import { TEST_SECRET } from '../support/accounts.ts'
import { overflowPx, seriousFindingsOfState } from '../support/browser.ts'
import { type ConsoleTest, startConsole } from '../support/console.ts'
import { FULL } from '../support/full.ts'
import { linkIn, type MailServer, type ReceivedMail, startMailServer } from '../support/mail-server.ts'
import { PASSWORD } from '../support/people.ts'

/** The walks through an account, with a real mail server: what is read here was sent over SMTP. */

let console: ConsoleTest
let mail: MailServer
const OTHER_PASSWORD = 'purple tram under seven clouds'

beforeAll(async () => {
  mail = await startMailServer()
  console = await startConsole({ sendsMail: true })
})
afterAll(async () => {
  await console?.close()
  await mail?.close()
})
afterEach(async () => {
  expect(await console.leave()).toEqual([])
})

/** Sends what waits, and gives the newest mail to that address with that subject. */
async function mailTo(email: string, subject: RegExp): Promise<ReceivedMail> {
  await console.server.app.afterAnswers()
  await createMailJob({
    sql: console.sql,
    clock: systemClock,
    ring: ringOf(TEST_SECRET),
    settings: { smtpUrl: mail.url, from: 'Assay <assay@assay.example>', baseUrl: console.server.url },
    isWanted: async () => true,
    onRefused: async () => {},
    onSent: async () => {},
  }).run(new AbortController().signal)
  const found = mail.received.findLast((one) => one.to.includes(email) && subject.test(one.subject))
  if (!found) throw new Error(`no such mail among ${mail.received.map((one) => one.subject).join(', ')}`)
  return found
}

async function isAccessible(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await seriousFindingsOfState(page)).toEqual([])
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

it('a forgotten password: the link from the mail, a new password, the sign-in, and no second use', async () => {
  const organisation = await console.server.organisation({ name: 'Analytical Engines' })
  const person = await console.member(organisation.id)
  const page = await console.stranger('/sign-in')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await isAccessible(page)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText('Enter your email address, for example').waitFor()
  await page.getByLabel('Email address').fill(person.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByRole('heading', { name: 'Check your mailbox' }).waitFor()
  await isAccessible(page)
  const link = linkIn(await mailTo(person.email, /password/i))
  expect(link).toMatch(/\/reset#\w{32}$/)
  await page.goto(link)
  await page.getByLabel('New password', { exact: true }).fill('password1234')
  await isAccessible(page)
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('The password is a common one').waitFor()
  await page.getByLabel('New password', { exact: true }).fill(OTHER_PASSWORD)
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByRole('heading', { name: 'Your password is changed' }).waitFor()
  await isAccessible(page)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, person.email, OTHER_PASSWORD)
  await page.waitForURL('**/console')
  expect((await mailTo(person.email, /changed/i)).text).toContain('127.0.0.1')
  await page.goto('about:blank')
  await page.goto(link)
  await page.getByRole('heading', { name: 'This link does not work any more' }).waitFor()
  await isAccessible(page)
  await page.getByRole('link', { name: 'Ask for another link' }).waitFor()
})

it('a sign-up waits for the mail, which a mistyped address gets no more; then the address is changed, on a phone', async () => {
  const [typo, email, next] = ['charls@company.example', 'charles@company.example', 'babbage@company.example']
  const page = await console.stranger('/checkout?plan=free', { viewport: { width: 390, height: 844 } })
  await page.getByLabel('Organisation').fill('Difference Engines')
  await page.getByLabel('Your name').fill('Charles Babbage')
  await page.getByLabel('Email address').fill(typo)
  await page.getByLabel('Password', { exact: true }).fill(OTHER_PASSWORD)
  // The operator has set no terms.
  expect(await page.getByRole('checkbox').count()).toBe(0)
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await page.getByRole('heading', { name: 'You are subscribed' }).waitFor()
  await page.getByText(`Open the mail we sent to ${typo} to finish`).waitFor()
  await isAccessible(page)
  await page.getByLabel('API key', { exact: true }).waitFor()
  await page.reload()
  await page.getByText('Your API key was shown once').waitFor()
  const mistyped = linkIn(await mailTo(typo, /./))
  await page.getByRole('button', { name: 'Wrong address?' }).click()
  await isAccessible(page)
  await page.getByRole('dialog').getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Send the mail there' }).click()
  await page.getByText(`Open the mail we sent to ${email} to finish`).waitFor()
  await page.getByText('Sent. Only the newest link works.').waitFor()
  await page.goto(mistyped)
  await page.getByRole('heading', { name: 'This link does not work any more' }).waitFor()
  await page.goto('about:blank')
  await page.goto(linkIn(await mailTo(email, /./)))
  await page.getByRole('heading', { name: 'Finish signing up' }).waitFor()
  await isAccessible(page)
  await page.getByLabel('The password you chose').fill('something else entirely')
  await page.getByRole('button', { name: 'Finish and sign in' }).click()
  await page.getByText('The password differs from').waitFor()
  await page.getByLabel('The password you chose').fill(OTHER_PASSWORD)
  await page.getByRole('button', { name: 'Finish and sign in' }).click()
  await page.waitForURL('**/console')
  await page.getByText('Your role: owner').waitFor()
  await page.goto(`${console.server.url}/console/account`)
  await page.getByText('verified', { exact: true }).waitFor()
  await page.getByText('You are the last owner of Difference Engines.').waitFor()
  await page.getByRole('link', { name: 'End its subscription first' }).waitFor()

  await page.getByRole('button', { name: 'Change the email address' }).click()
  expect(await seriousFindingsOfState(page)).toEqual([])
  await page.getByLabel('New email address').fill(next)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText(`Open the link that we sent to ${next}`).waitFor()
  expect(await overflowPx(page)).toBe(0)
  await page.goto(linkIn(await mailTo(next, /Confirm your new email address/)))
  await page.getByRole('heading', { name: 'Use this address' }).waitFor()
  await isAccessible(page)
  await page.getByRole('button', { name: 'Yes, this address is mine' }).click()
  await page.getByRole('heading', { name: 'Your address is changed' }).waitFor()
  await isAccessible(page)
  await page.goto(linkIn(await mailTo(email, /email address of your account was changed/)))
  await page.getByRole('heading', { name: 'Undo the change of your address' }).waitFor()
  await isAccessible(page)
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByRole('heading', { name: 'Your password is changed' }).waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, email, PASSWORD)
  await page.waitForURL('**/console')
})

it.runIf(FULL)(
  'who did not sign in ends every session by the link in the notice; a person asks to delete their account, and keeps it',
  async () => {
    const organisation = await console.server.organisation({ name: 'Analytical Engines' })
    const [owner, member] = [await console.member(organisation.id), await console.member(organisation.id, 'viewer')]
    const thief = await console.stranger('/sign-in')
    await signIn(thief, owner.email, PASSWORD)
    await thief.waitForURL('**/console')
    const page = await console.stranger('/', { viewport: { width: 1440, height: 900 } })
    await page.goto(linkIn(await mailTo(owner.email, /New sign-in/)))
    await page.getByRole('heading', { name: 'Secure your account' }).waitFor()
    await isAccessible(page)
    await page.getByLabel('New password', { exact: true }).fill(OTHER_PASSWORD)
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByRole('heading', { name: 'Your password is changed' }).waitFor()
    await thief.reload()
    await thief.waitForURL('**/sign-in')

    const own = await console.open(member, '/console/account', { viewport: { width: 1440, height: 900 } })
    await console.sql.query('update console_session set proved_at = 0 where person_id = $1', [member.id])
    await own.getByRole('button', { name: 'Delete my account' }).click()
    expect(await seriousFindingsOfState(own)).toEqual([])
    await own.getByRole('button', { name: 'Yes, delete my account' }).click()
    const proof = own.getByRole('dialog', { name: 'Confirm that it is you' })
    await proof.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await proof.getByRole('button', { name: 'Confirm' }).click()
    await own.getByText('Your account will be deleted on').waitFor()
    await isAccessible(own)
    expect((await mailTo(member.email, /will be deleted/)).text).toContain('Until then you can download everything')
    await own.getByRole('button', { name: 'Keep my account' }).click()
    await own.getByRole('button', { name: 'Delete my account' }).waitFor()
    const download = own.waitForEvent('download')
    await own.getByRole('button', { name: 'Download everything about me' }).click()
    expect((await download).suggestedFilename()).toBe('account.tar.gz')
  },
)

it.runIf(FULL)('a sign-up with the address of an account adds the organisation to it after a click', async () => {
  const organisation = await console.server.organisation({ name: 'Analytical Engines' })
  const person = await console.member(organisation.id)
  await console.server.post('/v1/checkout', {
    organisation_name: 'Difference Engines',
    name: 'Somebody',
    email: person.email,
    password: OTHER_PASSWORD,
    plan: 'free',
    accept_terms: true,
  })
  const page = await console.open(person, '/console/account')
  await page.goto(linkIn(await mailTo(person.email, /already have an Assay account/)))
  await page.getByRole('heading', { name: 'Add an organisation to your account' }).waitFor()
  await isAccessible(page)
  await page.getByRole('button', { name: 'Yes, that was me: add it' }).click()
  await page.getByRole('heading', { name: 'The organisation is yours' }).waitFor()
  await page.goto(`${console.server.url}/console/account`)
  await page.getByRole('table').last().getByRole('cell', { name: 'Difference Engines' }).waitFor()
  expect((await console.server.post('/api/session', { email: person.email, password: PASSWORD })).status).toBe(200)
})

it.runIf(FULL)('a newcomer with an open invitation joins by the mailed link', async () => {
  const organisation = await console.server.organisation({ name: 'Analytical Engines' })
  const owner = await console.member(organisation.id)
  const { link } = (await owner.send('POST', '/v1/organisation/invitations', { role: 'developer' })).json
  const email = 'newcomer@company.example'
  const page = await console.stranger(link.slice(console.server.url.length))
  await page.getByLabel('Your name').fill('Grace')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(OTHER_PASSWORD)
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('heading', { name: 'Open the link that we mailed you' }).waitFor()
  await isAccessible(page)
  await page.goto(linkIn(await mailTo(email, /Finish signing up/)))
  await page.getByText('joins Analytical Engines').waitFor()
  await page.getByLabel('The password you chose').fill(OTHER_PASSWORD)
  await page.getByRole('button', { name: 'Finish and sign in' }).click()
  await page.waitForURL('**/console')
  await page.getByText('Your role: developer').waitFor()
})

it.runIf(FULL)(
  'a mailed invitation brings in a colleague who has an account, also from a browser of somebody else',
  async () => {
    const organisation = await console.server.organisation({ name: 'Analytical Engines' })
    const [owner, colleague] = [
      await console.member(organisation.id),
      await console.member((await console.server.organisation({})).id),
    ]
    const page = await console.open(owner, '/console/members')
    await page.getByLabel('For this address only').fill(colleague.email)
    await page.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByText(`We sent it to ${colleague.email}`).waitFor()
    const sent = await mailTo(colleague.email, /Invitation to Analytical Engines/)
    expect(sent.text.replace(/\s+/g, ' ')).toMatch(/works once, until [\w -]+, and only for this email address/)

    await page.goto(linkIn(sent))
    await page.getByText('You are signed in with another address').waitFor()
    await isAccessible(page)
    await page.getByRole('button', { name: 'Use another account' }).click()
    await signIn(page, colleague.email, PASSWORD)
    await page.getByText(`As ${colleague.email}.`).waitFor()
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByText('Your role: developer').waitFor()
  },
)

it.runIf(FULL)(
  'an invitation that has expired is asked for anew; a newcomer joins by the second one without confirming again',
  async () => {
    const organisation = await console.server.organisation({ name: 'Analytical Engines' })
    const owner = await console.member(organisation.id)
    const email = 'sam@company.example'
    const page = await console.open(owner, '/console/members')
    await page.getByLabel('For this address only').fill(email)
    await page.getByRole('button', { name: 'Send invitation' }).click()
    const first = linkIn(await mailTo(email, /Invitation to Analytical Engines/))
    await console.sql.query('update invitation set expires_at = created_at + 1 where email = $1', [email])

    const guest = await console.stranger(first.slice(console.server.url.length))
    await guest.setViewportSize({ width: 390, height: 844 })
    await guest.getByText('has expired').waitFor()
    await isAccessible(guest)
    await guest.getByRole('button', { name: 'Ask for a new one' }).click()
    await guest.getByRole('heading', { name: 'You asked for a new invitation' }).waitFor()
    await isAccessible(guest)

    await page.goto(`${console.server.url}/console/inbox`)
    await page.getByText(`${email} asks for a new invitation to Analytical Engines as developer.`).waitFor()
    await page.goto(linkIn(await mailTo(owner.email, /asks for a new invitation/)))
    await page.getByRole('button', { name: 'Invite again' }).click()
    await page.getByText(`We sent it to ${email}`).waitFor()
    await guest.goto(linkIn(await mailTo(email, /Invitation to Analytical Engines/)))
    await guest.getByLabel('Your name').fill('Sam')
    await guest.getByLabel('Password', { exact: true }).fill(OTHER_PASSWORD)
    await guest.getByRole('button', { name: 'Join' }).click()
    await guest.getByText('Your role: developer').waitFor()
    const [sam] = await console.sql.query('select email_verified from person where email = $1', [email])
    expect(sam).toEqual({ email_verified: 1 })
  },
)

it('keys of somebody who is removed are listed before and after, each with a way to end it', async () => {
  const organisation = await console.server.organisation({ name: 'Analytical Engines' })
  const [owner, colleague] = [await console.member(organisation.id), await console.member(organisation.id, 'developer')]
  for (const name of ['Nightly run', 'Old laptop']) await colleague.send('POST', '/v1/organisation/keys', { name })
  const page = await console.open(owner, '/console/members')
  const removed = page.getByRole('row').filter({ hasText: colleague.email })
  await removed.getByText('none').waitFor()
  await removed.getByRole('button', { name: 'Remove' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByRole('row', { name: /Old laptop/ })
    .getByRole('button', { name: 'Revoke' })
    .click()
  await dialog.getByRole('button', { name: 'Yes, revoke' }).click()
  await dialog.getByRole('row', { name: /Old laptop/ }).waitFor({ state: 'detached' })
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await seriousFindingsOfState(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Yes, remove' }).click()
  const left = page.getByRole('region', { name: 'Keys and applications of former members' })
  await left.getByText('no longer a member').waitFor()
  await isAccessible(page)
  await left.getByRole('button', { name: 'Revoke' }).click()
  await left.getByRole('button', { name: 'Yes, revoke' }).click()
  await left.waitFor({ state: 'detached' })
})

it('name, address and password are changed on the page of the account', async () => {
  const organisation = await console.server.organisation({ name: 'Analytical Engines' })
  const person = await console.member(organisation.id)
  await console.sql.query('update person set email_verified = 0 where id = $1', [person.id])
  const page = await console.open(person, '/console')
  await page.getByRole('button', { name: 'account menu' }).click()
  await page.getByRole('link', { name: 'Your account' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Augusta Ada King')
  await page.getByRole('button', { name: 'Save the name' }).click()
  await page.getByRole('button', { name: 'Augusta Ada King account menu' }).waitFor()
  await page.getByText('not verified').waitFor()
  await page.getByRole('button', { name: 'Send me a link to verify it' }).click()
  await page.getByText('Sent. Open the link in the mail').waitFor()
  await isAccessible(page)
  await page.getByLabel('Current password').fill('not the password')
  await page.getByLabel('New password', { exact: true }).fill(OTHER_PASSWORD)
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('The current password is wrong.').waitFor()
  await page.getByLabel('Current password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('Your password is changed. All other sessions have ended.').waitFor()
  const link = linkIn(await mailTo(person.email, /verify|address/i))
  if (FULL) {
    const elsewhere = await console.stranger('/sign-in')
    await elsewhere.goto(link)
    await elsewhere.getByRole('heading', { name: 'Sign in first' }).waitFor()
    await isAccessible(elsewhere)
  }
  await page.goto(link)
  await page.getByRole('heading', { name: 'Verify your address' }).waitFor()
  await isAccessible(page)
  await page.getByRole('button', { name: 'Yes, this address is mine' }).click()
  await page.getByRole('heading', { name: 'Your address is verified' }).waitFor()
  await isAccessible(page)
  await page.getByRole('link', { name: 'Go to your account' }).click()
  await page.getByText('verified', { exact: true }).waitFor()
})

it.runIf(FULL)(
  'a session that is ended elsewhere asks for the password again; a new browser is told of by mail',
  async () => {
    const organisation = await console.server.organisation({ name: 'Analytical Engines' })
    const person = await console.member(organisation.id)
    const here = await console.open(person, '/console/account')
    const there = await console.stranger('/sign-in')
    await signIn(there, person.email, PASSWORD)
    await there.waitForURL('**/console')
    const told = await mailTo(person.email, /sign/i)
    expect(told.text).toContain('Chrome on Linux')
    expect(told.text).toContain('127.0.0.1')
    await here.reload()
    await here.getByRole('cell', { name: 'this session' }).waitFor()
    await here.getByRole('cell', { name: 'Chrome on Linux' }).waitFor()
    await here.getByRole('button', { name: 'End all others' }).click()
    await here.getByRole('button', { name: 'Yes, end all others' }).click()
    await here.getByText('You have no other sessions.').waitFor()
    await there.reload()
    await there.waitForURL('**/sign-in')
  },
)

it.runIf(FULL)('who belongs to no organisation still has an account', async () => {
  const mine = await console.server.organisation({ name: 'Mine' })
  await console.member(mine.id)
  const person = await console.member(mine.id)
  const page = await console.open(person, '/console/account')
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('button', { name: 'Yes, leave' }).click()
  await page.getByText('You are not a member of an organisation.').waitFor()
  await isAccessible(page)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Your account')
})
