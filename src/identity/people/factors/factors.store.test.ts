import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { beforeAll, expect, it } from 'vitest'
import { ManualClock } from '../../../../test/support/clock.ts'
import { describeRules } from '../../../../test/support/stores.ts'
import { operatorIn, themselvesIn } from '../../../access/actor.ts'
import { resealAll } from '../../../db/reseal.ts'
import { changeIn, type Sql, type Tx } from '../../../db/sql.ts'
import { DAY_MS, iso, MINUTE_MS, SECOND_MS } from '../../../lib/clock.ts'
import { createRing, ringOf } from '../../../lib/seal.ts'
import { LIMITS } from '../../../limits.ts'
import { listMessages } from '../../../outbox/outbox.ts'
import { readAudit } from '../../audit.ts'
import { addMember, setRole } from '../../members/members.ts'
import { createOrganisation, requireOrganisation } from '../../organisation/organisations.ts'
import { requireDueFactors, setSecondFactorRequired, tellNewMember } from '../../organisation/second-factor.ts'
import { rememberDevice } from '../devices.ts'
import { createPerson, type Person } from '../people.ts'
import { SEALED_CODE_GENERATORS, useCode } from './code-generator.ts'
import {
  addPasskey,
  beginCodes,
  confirmCodes,
  countCode,
  factorsOf,
  hasFactor,
  removeCodes,
  removePasskey,
  renewRecoveryCodes,
  resetFactors,
  takeProof,
  waysOf,
} from './factors.ts'
import { notePasskeyUse, passkeys } from './passkeys.ts'
import { makeTicket, openTicket, spendTicket, TICKET_MS } from './tickets.ts'

const ring = ringOf('a secret of this test, long enough to be one')
const deps = { ring, sendsMail: true }
const forget = async () => {}
const NOON = Date.parse('2026-03-02T12:00:00Z')

