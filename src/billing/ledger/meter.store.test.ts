import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { TEST_SECRET, testAccounts, testMeter } from '../../../test/support/accounts.ts'
import { type Break, brokenRun } from '../../../test/support/broken-run.ts'
import { ManualClock } from '../../../test/support/clock.ts'
import { FULL } from '../../../test/support/full.ts'
import { describeEachStore } from '../../../test/support/stores.ts'
import { placeOfText, readText } from '../../db/kept-checks.ts'
import { changeIn, type Sql, StoreUnavailable } from '../../db/sql.ts'
import { findStoredResponse, keptAnswers, purgeStoredResponses } from '../../db/stored-response.ts'
import { Problem } from '../../errors.ts'
import { noteConfirmed } from '../../identity/organisation/organisations.ts'
import { type ChargeRequest, checkText } from '../../lib/charge.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { timedIdSeries } from '../../lib/ids.ts'
import { ringOf } from '../../lib/seal.ts'
import { LIMITS } from '../../limits.ts'
import { keysOfChecks, openerOf } from '../../record/sealed.ts'
import { loadPlans } from '../plans.ts'
import type { Billing } from '../pricing.ts'
import { findUnknownPlans, readEntries } from './accounts.ts'
import { type ChargeResult, createMeter, type Meter, type MeterLimits } from './meter.ts'
import { keepUncertainCharges } from './uncertain-charges.ts'
import { verifyLedger } from './verify.ts'

const plans = loadPlans()
/** The machine may pause at any moment: a wait ends with what it is for, not by the time, unless a test says so. */

function barrier() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

