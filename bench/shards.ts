/**
 * A hot account in several parts: what docs/scaling.md plans, simulated. One organisation's balance is one row, so all its
 * charges queue for one lock. Here the balance is a pool and S shards. A shard spends only what it has reserved from the
 * pool before (its lease), so that the account can never be overspent; that is asserted after every charge. The time of a
 * batch is measured on PostgreSQL first; shards are taken to be on servers of their own.
 */
import { loadPlans } from '../src/billing/plans.ts'
import { migrate } from '../src/db/migrate.ts'
import { openPostgres } from '../src/db/postgres.ts'
import { systemClock } from '../src/lib/clock.ts'
import { testAccounts, testMeter } from '../test/support/accounts.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { file, machineLoad, median } from './server.ts'

const SHARDS = [1, 2, 4, 16, 64]
const BATCH_MAX = 256
const SEEDS = 5
/** The end of an account's credit, and an account with credit for hours. */
const SHORT: Course = { creditPence: 10_000_000, chargesMax: Number.POSITIVE_INFINITY }
const LONG_CREDIT_PENCE = 100_000_000_000
const LONG_CHARGES_PER_SHARD = 50_000
const REFUSALS_MAX = 10_000
/** Some requests are lists: the dearer a request, the likelier a shard lacks what the account has. */
const LIST_PART = 0.001
const LIST_PENCE_MAX = 30_000

/**
 * `split`: the credit is divided once. `lease`: a shard that runs out reserves more from the pool, a share of the rest.
 * `recall`: the same, and before a refusal the pool takes all leases back.
 */
const POLICIES = ['split', 'lease', 'recall'] as const
type Policy = (typeof POLICIES)[number]

interface Course {
  readonly creditPence: number
  readonly chargesMax: number
}

/** Milliseconds of a batch: once, and for each charge. */
interface BatchCost {
  readonly onceMs: number
  readonly eachMs: number
}

export async function run(): Promise<string[]> {
  const { cost, measured } = await measureBatch()
  const lines = [
    `a batch of one organisation on PostgreSQL: ${measured} ms; as a line: ${cost.onceMs.toFixed(2)} ms, and ${(cost.eachMs * 1000).toFixed(0)} µs for each charge (${machineLoad()})`,
  ]
  for (const shards of SHARDS) {
    const seeds = Array.from({ length: SEEDS }, (_, seed) => seed)
    const of = (policy: Policy, pick: (one: Simulated) => number) =>
      median(seeds.map((seed) => pick(simulate(shards, policy, cost, seed, SHORT))))
    const wrong = (policy: Policy) =>
      `${of(policy, (one) => one.wrongRefusals).toFixed(0)}, the first with ${of(policy, (one) => 100 * one.leftAtFirstWrong).toFixed(2)} % of the credit left`
    lines.push(
      `${shards} ${shards === 1 ? 'shard' : 'shards'}: ${simulate(shards, 'recall', cost, 0, { creditPence: LONG_CREDIT_PENCE, chargesMax: LONG_CHARGES_PER_SHARD * shards }).perSecond.toFixed(0)} charges/s; refused although the account could pay: ${wrong('split')} (fixed split), ${wrong('lease')} (leases), ${of('recall', (one) => one.wrongRefusals).toFixed(0)} (recall, ${of('recall', (one) => one.recalls).toFixed(0)} of them and ${of('recall', (one) => one.reservations).toFixed(0)} reservations for ${of('recall', (one) => one.charges).toFixed(0)} charges); never overspent`,
    )
  }
  return lines
}

interface Simulated {
  readonly charges: number
  readonly perSecond: number
  readonly refusals: number
  /** Refused although the account, taken together, could have paid. */
  readonly wrongRefusals: number
  /** Part of the credit that was left at the first of them. */
  readonly leftAtFirstWrong: number
  readonly reservations: number
  readonly recalls: number
}

