import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { ManualClock } from '../../../test/support/clock.ts'
import { PASSWORD_HASH } from '../../../test/support/passwords.ts'
import { describeEachStore } from '../../../test/support/stores.ts'
import { operatorIn } from '../../access/actor.ts'
import type { Role } from '../../access/roles.ts'
import { verifyLedger } from '../../billing/ledger/verify.ts'
import { changeIn, type Sql, type Tx } from '../../db/sql.ts'
import { DAY_MS, MINUTE_MS } from '../../lib/clock.ts'
import { ringOf } from '../../lib/seal.ts'
import { listMessages, openSecret } from '../../outbox/outbox.ts'
import { readAudit } from '../audit.ts'
import { addMember } from '../members/members.ts'
import { createOrganisation } from '../organisation/organisations.ts'
import { resetByLink, resetForPerson } from './account.ts'
import { askForAddress, confirmAddress, setAddress } from './address.ts'
import { selfIn } from './audit-self.ts'
import { erasePerson, PERSON_TABLES, requireHandedOver } from './deletion.ts'
import { passkeys } from './factors/passkeys.ts'
import { makeRecoveryCodes } from './factors/recovery-codes.ts'
import { createPerson, findPerson, type Person } from './people.ts'

const ring = ringOf('a secret of this test, long enough to be one')
const maker = { ring, baseUrl: 'https://assay.example' }
const from = { ip: '192.0.2.1' }

