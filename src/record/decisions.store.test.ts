import { beforeAll, expect, it } from 'vitest'
import { ManualClock } from '../../test/support/clock.ts'
import { keepCheck } from '../../test/support/kept-checks.ts'
import { describeRules } from '../../test/support/stores.ts'
import { type Actor, operatorIn } from '../access/actor.ts'
import { SCOPE_NAMES } from '../access/scopes.ts'
import { keptChecks } from '../db/kept-checks.ts'
import { changeIn, type Sql, type Tx } from '../db/sql.ts'
import { Problem } from '../errors.ts'
import { createOrganisation, setSecondPerson } from '../identity/organisation/organisations.ts'
import { ringOf } from '../lib/seal.ts'
import type { Reader } from './checks.ts'
import { type DecisionInput, decide } from './decisions.ts'
import { claimsOf, type ReportedCheck } from './evidence.ts'
import { signReceipt, verifyReceipt } from './receipt.ts'
import { listReceiptKeys, publishedReceiptKeys, receiptSigner, rotateReceiptKey } from './receipt-keys.ts'
import { decisions } from './remarks.ts'

const ring = ringOf('a secret that is long enough for a test of decisions')

describeRules('decisions about checks', (open) => {
  /** Two nodes. */
  let first: Sql
  let second: Sql
  let organisationId: string
  const clock = new ManualClock('2026-03-01T00:00:00Z')
  const change = <T>(sql: Sql, fn: (tx: Tx) => Promise<T>) => changeIn(sql, clock, fn)
  const actor = (id: string, kind: Actor['kind'] = 'person'): Actor => {
    const rights = { scopes: new Set(SCOPE_NAMES), role: 'owner' as const, proved: true }
    return { kind, id, organisationId, ...rights, ip: null, requestId: null }
  }
  const put = (
    sql: Sql,
    who: Actor,
    id: string,
    decision: DecisionInput['decision'],
    note: string | null = null,
    steps: string[] = [],
  ) => {
    const reader: Reader = { organisationId, everybody: true, credentialId: who.id, personId: who.id, kinds: [] }
    const outcome = change(sql, (tx) => decide(tx, who, { reader, id, input: { decision, note, steps } }, ring))
    return outcome.then(
      ({ state, by_id, second_by }) => ({ state, by_id, second_by }),
      (error: unknown) => {
        if (error instanceof Problem) return error.code
        throw error
      },
    )
  }
  const rowOf = (id: string) => keptChecks.find(first, { organisation_id: organisationId, id })
  const keep = () => keepCheck(first, ring, { organisationId })

  beforeAll(async () => {
    first = await open()
    second = await open()
    const made = await change(first, (tx) => createOrganisation(tx, { name: 'Four eyes', awaitingApproval: false }))
    organisationId = made.id
    await change(first, (tx) => setSecondPerson(tx, operatorIn(organisationId), 'decisions_need_two', true))
  })

  it('waits for another person, whom a program, the author and another decision are not', async () => {
    const id = await keep()
    const made = { state: 'made', by_id: 'ben', second_by: 'ada' }
    expect(await put(first, actor('key', 'api_key'), id, 'approved')).toMatchObject({ state: 'waiting' })
    expect(await put(first, actor('ada'), id, 'approved', 'called')).toMatchObject({ state: 'waiting', by_id: 'ada' })
    expect(await put(first, actor('ada'), id, 'approved', 'called twice')).toMatchObject({ state: 'waiting' })
    expect(await put(first, actor('key', 'api_key'), id, 'approved')).toBe('conflict')
    expect(await rowOf(id)).toMatchObject({ decision: 'approved', decision_state: 'waiting', review: 'open' })
    expect(await put(first, actor('ben'), id, 'false_alarm', 'seen', ['a'])).toMatchObject({ state: 'waiting' })
    expect(await put(first, actor('ada'), id, 'false_alarm', 'too', ['a', 'b'])).toEqual(made)
    expect(await rowOf(id)).toMatchObject({ decision: 'false_alarm', decision_state: 'made', review: 'done' })
    const { sealed } = (await decisions.find(first, { organisation_id: organisationId, id }))!
    expect(sealed).not.toContain('seen')
    // Nothing has to wait for a second person to be stopped.
    expect(await put(first, actor('cyd'), id, 'stopped')).toMatchObject({ state: 'made', second_by: null })
    const told = await first.query('select type from event where owner = $1 order by seq', [organisationId])
    expect(told.map(({ type }) => type)).toEqual(['check.review', 'check.decided', 'check.decided'])
  })

  it('of two second persons at the same time, on two nodes, one wins and the other hears of it', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await keep()
      await put(first, actor('ada'), id, 'approved')
      const outcomes = await Promise.all([
        put(first, actor('ben'), id, 'approved'),
        put(second, actor('cyd'), id, 'approved'),
      ])
      expect(outcomes.filter((one) => one === 'conflict')).toHaveLength(1)
      const winner = outcomes.find((one) => one !== 'conflict')
      expect(winner).toMatchObject({ state: 'made', by_id: 'ada' })
      const row = await decisions.find(first, { organisation_id: organisationId, id })
      expect(row).toMatchObject({ state: 'made', second_by: (winner as { second_by: string }).second_by })
    }
  })

  it('ends with its check', async () => {
    const id = await keep()
    await put(first, actor('ada'), id, 'stopped', 'secret note')
    await keptChecks.delete(first, { organisation_id: organisationId, id })
    expect(await decisions.find(first, { organisation_id: organisationId, id })).toBeUndefined()
  })

  it('has receipts under one key for all nodes; a former key stays published, and is refused after a leak', async () => {
    const [one, other] = await Promise.all([receiptSigner(first, ring, 1), receiptSigner(second, ring, 1)])
    expect(one.kid).toBe(other.kid)
    const about = { baseUrl: 'https://assay.example', organisationId, nowMs: 1 }
    const sign = async (nowMs: number) =>
      signReceipt(claimsOf(REPORTED, about), await receiptSigner(first, ring, nowMs))
    const isValid = async (receipt: string) =>
      'claims' in (await verifyReceipt(receipt, await publishedReceiptKeys(second)))
    const old = await sign(1)
    const { kid } = await rotateReceiptKey(first, ring, 10, { publishedSeconds: 1 })
    expect((await receiptSigner(second, ring, 1009)).kid).toBe(one.kid)
    expect((await receiptSigner(second, ring, 1010)).kid).toBe(kid)
    expect(await isValid(old)).toBe(true)
    expect((await publishedReceiptKeys(first)).keys.every((key) => !('d' in key))).toBe(true)
    await rotateReceiptKey(first, ring, 2000, { publishedSeconds: 1 })
    const [kept] = await first.query<{ n: number }>('select count(*) as n from receipt_key where sealed is not null')
    expect(Number(kept?.n)).toBe(2)
    const later = await sign(5000)
    await rotateReceiptKey(first, ring, 6000, { publishedSeconds: 1, atOnce: true })
    expect(await isValid(old)).toBe(false)
    expect(await isValid(later)).toBe(false)
    expect(await isValid(await sign(6000))).toBe(true)
    const states = (await listReceiptKeys(first, 6000)).map(({ state }) => state)
    expect(states).toEqual(['revoked', 'revoked', 'revoked', 'signing'])
  })
})

const REPORTED: ReportedCheck = {
  id: 'chk_1',
  asked_at: '2026-03-01T00:00:00.000Z',
  kind: 'email',
  indicator: 'jane@acme.example',
  risk: 'low',
  risk_score: 4,
  channel: 'console',
  asked_by: { kind: 'person', id: 'usr_1', name: null },
  request_id: 'req_1',
  price: { charged: false, is_free: true, unit_price_pence: 0, total_price_pence: 0 },
  intelligence_version: 'v1',
  rule_decision: null,
  decision: null,
  answer: {},
}