/** Every shard always has a full batch waiting, until the credit is used up or thousands were refused. */
function simulate(shards: number, policy: Policy, cost: BatchCost, seed: number, course: Course): Simulated {
  const { creditPence, chargesMax } = course
  const random = randomFrom(seed)
  const part = Math.floor(creditPence / shards)
  const lease = new Array<number>(shards).fill(policy === 'split' ? part : 0)
  let pool = creditPence - lease.reduce((sum, pence) => sum + pence, 0)
  let spent = 0
  const freeAtMs = new Array<number>(shards).fill(0)
  let poolFreeAtMs = 0
  const counts = { charges: 0, refusals: 0, wrongRefusals: 0, leftAtFirstWrong: 0, reservations: 0, recalls: 0 }
  const leased = () => lease.reduce((sum, pence) => sum + pence, 0)
  let nowMs = 0

  /** The pool is one row: reservations queue for it. */
  const atPool = () => {
    poolFreeAtMs = Math.max(poolFreeAtMs, nowMs) + cost.onceMs
    nowMs = poolFreeAtMs
  }
  const reserve = (shard: number, pence: number) => {
    atPool()
    counts.reservations++
    const taken = Math.min(pool, Math.max(pence, Math.floor(pool / (4 * shards))))
    pool -= taken
    lease[shard] = (lease[shard] ?? 0) + taken
  }
  /** Locks every shard, in order: waits for the batches that they are at. */
  const recall = () => {
    counts.recalls++
    nowMs = Math.max(nowMs, ...freeAtMs)
    atPool()
    pool += leased()
    lease.fill(0)
    freeAtMs.fill(nowMs)
  }

  while (spent < creditPence && counts.charges < chargesMax && counts.refusals < REFUSALS_MAX) {
    const shard = freeAtMs.indexOf(Math.min(...freeAtMs))
    nowMs = freeAtMs[shard] ?? 0
    for (let i = 0; i < BATCH_MAX && spent < creditPence; i++) {
      const pence = random() < LIST_PART ? 1 + Math.floor(random() * LIST_PENCE_MAX) : 1 + Math.floor(random() * 3)
      const lacks = () => pence - (lease[shard] ?? 0)
      if (lacks() > 0 && policy !== 'split' && pool > 0) reserve(shard, lacks())
      if (lacks() > 0 && policy === 'recall' && pool + leased() >= pence) {
        recall()
        reserve(shard, pence)
      }
      if (lacks() > 0) {
        counts.refusals++
        if (pool + leased() < pence) continue
        if (counts.wrongRefusals++ === 0) counts.leftAtFirstWrong = 1 - spent / creditPence
        continue
      }
      lease[shard] = (lease[shard] ?? 0) - pence
      spent += pence
      counts.charges++
      if ((lease[shard] ?? 0) < 0) throw new Error(`${shards} shards, ${policy}, seed ${seed}: overspent`)
    }
    if (pool < 0 || spent > creditPence || spent + pool + leased() !== creditPence) {
      throw new Error(`${shards} shards, ${policy}, seed ${seed}: the account does not add up`)
    }
    freeAtMs[shard] = nowMs + cost.onceMs + BATCH_MAX * cost.eachMs
  }
  return { ...counts, perSecond: (counts.charges * 1000) / Math.max(...freeAtMs) }
}

/** The same numbers for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed + 1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A line through the medians of batches of one organisation, from the first charge to the answer of the commit. */
async function measureBatch(): Promise<{ cost: BatchCost; measured: string }> {
  const postgres = await startPostgres()
  const sql = await openPostgres({ url: postgres.url })
  try {
    await migrate(sql)
    const billing = testAccounts({ sql, plans: loadPlans(file('plans.json')), clock: systemClock })
    await billing.open('org_hot', 'growth')
    const meter = testMeter({ sql, rules: billing.rules, clock: systemClock })
    const charge = (_: unknown, i: number) =>
      meter.charge({
        organisationId: 'org_hot',
        family: 'payment-risk',
        units: 1,
        credentialId: 'key_hot',
        requestId: `req_${i}`,
        answer: () => ({ before: '{', after: '}' }),
      })
    const points: { charges: number; ms: number }[] = []
    for (const charges of [1, 16, 64, BATCH_MAX]) {
      const times: number[] = []
      for (let round = -10; round < 40; round++) {
        const beginMs = performance.now()
        await Promise.all(Array.from({ length: charges }, charge))
        if (round >= 0) times.push(performance.now() - beginMs)
      }
      points.push({ charges, ms: median(times) })
    }
    await meter.close()
    const mean = (of: (point: (typeof points)[number]) => number) =>
      points.reduce((sum, point) => sum + of(point), 0) / points.length
    const [x, y] = [mean(({ charges }) => charges), mean(({ ms }) => ms)]
    const eachMs = mean((one) => (one.charges - x) * (one.ms - y)) / mean((one) => (one.charges - x) ** 2)
    const measured = points.map(({ charges, ms }) => `${charges} charges ${ms.toFixed(1)}`).join(', ')
    return { cost: { onceMs: Math.max(0.1, y - eachMs * x), eachMs }, measured }
  } finally {
    await sql.close()
    await postgres.stop()
  }
}