describeRules('second factors', (open) => {
  let sql: Sql
  const clock = new ManualClock(NOON)
  beforeAll(async () => {
    sql = await open()
  })
  const change = <T>(work: (tx: Tx) => Promise<T>) => changeIn(sql, clock, work)
  const byOf = (person: Person) => (place: string) =>
    themselvesIn(place, { id: person.id, ip: '192.0.2.1', requestId: 'req_test' })

  async function somebody(): Promise<{ person: Person; organisationId: string; by: ReturnType<typeof byOf> }> {
    return change(async (tx) => {
      const { id } = await createOrganisation(tx, { name: 'Example Ltd', awaitingApproval: false })
      const email = `${randomUUID()}@company.example`
      const person = await createPerson(tx, { email, emailVerified: true, name: 'Somebody', passwordHash: 'none' })
      await addMember(tx, operatorIn(id), { personId: person.id, role: 'owner' })
      return { person, organisationId: id, by: byOf(person) }
    })
  }

  const codeAt = (secret: string, ms: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: ms })

  async function withCodes() {
    const one = await somebody()
    const { secret, uri } = await change((tx) => beginCodes(tx, deps, one.person, 'assay.example'))
    expect(uri).toContain('otpauth://totp/assay.example:')
    const { recoveryCodes } = await change((tx) =>
      confirmCodes(tx, deps, one.by, one.person.id, codeAt(secret, clock.now())),
    )
    clock.advance(5 * MINUTE_MS)
    return { ...one, secret, recoveryCodes: recoveryCodes ?? [] }
  }

  const made = (id: string) => ({
    id,
    public_key: 'AAAA',
    counter: 1,
    transports: ['internal'],
    backed_up: false,
    user_verified: true,
  })

  it('a one-time code works once, on whichever node, and so does no earlier one', async () => {
    const { person, secret } = await withCodes()
    const use = (code: string) => change((tx) => useCode(tx, ring, person.id, code))
    const code = codeAt(secret, clock.now())
    const both = await Promise.all([use(code), use(code), use(code)])
    expect(both.sort()).toEqual([false, false, true])
    expect(await use(code)).toBe(false)
    expect(await use(codeAt(secret, clock.now() - 30 * SECOND_MS))).toBe(false)
    expect(await use(codeAt(secret, clock.now() + 30 * SECOND_MS))).toBe(true)
    clock.advance(10 * MINUTE_MS)
    // One step on either side counts, two do not.
    expect(await use(codeAt(secret, clock.now() - 60 * SECOND_MS))).toBe(false)
    expect(await use(codeAt(secret, clock.now() + 60 * SECOND_MS))).toBe(false)
    expect(await use(codeAt(secret, clock.now() - 30 * SECOND_MS))).toBe(true)
  })

  it('codes do not count before a first one was typed, and the secret is not readable in the database', async () => {
    const { person, by } = await somebody()
    const { secret } = await change((tx) => beginCodes(tx, deps, person, 'assay.example'))
    expect(await change((tx) => useCode(tx, ring, person.id, codeAt(secret, clock.now())))).toBe(false)
    expect(hasFactor(await factorsOf(sql, person.id))).toBe(false)
    const [row] = await sql.query<{ sealed: string }>('select sealed from code_generator where person_id = $1', [
      person.id,
    ])
    expect(row?.sealed).not.toContain(secret)
    await expect(change((tx) => confirmCodes(tx, deps, by, person.id, '000000x'))).rejects.toThrow('wrong')
    await change((tx) => confirmCodes(tx, deps, by, person.id, codeAt(secret, clock.now())))
    expect(waysOf(await factorsOf(sql, person.id))).toEqual(['code', 'recovery_code'])
    await expect(change((tx) => beginCodes(tx, deps, person, 'assay.example'))).rejects.toThrow('already')
  })

  it('a recovery code works once, however it is typed; new ones end the old', async () => {
    const { person, by, recoveryCodes } = await withCodes()
    expect(new Set(recoveryCodes).size).toBe(10)
    const give = (code: string) =>
      change((tx) => takeProof(tx, deps, by, person.id, { way: 'recovery_code', code, forget }))
    const [first = '', second = '', third = ''] = recoveryCodes
    const tries = await Promise.allSettled([give(first), give(first)])
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await give(` ${second.toUpperCase().replaceAll('-', '')} `)).toEqual(['otp', 'mfa'])
    expect((await factorsOf(sql, person.id)).recoveryCodes?.left).toBe(8)
    const told = (await listMessages(sql, 'mail', { limit: 1000 })).filter(
      ({ kind, person_id }) => kind === 'recovery_code_used' && person_id === person.id,
    )
    expect(told.map(({ facts }) => facts.left).sort()).toEqual([8, 9])
    const [fresh = ''] = await change((tx) => renewRecoveryCodes(tx, deps, by, person.id))
    await expect(give(third)).rejects.toThrow('wrong')
    await give(fresh)
    const kept = await sql.query<{ digest: string }>('select digest from recovery_code where person_id = $1', [
      person.id,
    ])
    for (const { digest } of kept) expect(recoveryCodes.join(' ')).not.toContain(digest)
  })

  it('a recovery code of one person is worth nothing to another', async () => {
    const [ada, bob] = [await withCodes(), await withCodes()]
    const code = ada.recoveryCodes[0] ?? ''
    const give = change((tx) => takeProof(tx, deps, bob.by, bob.person.id, { way: 'recovery_code', code, forget }))
    await expect(give).rejects.toThrow('wrong')
  })

  it('wrong codes make the person wait; a right one afterwards starts anew', async () => {
    const { person, by, secret } = await withCodes()
    const count = () => countCode({ sql, clock }, { personId: person.id, deviceDigest: 'a stranger' })
    for (let i = 0; i < 5; i++) await count()
    await expect(count()).rejects.toMatchObject({ code: 'rate_limited' })
    clock.advance(15 * MINUTE_MS)
    const counted = await count()
    const code = codeAt(secret, clock.now())
    await change((tx) => takeProof(tx, deps, by, person.id, { way: 'code', code, ...counted }))
    for (let i = 0; i < 5; i++) await count()
  })

  it('wrong codes typed elsewhere do not stop a known browser, and its own do not stop others', async () => {
    const { person } = await withCodes()
    await change((tx) => rememberDevice(tx, person.id, 'her own'))
    const count = (deviceDigest: string) => countCode({ sql, clock }, { personId: person.id, deviceDigest })
    for (let i = 0; i < 5; i++) await count(`stranger ${i}`)
    await expect(count('another stranger')).rejects.toMatchObject({ code: 'rate_limited' })
    for (let i = 0; i < 5; i++) await count('her own')
    await expect(count('her own')).rejects.toMatchObject({ code: 'rate_limited' })
  })

  it('a counter that does not grow is refused, also by two nodes at once', async () => {
    const { person, by } = await somebody()
    const { passkey } = await change((tx) => addPasskey(tx, deps, by, person.id, made(randomUUID()), 'Laptop'))
    const used = (counter: number) =>
      change((tx) => notePasskeyUse(tx, { passkey, counter, backedUp: false, userVerified: true }))
    const both = await Promise.allSettled([used(5), used(5)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(used(4)).rejects.toThrow('not accepted')
    await used(6)
    expect(await passkeys.find(sql, { id: passkey.id })).toMatchObject({ counter: 6, used_at: clock.now() })
  })

  it('a ticket is good for one kind, for minutes, and once', async () => {
    const facts = { personId: 'usr_a', password: 'p', browser: 'b' }
    const { ticket } = makeTicket(ring, 'second_step', facts, clock.now())
    const opened = await openTicket(ring, 'second_step', ticket, clock.now())
    expect(opened).toMatchObject(facts)
    await expect(openTicket(ring, 'sign_in', ticket, clock.now())).rejects.toThrow('expired')
    await expect(openTicket(ring, 'second_step', `${ticket.slice(0, -2)}AA`, clock.now())).rejects.toThrow('expired')
    const spend = () => change((tx) => spendTicket(tx, opened))
    const both = await Promise.allSettled([spend(), spend()])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    clock.advance(TICKET_MS - 1)
    await expect(spend()).rejects.toThrow('already used')
    await openTicket(ring, 'second_step', ticket, clock.now())
    clock.advance(1)
    await expect(openTicket(ring, 'second_step', ticket, clock.now())).rejects.toThrow('expired')
  })

  it('recovery codes come with the first factor and go with the last; every change is told and recorded', async () => {
    const { person, by, organisationId } = await somebody()
    const first = await change((tx) => addPasskey(tx, deps, by, person.id, made(randomUUID()), 'Laptop'))
    expect(first.recoveryCodes).toHaveLength(10)
    const second = await change((tx) => addPasskey(tx, deps, by, person.id, made(randomUUID()), 'Phone'))
    expect(second.recoveryCodes).toBeUndefined()
    await change((tx) => removePasskey(tx, deps, by, person.id, first.passkey.id))
    expect((await factorsOf(sql, person.id)).recoveryCodes?.left).toBe(10)
    await change((tx) => removePasskey(tx, deps, by, person.id, second.passkey.id))
    expect(await factorsOf(sql, person.id)).toMatchObject({ passkeys: [], recoveryCodes: undefined })
    const { rows } = await readAudit(sql, { organisationId, action: 'factor.', limit: 20 })
    expect(rows.map(({ action, detail }) => [action, detail.label ?? detail.what]).sort()).toEqual([
      ['factor.add', 'Laptop'],
      ['factor.add', 'Phone'],
      ['factor.recovery', 'made'],
      ['factor.remove', 'Laptop'],
      ['factor.remove', 'Phone'],
    ])
    const mails = await sql.query<{ facts: string }>('select facts from outbox_message where person_id = $1', [
      person.id,
    ])
    expect(mails).toHaveLength(4)
    expect(mails.map(({ facts }) => JSON.parse(facts).change)).toContain('the passkey “Phone” was removed')
  })

  it('nobody has more than twenty passkeys, or one that is somebody else’s', async () => {
    const { person, by } = await somebody()
    for (let i = 0; i < LIMITS.counts.passkeysMax; i++) {
      await change((tx) => addPasskey(tx, deps, by, person.id, made(randomUUID()), `Key ${i}`))
    }
    const more = change((tx) => addPasskey(tx, deps, by, person.id, made(randomUUID()), 'One more'))
    await expect(more).rejects.toMatchObject({ code: 'conflict' })
    const [taken] = (await factorsOf(sql, person.id)).passkeys
    const other = await somebody()
    const again = change((tx) => addPasskey(tx, deps, other.by, other.person.id, made(taken?.id ?? ''), 'Copy'))
    await expect(again).rejects.toMatchObject({ code: 'conflict' })
    const remove = change((tx) => removePasskey(tx, deps, other.by, other.person.id, taken?.id ?? ''))
    await expect(remove).rejects.toMatchObject({ code: 'not_found' })
  })

  it('a factor that is required from a day on stops nobody before; who has none is told by mail', async () => {
    const { person, organisationId } = await withCodes()
    const other = await somebody()
    await change((tx) => addMember(tx, operatorIn(organisationId), { personId: other.person.id, role: 'viewer' }))
    const owner = { ...operatorIn(organisationId), kind: 'person', id: person.id, role: 'owner' } as const
    const plan = (required: boolean, fromMs?: number) =>
      change((tx) => setSecondFactorRequired(tx, deps, owner, { required, fromMs }))
    const state = async () => {
      await requireDueFactors(sql, clock)
      const { requires_second_factor: required, second_factor_from: fromMs } = await requireOrganisation(
        sql,
        organisationId,
      )
      return [required, fromMs]
    }
    const fromMs = clock.now() + 7 * DAY_MS
    for (const wrong of [clock.now(), clock.now() + 400 * DAY_MS]) {
      await expect(plan(true, wrong)).rejects.toMatchObject({ code: 'validation_failed' })
    }
    await plan(true, fromMs)
    const late = await somebody()
    for (const role of ['viewer', 'developer'] as const) {
      await change(async (tx) => {
        await setRole(tx, operatorIn(organisationId), { personId: late.person.id, role })
        await tellNewMember(tx, deps, organisationId, late.person.id)
      })
      clock.advance(1)
    }
    const told = (await listMessages(sql, 'mail', { limit: 100 })).filter(({ kind }) => kind === 'second_factor_needed')
    const facts = { from: iso(fromMs), owner: person.name }
    expect(told.map(({ person_id }) => person_id).sort()).toEqual([other.person.id, late.person.id].sort())
    expect(told).toMatchObject([{ facts }, { facts }])
    clock.advance(7 * DAY_MS - 3)
    expect(await state()).toEqual([false, fromMs])
    await plan(false)
    expect(await state()).toEqual([false, null])
    await plan(true, fromMs)
    clock.advance(1)
    expect(await state()).toEqual([true, null])
    await expect(plan(true, clock.now() + DAY_MS)).rejects.toMatchObject({ code: 'conflict' })
    const { rows } = await readAudit(sql, { organisationId, action: 'organisation.second_factor', limit: 1 })
    expect(rows[0]).toMatchObject({ actor_kind: 'system', detail: { required: true } })
  })

  it('an owner without a factor cannot require one; a member cannot give up the last where it is required', async () => {
    const { person, by, organisationId, secret } = await withCodes()
    const other = await somebody()
    const owner = (who: Person, place: string) =>
      ({ ...operatorIn(place), kind: 'person', id: who.id, role: 'owner' }) as const
    const without = change((tx) =>
      setSecondFactorRequired(tx, deps, owner(other.person, other.organisationId), { required: true }),
    )
    await expect(without).rejects.toMatchObject({ code: 'conflict' })
    const stale = { ...owner(person, organisationId), proved: false }
    await expect(change((tx) => setSecondFactorRequired(tx, deps, stale, { required: true }))).rejects.toMatchObject({
      code: 'proof_needed',
    })
    await change((tx) => addMember(tx, operatorIn(organisationId), { personId: other.person.id, role: 'viewer' }))
    const grants = [person.id, other.person.id]
    for (const id of grants) {
      await sql.query(
        `insert into oauth_record (digest, kind, payload, person_id, organisation_id, issued_at, expires_at, purge_at)
         values ($1, 'Grant', '{}', $2, $3, 0, $4, $4)`,
        [randomUUID(), id, organisationId, clock.now() + 3_600_000],
      )
    }
    const required = await change((tx) =>
      setSecondFactorRequired(tx, deps, owner(person, organisationId), { required: true }),
    )
    expect(required.requires_second_factor).toBe(true)
    const alive = await sql.query<{ person_id: string }>(
      `select person_id from oauth_record where kind = 'Grant' and organisation_id = $1 and consumed_at is null`,
      [organisationId],
    )
    expect(alive).toEqual([{ person_id: person.id }])
    await expect(change((tx) => removeCodes(tx, deps, by, person.id))).rejects.toMatchObject({ code: 'conflict' })
    expect(await change((tx) => resetFactors(tx, deps, person.id))).toBe(1)
    expect(hasFactor(await factorsOf(sql, person.id))).toBe(false)
    expect(secret).not.toBe('')
  })

  it('another secret of the server opens codes made before: they are sealed anew', async () => {
    const { person, secret } = await withCodes()
    const next = createRing(
      [
        { id: 1, material: Buffer.from('a secret of this test, long enough to be one') },
        { id: 2, material: Buffer.from('the next key of the ring') },
      ],
      2,
    )
    const passes = await resealAll(sql, next, [SEALED_CODE_GENERATORS], { settled: async () => true })
    expect(passes[SEALED_CODE_GENERATORS.about]).toMatchObject({ unreadable: 0 })
    const [row] = await sql.query<{ sealed: string }>('select sealed from code_generator where person_id = $1', [
      person.id,
    ])
    expect(row?.sealed.startsWith('2.')).toBe(true)
    next.replace([{ id: 2, material: Buffer.from('the next key of the ring') }], 2)
    expect(await change((tx) => useCode(tx, next, person.id, codeAt(secret, clock.now())))).toBe(true)
  })
})