describeEachStore('the meter', (open, engine) => {
  let sql: Sql
  let clock: ManualClock
  let billing: ReturnType<typeof testAccounts>
  let organisations = 0

  beforeAll(async () => {
    sql = await open()
    clock = new ManualClock('2026-03-10T12:00:00Z')
    billing = testAccounts({ sql, plans, clock })
  })

  async function organisation(planId: string, creditPence = 0): Promise<string> {
    const organisationId = `org_${String(++organisations).padStart(4, '0')}`
    await billing.open(organisationId, planId)
    if (creditPence > 0) await billing.credit(organisationId, creditPence)
    return organisationId
  }

  const meterOf = (limits: Partial<MeterLimits> = {}, store = sql): Meter =>
    testMeter({ sql: store, rules: billing.rules, clock, limits })

  const request = (organisationId: string, more: Partial<ChargeRequest> = {}): ChargeRequest => ({
    organisationId,
    family: 'payment-risk',
    units: 1,
    credentialId: 'key_test',
    requestId: 'req_test',
    answer: () => ({ before: '{', after: '}' }),
    ...more,
  })

  const fieldsOf = ({ body }: ChargeResult): Billing => JSON.parse(body)
  const entriesOf = (organisationId: string) => readEntries(sql, { organisationId, afterSeq: 0, limit: 1000 })
  const codeOf = (promise: Promise<unknown>) =>
    promise.then(
      () => 'ok',
      (error) => (error instanceof Problem ? error.code : String(error)),
    )

  test('a charge is answered with its billing fields and has its entry', async () => {
    const id = await organisation('prepaid', 100)
    const answer = () => ({ before: '{"name":"x",', after: ',"more":1}' })
    const result = await meterOf().charge(request(id, { units: 2, requestId: 'req_1', answer }))
    expect(result.replayed).toBe(false)
    expect(JSON.parse(result.body)).toEqual({
      name: 'x',
      charged: true,
      is_free: false,
      unit_price_pence: 3,
      billable_units: 2,
      total_price_pence: 6,
      charged_from_credit_pence: 6,
      overage_pence: 0,
      remaining_credit_pence: 94,
      more: 1,
    })
    expect((await entriesOf(id)).at(-1)).toMatchObject({
      kind: 'charge',
      units: 2,
      prepaidDeltaPence: -6,
      prepaidAfterPence: 94,
      requestId: 'req_1',
      credentialId: 'key_test',
      planId: 'prepaid',
    })
  })

  test('402 when the credit does not cover the request, and nothing is written', async () => {
    const id = await organisation('prepaid', 5)
    expect(await codeOf(meterOf().charge(request(id, { units: 2 })))).toBe('credit_exhausted')
    expect(await entriesOf(id)).toHaveLength(1)
    expect(await billing.read(id)).toMatchObject({ prepaidPence: 5 })
  })

  test('a refusal is foreseen as the charge decides it; while enough is left nothing is read', async () => {
    const id = await organisation('prepaid', 7)
    let reads = 0
    const counting = { ...sql, query: ((...args) => ++reads && sql.query(...args)) as Sql['query'] }
    const meter = meterOf({}, counting)
    const foresee = async (units: number) => (await meter.foresee(request(id, { units })))?.detail
    expect([await foresee(2), reads > 0]).toEqual([undefined, true])
    await meter.charge(request(id))
    reads = 0
    expect(meter.foresee(request(id))).toBeUndefined()
    expect(reads).toBe(0)
    const words = 'The request costs 6 pence, but only 4 are left. Top up, or choose a plan with overage.'
    expect(await foresee(2)).toBe(words)
    await expect(meter.charge(request(id, { units: 2 }))).rejects.toMatchObject({ detail: words })
    // After a refusal the store is asked, and knows of the credit that has just come.
    await billing.credit(id, 100)
    expect([await foresee(2), reads > 0]).toEqual([undefined, true])
    expect(fieldsOf(await meter.charge(request(id, { units: 2 })))).toMatchObject({ remaining_credit_pence: 98 })
  })

  test('a refusal cannot be foreseen without the store: 503', async () => {
    const id = await organisation('prepaid', 7)
    const closed = { ...sql, query: () => Promise.reject(new StoreUnavailable('gone')) }
    await expect(meterOf({}, closed).foresee(request(id))).rejects.toMatchObject({ code: 'store_unavailable' })
  })

  test('the free plan gives its free units, then 402, then free units again next month', async () => {
    const id = await organisation('free')
    const meter = meterOf()
    const first = await meter.charge(request(id, { units: 999 }))
    expect(fieldsOf(first)).toMatchObject({ is_free: true, charged: false, total_price_pence: 0, billable_units: 999 })
    expect(await codeOf(meter.charge(request(id, { units: 2 })))).toBe('credit_exhausted')
    expect(fieldsOf(await meter.charge(request(id))).is_free).toBe(true)
    expect(await codeOf(meter.charge(request(id)))).toBe('credit_exhausted')
    const monthEndMs = Date.parse('2026-04-01T00:00:00Z') - clock.now()
    clock.step(monthEndMs)
    expect(fieldsOf(await meter.charge(request(id))).is_free).toBe(true)
    expect(await billing.read(id)).toMatchObject({ period: '2026-04', freeUnitsUsed: 1 })
    clock.step(-monthEndMs)
  })

  test('a sign-up that nobody confirmed has fewer free units, and 402 says what to do; one who is admitted lifts it', async () => {
    const id = await organisation('free')
    await sql.query('update organisation set unconfirmed = 1 where id = $1', [id])
    const meter = meterOf()
    const { unconfirmedChecksMax } = LIMITS.counts
    expect(fieldsOf(await meter.charge(request(id, { units: unconfirmedChecksMax }))).is_free).toBe(true)
    await expect(meter.charge(request(id))).rejects.toMatchObject({
      code: 'credit_exhausted',
      detail: expect.stringContaining('Open the link that was mailed'),
    })
    await changeIn(sql, clock, (tx) => noteConfirmed(tx, id))
    expect(fieldsOf(await meter.charge(request(id))).is_free).toBe(true)
  })

  test('403 for a disabled and an inactive account and for one that does not exist, seen at once', async () => {
    const id = await organisation('prepaid', 100)
    const meter = meterOf()
    await meter.charge(request(id))
    await sql.query(`update organisation set state = 'disabled' where id = $1`, [id])
    expect(await codeOf(meter.charge(request(id)))).toBe('account_disabled')
    await sql.query(`update organisation set state = 'inactive' where id = $1`, [id])
    expect(await codeOf(meter.charge(request(id)))).toBe('account_inactive')
    expect(await codeOf(meter.charge(request('org_nobody')))).toBe('account_inactive')
    await sql.query(`insert into organisation (id, name, state, created_at, updated_at)
      values ('org_no_account', 'Test', 'active', 0, 0)`)
    expect(await codeOf(meter.charge(request('org_no_account')))).toBe('account_inactive')
    expect(await billing.read(id)).toMatchObject({ prepaidPence: 97 })
  })

  test('the same key gives the same bytes and one charge, another body under it is refused', async () => {
    const id = await organisation('prepaid', 100)
    const idempotency = { key: 'k1', requestHash: 'h1' }
    const first = await meterOf().charge(request(id, { idempotency }))
    const again = await meterOf().charge(
      request(id, { idempotency, answer: () => ({ before: 'another body', after: '' }) }),
    )
    expect(again).toMatchObject({ body: first.body, replayed: true })
    expect(await codeOf(meterOf().charge(request(id, { idempotency: { key: 'k1', requestHash: 'h2' } })))).toBe(
      'idempotency_key_reused',
    )
    const other = await organisation('prepaid', 100)
    expect((await meterOf().charge(request(other, { idempotency }))).replayed).toBe(false)
    expect(await billing.read(id)).toMatchObject({ prepaidPence: 97 })
  })

  test('a refused request leaves its key unused', async () => {
    const id = await organisation('prepaid')
    const idempotency = { key: 'k1', requestHash: 'h1' }
    expect(await codeOf(meterOf().charge(request(id, { idempotency })))).toBe('credit_exhausted')
    await billing.credit(id, 10)
    expect((await meterOf().charge(request(id, { idempotency }))).replayed).toBe(false)
  })

  test('a key is forgotten after a day, purged or not', async () => {
    const id = await organisation('prepaid', 100)
    const idempotency = { key: 'k-day', requestHash: 'h1' }
    await meterOf().charge(request(id, { idempotency }))
    clock.advance(DAY_MS - 1)
    expect((await meterOf().charge(request(id, { idempotency }))).replayed).toBe(true)
    expect(await purgeStoredResponses(sql, clock.now())).toBe(0)
    clock.advance(1)
    const renewed = await meterOf().charge(request(id, { idempotency: { key: 'k-day', requestHash: 'h2' } }))
    expect(renewed.replayed).toBe(false)
    clock.advance(DAY_MS)
    expect(await purgeStoredResponses(sql, clock.now())).toBeGreaterThan(0)
    expect(await findStoredResponse(sql, { organisationId: id, key: 'k-day', nowMs: 0 })).toBeUndefined()
    expect(await billing.read(id)).toMatchObject({ prepaidPence: 94 })
  })

  test('one key sent through two nodes many times at once is charged once', async () => {
    const id = await organisation('prepaid', 100)
    const other = await open()
    const meters = [meterOf(), meterOf({}, other)]
    const idempotency = { key: 'race', requestHash: 'h1' }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        meters[i % 2]!.charge(request(id, { idempotency, answer: () => ({ before: `${i} {`, after: '}' }) })),
      ),
    )
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1)
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(await billing.read(id)).toMatchObject({ prepaidPence: 97 })
  })

  test('two nodes spend the last credit once', async () => {
    const id = await organisation('prepaid', 30)
    const meters = [meterOf(), meterOf({}, await open())]
    const codes = await Promise.all(Array.from({ length: 40 }, (_, i) => codeOf(meters[i % 2]!.charge(request(id)))))
    expect(codes.filter((code) => code === 'ok')).toHaveLength(10)
    expect(codes.filter((code) => code === 'credit_exhausted')).toHaveLength(30)
    expect(await billing.read(id)).toMatchObject({ prepaidPence: 0 })
  })

  test('an answer that cannot be made fails alone and costs nothing', async () => {
    const [a, b] = [await organisation('prepaid', 100), await organisation('prepaid', 100)]
    const meter = meterOf()
    const error = new Error('cannot be made')
    const answer = () => {
      throw error
    }
    const failing = meter.charge(request(a, { answer }))
    const others = [meter.charge(request(a)), meter.charge(request(b)), meter.charge(request(a))]
    await expect(failing).rejects.toBe(error)
    expect((await Promise.all(others)).map((one) => fieldsOf(one).remaining_credit_pence)).toEqual([97, 97, 94])
  })

  test('an item the database refuses fails alone', async () => {
    const [a, b] = [await organisation('prepaid', 100), await organisation('prepaid', 100)]
    const meter = meterOf()
    const bad = meter.charge(request(a, { requestId: 'with\0NUL' }))
    const good = Array.from({ length: 9 }, (_, i) => meter.charge(request(i % 2 ? a : b)))
    await expect(bad).rejects.toThrow(RangeError)
    await Promise.all(good)
    expect(await billing.read(a)).toMatchObject({ prepaidPence: 88 })
    expect(await billing.read(b)).toMatchObject({ prepaidPence: 85 })
  })

  test('a batch of many accounts and keys is priced in order', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => organisation('growth')))
    const meter = meterOf()
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, i) =>
        meter.charge(request(ids[i % 20]!, i % 3 ? {} : { idempotency: { key: `many-${i}`, requestHash: 'h' } })),
      ),
    )
    answers.forEach((answer, i) => {
      expect(fieldsOf(answer).remaining_credit_pence).toBe(12_000 - 2 * (Math.floor(i / 20) + 1))
    })
  })

  test('503 when too many requests wait, and after close; those under way are answered', async () => {
    const id = await organisation('prepaid', 100)
    const meter = meterOf({ pendingMax: 2 })
    const taken = [meter.charge(request(id)), meter.charge(request(id))]
    expect(await codeOf(meter.charge(request(id)))).toBe('store_unavailable')
    const closing = meter.close()
    expect(await codeOf(meter.charge(request(id)))).toBe('shutting_down')
    await closing
    expect(meter.pending).toBe(0)
    expect((await Promise.all(taken)).map((one) => fieldsOf(one).remaining_credit_pence)).toEqual([97, 94])
  })

  test('503 with Retry-After when the store fails, nothing charged, and the next charge works', async () => {
    const id = await organisation('prepaid', 100)
    let failures = 1
    const flaky: Sql = {
      ...sql,
      run: (...args) => (failures-- > 0 ? brokenRun(sql, 'before commit', ...args) : sql.run(...args)),
    }
    const meter = meterOf({}, flaky)
    const failed = meter.charge(request(id))
    await expect(failed).rejects.toMatchObject({ code: 'store_unavailable', headers: { 'retry-after': '1' } })
    expect(fieldsOf(await meter.charge(request(id))).remaining_credit_pence).toBe(97)
  })

  /** A meter whose next charge breaks at the moment that was given. */
  function breakableMeter() {
    let next: Break | undefined
    const lossy: Sql = {
      ...sql,
      run(...args) {
        const moment = next
        next = undefined
        return moment ? brokenRun(sql, moment, ...args) : sql.run(...args)
      },
    }
    const breakNext = (moment: Break) => {
      next = moment
    }
    return { meter: meterOf({}, lossy), breakNext }
  }

  test('a commit whose answer was lost is looked up: what happened is answered, what did not is 503', async () => {
    const id = await organisation('prepaid', 100)
    const { meter, breakNext } = breakableMeter()
    breakNext('answer lost, committed')
    expect(fieldsOf(await meter.charge(request(id))).remaining_credit_pence).toBe(97)
    breakNext('answer lost, rolled back')
    expect(await codeOf(meter.charge(request(id)))).toBe('store_unavailable')
    expect(await billing.read(id)).toMatchObject({ prepaidPence: 97 })
  })

  test('a check is on record if it was charged, and only then; a replay puts nothing more there', async () => {
    const id = await organisation('prepaid', 12)
    const { meter, breakNext } = breakableMeter()
    const newRequestId = timedIdSeries('req', () => clock.now())
    const asked = (indicator: string, more: Partial<ChargeRequest> = {}) => {
      const check = { kind: 'email', level: 'low', score: 4, outcome: null, channel: 'api', personId: null } as const
      const row = { ...check, digest: `digest of ${indicator}`.replaceAll(' ', '-'), intelligence: 'v1' }
      const answer = () => ({ before: '{', after: '}', keep: { row, text: checkText(indicator, '{', '}') } })
      return codeOf(meter.charge(request(id, { requestId: newRequestId(), answer, ...more })))
    }
    const onRecord = async () => {
      const rows = await sql.query('select digest from kept_check where organisation_id = $1 order by id', [id])
      return rows.map(({ digest }) => String(digest).slice('digest-of-'.length))
    }
    const keyed = { idempotency: { key: 'kept', requestHash: 'h' } }
    // One batch: the refused one leaves nothing beside the others.
    const together = [asked('a@x.example'), asked('b@x.example', { units: 9 }), asked('c@x.example', keyed)]
    expect(await Promise.all(together)).toEqual(['ok', 'credit_exhausted', 'ok'])
    expect(await asked('c@x.example', keyed)).toBe('ok')
    breakNext('before commit')
    expect(await asked('d@x.example')).toBe('store_unavailable')
    breakNext('answer lost, rolled back')
    expect(await asked('e@x.example')).toBe('store_unavailable')
    breakNext('answer lost, committed')
    expect(await asked('f@x.example')).toBe('ok')
    expect(await onRecord()).toEqual(['a@x.example', 'c@x.example', 'f@x.example'])
    const rows = JSON.stringify(await sql.query('select * from kept_text where organisation_id = $1', [id]))
    expect(rows).not.toContain('x.example')
    const texts = await sql.query<{ id: string; sealed: string }>(
      'select id, sealed from kept_text where organisation_id = $1',
      [id],
    )
    const open = openerOf(keysOfChecks(ringOf(TEST_SECRET)))
    const indicators = texts.flatMap((text) => readText(open(text.sealed, placeOfText(id, text.id)) ?? ''))
    expect(indicators.map((one) => one?.indicator).sort()).toEqual(['a@x.example', 'c@x.example', 'f@x.example'])
    for (const one of indicators) expect(JSON.parse(one!.answer)).toMatchObject({ charged: true })
  })

  test('many charges at a time are committed in halves where another thread commits; a few always together', async () => {
    const id = await organisation('prepaid', 1000)
    const sizes: number[] = []
    const counted: Sql = {
      ...sql,
      run(routine, input, options) {
        sizes.push((input as { charges: readonly unknown[] }).charges.length)
        return sql.run(routine, input, options)
      },
    }
    const meter = meterOf({}, counted)
    const wave = (count: number) => Promise.all(Array.from({ length: count }, () => meter.charge(request(id))))
    await wave(10)
    expect(sizes.splice(0)).toEqual([10])
    await wave(64)
    expect(sizes).toEqual(sql.routinesAtOnce > 1 ? [32, 32] : [64])
  })

  test('each check on record has its own text, in batches that share a commit, beside charges that keep nothing', async () => {
    const id = await organisation('prepaid', 1000)
    const meter = meterOf({ batchMax: 5 })
    const newRequestId = timedIdSeries('req', () => clock.now())
    const asked = (n: number) => {
      const check = { kind: 'email', level: 'low', score: 4, outcome: null, channel: 'api', personId: null } as const
      const row = { ...check, digest: `digest-${n}`, intelligence: 'v1' }
      // Batches of keeping charges alone, of both, and of others alone.
      const keep = n < 10 || n % 3 === 0 ? { row, text: checkText(`n${n}@x.example`, '{', '}') } : undefined
      const answer = () => ({ before: '{', after: '}', keep: n < 20 ? keep : undefined })
      return meter.charge(request(id, { requestId: newRequestId(), answer }))
    }
    await Promise.all(Array.from({ length: 30 }, (_, n) => asked(n)))
    const rows = await sql.query<{ digest: string; sealed: string; text_id: string; text_place: number }>(
      `select k.digest, t.sealed, k.text_id, k.text_place from kept_check k join kept_text t
       on t.organisation_id = k.organisation_id and t.id = k.text_id where k.organisation_id = $1 order by k.id`,
      [id],
    )
    const open = openerOf(keysOfChecks(ringOf(TEST_SECRET)))
    const found = rows.map(({ digest, sealed, text_id, text_place }) => [
      digest,
      readText(open(sealed, placeOfText(id, text_id)) ?? '')[text_place]?.indicator,
    ])
    const kept = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 18]
    expect(found).toEqual(kept.map((n) => [`digest-${n}`, `n${n}@x.example`]))
  })

  test('a charge whose caller got 503 is refunded when the store is back', async () => {
    const id = await organisation('growth')
    let failures = 0
    const refunded = barrier()
    const lossy: Sql = {
      ...sql,
      run: (...args) => (failures > 0 ? brokenRun(sql, 'answer lost, committed', ...args) : sql.run(...args)),
      async transaction(fn, options) {
        if (failures > 0 && failures--) throw new StoreUnavailable('down')
        const value = await sql.transaction(fn, options)
        const last = (await entriesOf(id)).at(-1)
        if (last?.kind === 'refund') refunded.open()
        return value
      },
    }
    const meter = meterOf({ lookupsMax: 2, lookupPauseMs: 1 }, lossy)
    failures = 3
    const keyed = meter.charge(request(id, { idempotency: { key: 'kept', requestHash: 'h' } }))
    const plain = meter.charge(request(id, { units: 5 }))
    expect(await codeOf(keyed)).toBe('store_unavailable')
    expect(await codeOf(plain)).toBe('store_unavailable')
    await refunded.opened
    const retried = await meter.charge(request(id, { idempotency: { key: 'kept', requestHash: 'h' } }))
    expect(retried.replayed).toBe(true)
    expect(await billing.read(id)).toMatchObject({ includedPence: 11_998, includedUsedPence: 2 })
  })

  test('the records of an uncertain charge and of a kept answer do not show the indicator', async () => {
    const id = await organisation('prepaid', 100)
    const folder = mkdtempSync(join(tmpdir(), 'assay-uncertain-'))
    const quiet = { error: () => {}, warn: () => {} }
    const later = () => () => {}
    const uncertain = keepUncertainCharges({ folder, refund: async () => true, logger: quiet, later })
    const lossy: Sql = {
      ...sql,
      run: (...args) => brokenRun(sql, 'answer lost, committed', ...args),
      transaction: () => Promise.reject(new StoreUnavailable('down')),
    }
    const seal = keptAnswers(ringOf('a secret of the tests, long enough'))
    const limits = { waitMsMax: 60_000, lookupsMax: 1, lookupPauseMs: 1 }
    const meter = createMeter({ sql: lossy, clock, rules: billing.rules, uncertain, seal, limits })
    const answer = () => ({ before: '{"target":"jane@asked.example",', after: ',"why":"asked.example"}' })
    try {
      const asked = [{}, { idempotency: { key: 'sealed', requestHash: 'digest of jane@asked.example' } }]
      const codes = await Promise.all(asked.map((more) => codeOf(meter.charge(request(id, { answer, ...more })))))
      expect(codes).toEqual(['store_unavailable', 'store_unavailable'])
      const written = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
      expect(written).toHaveLength(1)
      expect(written[0]).toContain(id)
      expect(written[0]).not.toContain('asked.example')
      const kept = await findStoredResponse(sql, { organisationId: id, key: 'sealed', nowMs: clock.now() })
      expect(kept?.body).toContain('"total_price_pence":3')
      expect(JSON.stringify(kept)).not.toContain('asked.example')
    } finally {
      await uncertain.close()
      rmSync(folder, { recursive: true })
    }
  })

  test('an account locked elsewhere does not delay the others, and is answered when the lock is let go', async () => {
    const [locked, free] = [await organisation('prepaid', 100), await organisation('prepaid', 100)]
    const other = await open()
    const meter = meterOf()
    const [holding, letGo] = [barrier(), barrier()]
    const holder = other.transaction(async (tx) => {
      await tx.query(`select 1 as one from billing_account where organisation_id = $1${tx.forUpdate}`, [locked])
      holding.open()
      // On SQLite a transaction holds the whole file: nobody can pass it, so it does not wait here.
      if (engine === 'postgres') await letGo.opened
    })
    await holding.opened
    const order: string[] = []
    const waiting = [meter.charge(request(locked)), meter.charge(request(locked))].map((charge) =>
      charge.then(() => order.push('locked')),
    )
    await Promise.all(Array.from({ length: 20 }, () => meter.charge(request(free))))
    order.push('free')
    letGo.open()
    await holder
    await Promise.all(waiting)
    if (engine === 'postgres') expect(order).toEqual(['free', 'locked', 'locked'])
    expect(await billing.read(locked)).toMatchObject({ prepaidPence: 94 })
    await meter.close()
  })

  // SQLite has no lock on a row to hold.
  if (engine === 'postgres') {
    test('503 when an account stays locked beyond the timeout', async () => {
      const id = await organisation('prepaid', 100)
      const other = await open()
      const meter = meterOf({ lockTimeoutMs: 20 })
      const [holding, letGo] = [barrier(), barrier()]
      const holder = other.transaction(async (tx) => {
        await tx.query(`select 1 as one from billing_account where organisation_id = $1${tx.forUpdate}`, [id])
        holding.open()
        await letGo.opened
      })
      await holding.opened
      expect(await codeOf(meter.charge(request(id)))).toBe('store_unavailable')
      letGo.open()
      await holder
      expect(fieldsOf(await meter.charge(request(id))).remaining_credit_pence).toBe(97)
    })
  }

  test('a payment posted twice is credited once, and wrong amounts are refused', async () => {
    const id = await organisation('prepaid')
    const credit = () => billing.credit(id, 50, { reason: 'card', reference: 'payment_1' })
    expect(await credit()).toMatchObject({ repeated: false, account: { prepaidPence: 50 } })
    expect(await credit()).toMatchObject({ repeated: true, account: { prepaidPence: 50 } })
    for (const pence of [0, -1, 1.5, Number.NaN, 1e10]) {
      expect(await codeOf(billing.credit(id, pence))).toBe('validation_failed')
    }
    expect(await codeOf(billing.credit(id, 1, { reason: ' ' }))).toBe('validation_failed')
    expect(await codeOf(billing.credit('org_nobody', 1))).toBe('not_found')
    expect(await codeOf(billing.setPlan(id, 'none'))).toBe('validation_failed')
    expect(await codeOf(billing.setPlan(id, 'growth'))).toBe('ok')
    expect(await codeOf(billing.read('org_nobody'))).toBe('not_found')
    expect(await findUnknownPlans(sql, plans)).toEqual([])
    expect(await findUnknownPlans(sql, new Map())).toContain('growth')
  })

  test('the database itself refuses to change or remove an entry', async () => {
    const id = await organisation('growth')
    const update = sql.query('update ledger_entry set units = 9 where organisation_id = $1', [id])
    await expect(update).rejects.toThrow('append-only')
    const remove = sql.query('delete from ledger_entry where organisation_id = $1', [id])
    await expect(remove).rejects.toThrow('append-only')
  })

  test('after all of this the ledger adds up', async () => {
    expect(await verifyLedger(sql)).toMatchObject({ clean: true })
  })

  test('verify names the first entry or account that does not fit', async () => {
    const id = await organisation('growth')
    const meter = meterOf()
    for (let i = 0; i < 3; i++) await meter.charge(request(id))
    for (const trigger of engine === 'sqlite' ? ['not_updated', 'not_deleted'] : ['not_changed', 'only_archived']) {
      await sql.query(`drop trigger ledger_entry_${trigger}${engine === 'sqlite' ? '' : ' on ledger_entry'}`)
    }
    async function broken(change: string, undo: string): Promise<object> {
      await sql.query(change, [id])
      const report = await verifyLedger(sql)
      await sql.query(undo, [id])
      return report
    }
    const entry = 'where organisation_id = $1 and seq = 3'
    const set = (column: string, by: number) =>
      broken(
        `update ledger_entry set ${column} = ${column} + ${by} ${entry}`,
        `update ledger_entry set ${column} = ${column} - ${by} ${entry}`,
      )
    for (const column of [
      'included_delta_pence',
      'included_after_pence',
      'overage_after_pence',
      'units',
      'free_units',
    ]) {
      expect(await set(column, 1)).toMatchObject({ clean: false, difference: { organisationId: id, seq: 3 } })
    }
    const account = (column: string) =>
      broken(
        `update billing_account set ${column} = ${column} + 1 where organisation_id = $1`,
        `update billing_account set ${column} = ${column} - 1 where organisation_id = $1`,
      )
    expect(await account('prepaid_pence')).toMatchObject({ difference: { organisationId: id, seq: undefined } })
    expect(await account('free_units_used')).toMatchObject({ difference: { organisationId: id } })
    expect(await account('entry_seq')).toMatchObject({ difference: { seq: 5, entryId: undefined } })
    expect(
      await broken(
        'update billing_account set entry_seq = entry_seq - 1 where organisation_id = $1',
        'update billing_account set entry_seq = entry_seq + 1 where organisation_id = $1',
      ),
    ).toMatchObject({ difference: { seq: 4, problem: 'the entry is counted by no account' } })
    expect(
      await broken(
        `update ledger_entry set seq = 1000 ${entry}`,
        'update ledger_entry set seq = 3 where organisation_id = $1 and seq = 1000',
      ),
    ).toMatchObject({ clean: false, difference: { organisationId: id } })
    await sql.query(
      `insert into ledger_entry select 'org_orphan', 1, 'ent_orphan', 'credit', '2026-03', 'free', null, 0, 0, 0, 0, 1, 0, 0, 1, 0,
         null, null, null, null, 0, 'made up'`,
    )
    expect(await verifyLedger(sql)).toMatchObject({
      difference: { organisationId: 'org_orphan', entryId: 'ent_orphan' },
    })
    await sql.query(`delete from ledger_entry where organisation_id = 'org_orphan'`)
    expect(await verifyLedger(sql)).toMatchObject({ clean: true })
  })

  test('verify is clean while charges go on', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => organisation('growth')))
    const meter = meterOf({}, await open())
    let verified = false
    const callers = ids.map(async (id) => {
      for (let i = 0; i < 5000 && !verified; i++) await meter.charge(request(id))
    })
    for (let i = 0; i < (FULL ? 10 : 3); i++) expect(await verifyLedger(sql)).toMatchObject({ clean: true })
    verified = true
    await Promise.all(callers)
  })

  test('organisations that use the same keys get their own answers', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => organisation('growth')))
    const meter = meterOf()
    const all = ids.flatMap((id) => ['1', '2', '3'].map((key) => ({ id, key })))
    const ask = () =>
      Promise.all(
        all.map(({ id, key }) =>
          meter.charge(
            request(id, {
              idempotency: { key, requestHash: 'h' },
              answer: () => ({ before: `${id} ${key} {`, after: '}' }),
            }),
          ),
        ),
      )
    const first = (await ask()).map(({ body }) => body)
    expect(first.map((body) => body.split(' {')[0])).toEqual(all.map(({ id, key }) => `${id} ${key}`))
    const again = await ask()
    expect(again.map(({ body }) => body)).toEqual(first)
    expect(again.every(({ replayed }) => replayed)).toBe(true)
  })
})
