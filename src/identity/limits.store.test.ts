import { beforeAll, expect, it } from 'vitest'
import { ManualClock } from '../../test/support/clock.ts'
import { describeRules } from '../../test/support/stores.ts'
import { type Actor, operatorIn } from '../access/actor.ts'
import { changeIn, type Sql, type Tx } from '../db/sql.ts'
import { Problem } from '../errors.ts'
import { DAY_MS, HOUR_MS } from '../lib/clock.ts'
import { LIMITS } from '../limits.ts'
import { addEntry } from '../own/lists/entries.ts'
import { createClient, deleteClient } from './clients/clients.ts'
import { createInvitation, revokeInvitation } from './invitations/invitations.ts'
import { createKey, keyState, revokeKey, rotateKey } from './keys/keys.ts'
import { createOrganisation } from './organisation/organisations.ts'
import { takeAttempts } from './people/throttle.ts'

/** Limits hold for whoever asks: here for the operator, who has no other bounds. */
describeRules('limits of an organisation', (open) => {
  let sql: Sql
  const clock = new ManualClock('2026-03-10T12:00:00Z')
  beforeAll(async () => {
    sql = await open()
  })

  const change = <T>(work: (tx: Tx) => Promise<T>) => changeIn(sql, clock, work)
  async function organisation(): Promise<Actor> {
    const { id } = await change((tx) => createOrganisation(tx, { name: 'Example Ltd', awaitingApproval: false }))
    return operatorIn(id)
  }
  async function refused(work: (tx: Tx) => Promise<unknown>): Promise<Problem> {
    const error = await change(work).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (!(error instanceof Problem)) throw error ?? new Error('it was allowed')
    return error
  }
  /** As many as there may be. */
  const fill = <T>(count: number, make: (tx: Tx) => Promise<T>): Promise<T[]> =>
    change(async (tx) => {
      const made: T[] = []
      for (let i = 0; i < count; i++) made.push(await make(tx))
      return made
    })

  it(`${LIMITS.counts.keysWorkingMax} keys may work; one that ends makes room, and the old one of a rotation counts while it works`, async () => {
    const actor = await organisation()
    const make = (tx: Tx) => createKey(tx, actor, { name: 'k', expiresAtMs: null })
    const [first, second] = await fill(LIMITS.counts.keysWorkingMax, make)
    expect((await refused(make)).code).toBe('conflict')
    expect((await refused((tx) => rotateKey(tx, actor, first!.key.id, 1))).code).toBe('conflict')
    const rotated = await change((tx) => rotateKey(tx, actor, first!.key.id, 0))
    expect(keyState(rotated.old, clock.now())).toBe('revoked')
    await change((tx) => revokeKey(tx, actor, second!.key.id))
    await change(make)
    expect((await refused(make)).detail).toBe('There are 500 valid keys. Revoke some first.')
  })

  it('a key is replaced with 0 to 90 days of grace, and its own end is not put off', async () => {
    const actor = await organisation()
    const endsAtMs = clock.now() + DAY_MS
    const { key } = await change((tx) => createKey(tx, actor, { name: 'k', expiresAtMs: endsAtMs }))
    for (const hours of [-1, 0.5, LIMITS.counts.graceHoursMax + 1, Number.NaN]) {
      expect((await refused((tx) => rotateKey(tx, actor, key.id, hours))).errors?.[0]?.pointer).toBe('/grace_hours')
    }
    const { old } = await change((tx) => rotateKey(tx, actor, key.id, LIMITS.counts.graceHoursMax))
    expect([old.expires_at, old.revoked_at]).toEqual([endsAtMs, null])
  })

  it.each([
    ['an empty name', { name: ' ' }, '/name'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, '/name'],
    ['no scope', { name: 'k', scopes: [] }, '/scopes'],
    ['a scope no key can have', { name: 'k', scopes: ['openid'] }, '/scopes'],
    ['an end in the past', { name: 'k', expiresAtMs: 1 }, '/expires_at'],
  ])('422 for a key with %s', async (_what, input, pointer) => {
    const actor = await organisation()
    const error = await refused((tx) => createKey(tx, actor, { expiresAtMs: null, ...input }))
    expect([error.status, error.errors?.[0]?.pointer]).toEqual([422, pointer])
  })

  it(`${LIMITS.counts.clientsMax} applications may be registered; a deleted one makes room`, async () => {
    const actor = await organisation()
    const request = { kind: 'service', name: 'a', scopes: ['risk:bulk'] }
    const make = (tx: Tx) => createClient(tx, actor, request, { production: true })
    const [first] = await fill(LIMITS.counts.clientsMax, make)
    expect((await refused(make)).code).toBe('conflict')
    await change((tx) => deleteClient(tx, actor, first!.client.id))
    await change(make)
  })

  it(`${LIMITS.counts.invitationsOpenMax} invitations may be open, each for 1 to 30 days; withdrawn and expired ones make room`, async () => {
    const actor = await organisation()
    const make = (tx: Tx) => createInvitation(tx, actor, { role: 'viewer', days: 1 })
    for (const days of [0, 31, 1.5]) {
      const error = await refused((tx) => createInvitation(tx, actor, { role: 'viewer', days }))
      expect(error.errors?.[0]?.pointer).toBe('/expires_in_days')
    }
    const [first] = await fill(LIMITS.counts.invitationsOpenMax, make)
    expect((await refused(make)).code).toBe('conflict')
    await change((tx) => revokeInvitation(tx, actor, first!.invitation.id))
    await change(make)
    expect((await refused(make)).code).toBe('conflict')
    clock.advance(DAY_MS)
    await change(make)
  })

  let names = 0
  const nextName = () => `name-${names++}.com`
  const makers: [keyof typeof LIMITS.daily, (tx: Tx, actor: Actor) => Promise<unknown>][] = [
    ['invitations', (tx, actor) => createInvitation(tx, actor, { role: 'viewer' })],
    ['keys', (tx, actor) => createKey(tx, actor, { name: 'k', expiresAtMs: null })],
    [
      'applications',
      (tx, actor) =>
        createClient(tx, actor, { kind: 'service', name: 'a', scopes: ['risk:bulk'] }, { production: true }),
    ],
    [
      'entries',
      (tx, actor) => addEntry(tx, actor, 'block', { indicator: nextName(), reason: null, expiresAtMs: null }),
    ],
  ]
  it.each(makers)(
    '%s that are made and ended in a loop stop at the bound of a day, which is told',
    async (what, make) => {
      const operator = await organisation()
      const actor: Actor = { ...operator, kind: 'person', id: 'usr_x', role: 'owner' }
      const limit = LIMITS.daily[what]
      const key = `daily ${what} ${actor.organisationId}`
      await takeAttempts(sql, key, limit, clock.now(), { wanted: limit.attemptsMax - 1 })
      clock.advance(HOUR_MS)
      await change((tx) => make(tx, actor))
      const { code, status, detail, headers } = await refused((tx) => make(tx, actor))
      expect([code, status, headers['retry-after']]).toEqual(['rate_limited', 429, String(23 * 3600)])
      expect(detail).toBe(
        `This organisation has created ${limit.attemptsMax} ${what} within a day, which is the limit. Wait 23 hours, then try again.`,
      )
      const other = { ...actor, organisationId: (await organisation()).organisationId }
      await change((tx) => make(tx, other))
      await change((tx) => make(tx, operator))
      clock.advance(23 * HOUR_MS)
      await change((tx) => make(tx, actor))
    },
  )

  it('a replaced key counts as a new one', async () => {
    const actor: Actor = { ...(await organisation()), kind: 'person', id: 'usr_x', role: 'owner' }
    const { key } = await change((tx) => createKey(tx, actor, { name: 'k', expiresAtMs: null }))
    const limit = LIMITS.daily.keys
    await takeAttempts(sql, `daily keys ${actor.organisationId}`, limit, clock.now(), { wanted: limit.attemptsMax })
    expect((await refused((tx) => rotateKey(tx, actor, key.id, 0))).code).toBe('rate_limited')
  })
})
