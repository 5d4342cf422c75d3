import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'
import { newOrganisation, newPerson } from '../../../test/oauth/support/server.ts'
import { ManualClock } from '../../../test/support/clock.ts'
import { PASSWORD } from '../../../test/support/passwords.ts'
import { runs } from '../../../test/support/runs.ts'
import { describeRules } from '../../../test/support/stores.ts'
import { changeIn, type Sql } from '../../db/sql.ts'
import { createAfterwards } from '../../lib/afterwards.ts'
import { MINUTE_MS, SECOND_MS } from '../../lib/clock.ts'
import { sha256Hex } from '../../lib/hashing.ts'
import { readAudit } from '../audit.ts'
import type { Organisation } from '../organisation/organisations.ts'
import { disablePerson } from './changes.ts'
import { recordSignIn, rememberDevice, timeZoneOf } from './devices.ts'
import type { Person } from './people.ts'
import { createSignIn, PER_ACCOUNT, type SignIn } from './sign-in.ts'
import { takeTry, waitAfter } from './throttle.ts'

const START = '2026-03-01T12:00:00Z'

describeRules('growing waits', (open) => {
  let sql: Sql
  let organisation: Organisation
  let person: Person
  let clock: ManualClock
  let outcomes: string[]
  let afterwards: ReturnType<typeof createAfterwards>
  const device = sha256Hex('the browser of the owner')

  beforeEach(async () => {
    sql ??= await open()
    organisation ??= await newOrganisation(sql)
    await sql.query('delete from attempt_window')
    person = await newPerson(sql, [organisation])
    clock = new ManualClock(START)
    outcomes = []
    afterwards = createAfterwards((error) => {
      throw error
    })
    await changeIn(sql, clock, (tx) => rememberDevice(tx, person.id, device))
  })

  let addresses = 0
  const elsewhere = () => `10.${++addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`

  async function attempt(wish: Partial<SignIn>, store: Sql = sql): Promise<string> {
    const signIn = createSignIn({ sql: store, clock, afterwards, countSignIn: (outcome) => outcomes.push(outcome) })
    try {
      await signIn({ email: person.email, password: 'wrong password', ip: elsewhere(), ...wish })
      return 'in'
    } catch (error) {
      return (error as { code: string }).code
    }
  }

  it('five failures are free; each further one doubles the wait, up to five minutes; then all is forgotten', async () => {
    const waits: number[] = []
    for (let i = 0; i < 16; i++) {
      let waitMs = 0
      while ((await attempt({})) === 'rate_limited') {
        clock.advance(SECOND_MS)
        waitMs += SECOND_MS
      }
      waits.push(waitMs / SECOND_MS)
    }
    expect(waits).toEqual([0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
    expect(await attempt({ password: PASSWORD })).toBe('rate_limited')
    clock.advance(PER_ACCOUNT.forgottenMs)
    for (let i = 0; i < 5; i++) expect(await attempt({})).toBe('sign_in_failed')
  })

  it('the right password after the wait ends the run', async () => {
    for (let i = 0; i < 6; i++) await attempt({})
    expect(await attempt({ password: PASSWORD })).toBe('rate_limited')
    clock.advance(SECOND_MS)
    expect(await attempt({ password: PASSWORD })).toBe('in')
    for (let i = 0; i < 5; i++) expect(await attempt({})).toBe('sign_in_failed')
  })

  it('a refused attempt does not count against the address', async () => {
    for (let i = 0; i < 5; i++) await attempt({})
    for (let i = 0; i < 30; i++) expect(await attempt({ ip: '192.0.2.1', password: PASSWORD })).toBe('rate_limited')
    clock.advance(SECOND_MS)
    expect(await attempt({ ip: '192.0.2.1', password: PASSWORD })).toBe('in')
  })

  it('a clock that was set back makes nobody wait longer than five minutes', async () => {
    for (let i = 0; i < 5; i++) await attempt({})
    clock.step(-60 * MINUTE_MS)
    clock.advance(PER_ACCOUNT.waitMsMax)
    expect(await attempt({ password: PASSWORD })).toBe('in')
  })

  it('a stranger who floods makes the owner wait neither in their browser nor longer than the bound elsewhere', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            who: fc.constantFrom('stranger', 'stranger with a made-up browser', 'owner'),
            passesMs: fc.constantFrom(0, 500, SECOND_MS, 20 * SECOND_MS, 10 * MINUTE_MS),
          }),
          { maxLength: 25 },
        ),
        async (history) => {
          await sql.query('delete from attempt_window')
          let failures = 0
          let lastMs = Number.NEGATIVE_INFINITY
          for (const { who, passesMs } of history) {
            clock.advance(passesMs)
            if (who === 'owner') {
              expect(await attempt({ password: PASSWORD, deviceDigest: device })).toBe('in')
              continue
            }
            const own = who === 'stranger' ? {} : { deviceDigest: sha256Hex('made up') }
            if (clock.now() - lastMs >= PER_ACCOUNT.forgottenMs) failures = 0
            const waits = failures > 0 && lastMs + waitAfter(failures, PER_ACCOUNT) > clock.now()
            expect(await attempt(own)).toBe(waits ? 'rate_limited' : 'sign_in_failed')
            if (waits) continue
            failures++
            lastMs = clock.now()
          }
          clock.advance(PER_ACCOUNT.waitMsMax)
          expect(await attempt({ password: PASSWORD })).toBe('in')
        },
      ),
      { numRuns: runs(6) },
    )
  })

  it('a browser that is known has a count of its own, which grows too', async () => {
    for (let i = 0; i < 5; i++) expect(await attempt({ deviceDigest: device })).toBe('sign_in_failed')
    expect(await attempt({ deviceDigest: device, password: PASSWORD })).toBe('rate_limited')
    expect(await attempt({ password: PASSWORD })).toBe('in')
    clock.advance(SECOND_MS)
    expect(await attempt({ deviceDigest: device, password: PASSWORD })).toBe('in')
  })

  it('neither the answer nor the work tells whether there is such an account', async () => {
    const disabled = await newPerson(sql, [organisation])
    await changeIn(sql, clock, (tx) => disablePerson(tx, disabled.id))
    const seen = []
    for (const email of [person.email, 'nobody@example.com', disabled.email]) {
      // Seven attempts: the free ones, and two that are told to wait.
      for (let i = 0; i < 7; i++) {
        const work = await workOf((store) => attempt({ email, deviceDigest: sha256Hex('any') }, store))
        seen.push({ i, ...work })
      }
    }
    const [ours, nobody, none] = [seen.slice(0, 7), seen.slice(7, 14), seen.slice(14)]
    expect(ours.map(({ result }) => result)).toEqual([
      ...Array(5).fill('sign_in_failed'),
      'rate_limited',
      'rate_limited',
    ])
    expect(ours.map(({ derivations }) => derivations)).toEqual([1, 1, 1, 1, 1, 0, 0])
    expect(nobody).toEqual(ours)
    expect(none).toEqual(ours)
  })

  it('the 1st, 2nd, 4th, 8th … failure is recorded, by nobody in particular; of an unknown account nothing is', async () => {
    for (let i = 0; i < 9; i++) {
      await attempt({ requestId: 'req_1' })
      await attempt({ email: `nobody${i}@example.com` })
      // Recorded after the answer: two records at once may be written in either order.
      await afterwards.settled()
      clock.advance(5 * MINUTE_MS)
    }
    const { rows } = await readAudit(sql, { organisationId: organisation.id, action: 'session.fail', limit: 100 })
    const own = rows.filter(({ target_id }) => target_id === person.id)
    expect(own.map(({ detail }) => detail.failures)).toEqual([8, 4, 2, 1])
    expect(own[0]).toMatchObject({
      actor_kind: 'system',
      actor_id: 'somebody',
      request_id: 'req_1',
      detail: { name: person.name },
    })
    expect(outcomes.filter((one) => one === 'failed')).toHaveLength(18)
    expect((await readAudit(sql, { organisationId: '', action: 'session.fail', limit: 100 })).rows).toEqual([])
  })

  it('of many tries at once only those that are free are taken', async () => {
    const tries = await Promise.all(
      Array.from({ length: 20 }, () => takeTry(sql, `run of ${person.id}`, PER_ACCOUNT, clock.now())),
    )
    expect(tries.filter(({ waitMs }) => waitMs === 0)).toHaveLength(5)
  })

  it('twenty browsers are remembered, the one that was not seen for longest is forgotten', async () => {
    const known = async () =>
      (await sql.query<{ digest: string }>('select digest from known_device where person_id = $1', [person.id])).map(
        ({ digest }) => digest,
      )
    for (let i = 0; i < 25; i++) {
      clock.advance(SECOND_MS)
      const remembered = await changeIn(sql, clock, (tx) => rememberDevice(tx, person.id, sha256Hex(`browser ${i}`)))
      expect(remembered).toEqual({ isNew: true, isFirst: false })
      await changeIn(sql, clock, (tx) => rememberDevice(tx, person.id, device))
    }
    const digests = await known()
    expect(digests).toHaveLength(20)
    expect(digests).toContain(device)
    expect(digests).not.toContain(sha256Hex('browser 5'))
    expect(digests).toContain(sha256Hex('browser 24'))
  })

  /** The cost of an attempt: statements, and derivations of passwords. */
  async function workOf(work: (store: Sql) => Promise<string>) {
    let [statements, derivations] = [0, 0]
    const counting: Sql = {
      ...sql,
      query: (...args) => {
        statements++
        return sql.query(...args)
      },
    }
    const real = crypto.argon2
    crypto.argon2 = ((...args: Parameters<typeof real>) => {
      derivations++
      return real(...args)
    }) as typeof real
    syncBuiltinESMExports()
    try {
      return { result: await work(counting), statements, derivations }
    } finally {
      crypto.argon2 = real
      syncBuiltinESMExports()
    }
  }

  it('the time zone of a browser is kept if the browser is known, and only if there is such a zone', async () => {
    const zoneAfter = async (deviceDigest: string, timeZone: string) => {
      const from = { ip: elsewhere(), userAgent: undefined, deviceDigest, timeZone }
      await changeIn(sql, clock, (tx) => recordSignIn(tx, person, { amr: ['pwd'], from }))
      return timeZoneOf(sql, person.id)
    }
    expect(await zoneAfter(device, 'Europe/Nowhere')).toBeUndefined()
    expect(await zoneAfter(device, 'Europe/Berlin')).toBe('Europe/Berlin')
    expect(await zoneAfter('another browser', 'Asia/Tokyo')).toBe('Europe/Berlin')
    expect(await zoneAfter(device, '')).toBe('Europe/Berlin')
    expect(await zoneAfter(device, 'America/New_York')).toBe('America/New_York')
  })
})
