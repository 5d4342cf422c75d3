import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeIn } from '../../src/db/sql.ts'
import { setOperator } from '../../src/identity/people/changes.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { listMessages } from '../../src/outbox/outbox.ts'
import { seriousFindingsOfState } from '../support/browser.ts'
import { type ConsoleTest, startConsole } from '../support/console.ts'
import { FULL } from '../support/full.ts'

describe.each(FULL ? [true, false] : [true])('the console, mail set up: %s', (sendsMail) => {
  let test: ConsoleTest

  beforeAll(async () => {
    test = await startConsole({ sendsMail })
  })
  afterAll(async () => {
    expect(await test?.leave()).toEqual([])
    await test?.close()
  })

  it('says whether an invitation is on its way, or has to be handed over', async () => {
    const { id } = await test.server.organisation({ name: 'Northern Branch' })
    const owner = await test.member(id)
    const page = await test.open(owner, '/console/members')
    await page.getByLabel('For this address only').fill('grace@colleague.example')
    await page.getByRole('button', { name: sendsMail ? 'Send invitation' : 'Create a link' }).click()
    const told = page.getByRole('status').filter({ has: page.getByLabel('Invitation link', { exact: true }) })
    await told.waitFor()
    const words = await told.innerText()
    if (sendsMail) expect(words).toContain('We sent it to grace@colleague.example.')
    else expect(words).toMatch(/mail is not set up on this server.* Pass on the link yourself/)
    expect(await seriousFindingsOfState(page)).toEqual([])
    const written = await listMessages(test.sql, 'mail', { limit: 10 })
    const invitations = written.filter(({ kind }) => kind === 'invitation')
    expect(invitations.map(({ recipient }) => recipient)).toEqual(sendsMail ? ['grace@colleague.example'] : [])
  })

  it('shows the operator whether mail is set up and how much waits', async () => {
    const { id } = await test.server.organisation({ name: 'Operations' })
    const person = await test.member(id)
    await changeIn(test.sql, systemClock, (tx) => setOperator(tx, person.id, true))
    const page = await test.open(person, '/console/status')
    await page.getByText(sendsMail ? /^\d+ waiting$/ : 'not set up', { exact: true }).waitFor()
    expect(await seriousFindingsOfState(page)).toEqual([])
  })
})