describeEachStore('an account', (open) => {
  let sql: Sql
  const clock = new ManualClock('2026-03-02T12:00:00Z')
  beforeAll(async () => {
    sql = await open()
  })
  const change = <T>(work: (tx: Tx) => Promise<T>) => changeIn(sql, clock, work)
  const address = (name: string) => `${name}-${randomUUID()}@company.example`

  function somebody({ emailVerified = true } = {}): Promise<Person> {
    const passwordHash = PASSWORD_HASH
    return change((tx) => createPerson(tx, { email: address('first'), emailVerified, name: 'Ada', passwordHash }))
  }
  const organisation = (name: string) => change((tx) => createOrganisation(tx, { name, awaitingApproval: false }))
  const enter = (organisationId: string, { id: personId }: Person, role: Role) =>
    change((tx) => addMember(tx, operatorIn(organisationId), { personId, role }))
  const mailsTo = async (email: string, kind: string) =>
    (await listMessages(sql, 'mail', { limit: 1000 })).filter((one) => one.recipient === email && one.kind === kind)
  const tokenTo = async (email: string, kind: string) => {
    const [message] = await mailsTo(email, kind)
    return new URL((await openSecret(ring, message!)) ?? '').hash.slice(1)
  }
  async function move(person: Person, to: string): Promise<void> {
    clock.advance(MINUTE_MS)
    await change((tx) => askForAddress(tx, maker, person.id, to))
    const token = await tokenTo(to, 'change_address')
    await change((tx) => confirmAddress(tx, maker, { id: 'ses_none', person }, token, from))
  }
  const reset = (token: string) =>
    change((tx) => resetByLink(tx, { token, passwordHash: 'new', deviceDigest: 'd' }, from, true))
  const addKey = (personId: string, id: string) =>
    change((tx) =>
      passkeys.insert(tx, {
        id,
        person_id: personId,
        name: 'Key',
        public_key: 'AAAA',
        counter: 0,
        transports: [],
        backed_up: false,
        user_verified: true,
        created_at: tx.nowMs,
        used_at: null,
      }),
    )

  it('of two people who want one address at the same time, one gets it and the other is told', async () => {
    const wanted = address('wanted')
    const both = [await somebody(), await somebody()]
    const tokens: string[] = []
    for (const person of both) {
      await sql.query('delete from outbox_message')
      await change((tx) => askForAddress(tx, maker, person.id, wanted))
      tokens.push(await tokenTo(wanted, 'change_address'))
    }
    const ends = await Promise.allSettled(
      both.map((person, i) => change((tx) => confirmAddress(tx, maker, { id: 'ses_none', person }, tokens[i]!, from))),
    )
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const lost = ends.find((end) => end.status === 'rejected')
    expect(lost?.reason).toMatchObject({ code: 'conflict', detail: expect.stringContaining('Another account has') })
  })

  it('an undo brings the first address back, whatever was changed since, and drops the factors that came with it', async () => {
    const person = await somebody()
    await addKey(person.id, `old ${person.id}`)
    clock.advance(3 * DAY_MS)
    const [second, third] = [address('second'), address('third')]
    await move(person, second)
    await addKey(person.id, `thief ${person.id}`)
    await change((tx) => makeRecoveryCodes(tx, person.id))
    await move(person, third)
    expect((await findPerson(sql, person.id))?.email).toBe(third)
    const [first, later] = [await tokenTo(person.email, 'address_changed'), await tokenTo(second, 'address_changed')]
    clock.advance(7 * DAY_MS - 5 * MINUTE_MS)
    expect(await reset(first)).toMatchObject({ email: person.email, email_verified: true })
    const keys = await passkeys.list(sql, { person_id: person.id }, { order: 'id', limit: 10 })
    expect(keys.map(({ id }) => id)).toEqual([`old ${person.id}`])
    expect(await sql.query('select digest from recovery_code where person_id = $1', [person.id])).toEqual([])
    // The thief cannot bring their own address back, and hears that it is gone.
    for (const token of [later, first]) await expect(reset(token)).rejects.toMatchObject({ code: 'not_found' })
    expect(await mailsTo(third, 'address_changed')).toMatchObject([{ facts: { by: 'undo' } }])
    expect((await findPerson(sql, person.id))?.email).toBe(person.email)
  })

  it('an undo ends after seven days, and an address that was never verified gets none', async () => {
    const [person, unverified] = [await somebody(), await somebody({ emailVerified: false })]
    for (const one of [person, unverified]) await move(one, address('new'))
    expect(await mailsTo(unverified.email, 'address_changed')).toEqual([])
    const token = await tokenTo(person.email, 'address_changed')
    clock.advance(7 * DAY_MS)
    await expect(reset(token)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('the operator changes an address or a password, and the person is told', async () => {
    const [person, other] = [await somebody(), await somebody()]
    const set = (email: string) =>
      change((tx) => setAddress(tx, { sendsMail: true }, person.id, { email, emailVerified: false }))
    await expect(set(other.email)).rejects.toMatchObject({ code: 'conflict' })
    await expect(set('nobody')).rejects.toMatchObject({ code: 'validation_failed' })
    expect(await set(` ${address('Given')} `)).toMatchObject({ email_verified: false })
    expect(await mailsTo(person.email, 'address_changed')).toMatchObject([{ facts: { by: 'operator' }, sealed: null }])
    await change((tx) => resetForPerson(tx, { sendsMail: true }, other.id, 'new', operatorIn))
    expect(await mailsTo(other.email, 'password_changed')).toMatchObject([{ facts: { by_operator: true } }])
  })

  it('a last owner hands over or, alone, ends the subscription, and is told so by name; then everything of the account is gone', async () => {
    const [person, colleague] = [await somebody(), await somebody()]
    const [shared, own] = [await organisation('Shared Ltd'), await organisation('Own Ltd')]
    await enter(shared.id, person, 'owner')
    await enter(own.id, person, 'owner')
    await enter(shared.id, colleague, 'viewer')
    await addKey(person.id, `key of ${person.id}`)
    const last = address('last')
    await move(person, last)
    const by = selfIn(person, from)
    const leave = () =>
      change(async (tx) => {
        await requireHandedOver(tx, person.id)
        await erasePerson(tx, by, { erasureId: 'era_1', personId: person.id })
      })
    await expect(leave()).rejects.toMatchObject({
      code: 'conflict',
      detail:
        'The account of a last owner cannot be deleted. First end the subscription of Own Ltd, and make another member of Shared Ltd an owner.',
    })
    await sql.query(`update organisation set state = 'inactive' where id = $1`, [own.id])
    await enter(shared.id, await somebody(), 'owner')
    await leave()
    for (const table of ['person', ...PERSON_TABLES, 'membership']) {
      const id = table === 'person' ? 'id' : 'person_id'
      expect(await sql.query(`select ${id} from ${table} where ${id} = $1`, [person.id]), table).toEqual([])
    }
    const { rows } = await readAudit(sql, { organisationId: shared.id, action: 'person.delete', limit: 10 })
    expect(rows).toMatchObject([{ actor_id: person.id, actor_name: null, detail: { erasure: 'era_1' } }])
    expect(await verifyLedger(sql)).toMatchObject({ clean: true })
  })
})

it('every table that refers to a person is emptied when an account is deleted', () => {
  const folder = join(import.meta.dirname, '../../db/migrations')
  const text = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  const tables = text.flatMap((sql) =>
    [...sql.matchAll(/create table (\w+) \(([^;]*?)\);/g)].filter(([, , body]) =>
      body?.includes('references person (id)'),
    ),
  )
  // A membership ends by its rule; `membership_new` became `membership`.
  const named = new Set(tables.map(([, name = '']) => name.replace(/_new$/, '')))
  named.delete('membership')
  expect([...named].sort()).toEqual([...PERSON_TABLES].sort())
})
