import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Callers, percentile, post } from '../../bench/callers.ts'
import { arrangeOrganisation } from '../../src/billing/checkout/sign-up.ts'
import { parsePlans } from '../../src/billing/plans.ts'
import { migrate } from '../../src/db/migrate.ts'
import { changeIn, type Sql } from '../../src/db/sql.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { type MeasuredServer, startMeasuredServer } from '../attack/measured-server.ts'
import { testAccounts } from '../support/accounts.ts'
import { type Hostile, type HostileSizes, makeHostile } from '../support/hostile.ts'
import { plan } from '../support/plans.ts'
import { createPlace, openPlace, type StorePlace } from '../support/stores.ts'
import type { AttackerData } from './attacker.ts'

/** A real server with two customers: a victim who checks, and a hostile one who pays nothing and stores the worst. */
export interface Neighbours {
  readonly server: MeasuredServer
  readonly sql: Sql
  readonly victimKey: string
  readonly hostile: Hostile
  close(): Promise<void>
}

const PLANS = parsePlans(
  [plan('prepaid', {}), plan('free', { free_units: 100_000, requests_per_second: 10 })],
  'the plans of the neighbours',
)

export async function startNeighbours(
  engine: StorePlace['engine'],
  { sizes, env = {} }: { readonly sizes: HostileSizes; readonly env?: Record<string, string> },
): Promise<Neighbours> {
  await using opened = new AsyncDisposableStack()
  const created = await createPlace(engine)
  opened.defer(created.remove)
  const sql = await openPlace(created.place)
  opened.defer(() => sql.close())
  await migrate(sql)
  const { rules } = testAccounts({ sql, clock: systemClock, plans: PLANS })
  const victim = await changeIn(sql, systemClock, (tx) =>
    arrangeOrganisation(tx, rules, { name: 'Victim', planId: 'prepaid', creditPence: 900_000_000 }),
  )
  const hostile = await makeHostile(sql, { plans: PLANS, planId: 'free', sizes })
  const server = await startMeasuredServer(created.place, PLANS, env)
  opened.defer(async () => void (await server.close()))
  const all = opened.move()
  return { server, sql, victimKey: victim.apiKey, hostile, close: () => all.disposeAsync() }
}

export interface Sent {
  readonly method?: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** The requests that an attacker repeats, and the number of its connections. */
export interface Walk {
  readonly requests: readonly Sent[]
  readonly connections: number
}

export interface Seen {
  /** Of the victim's checks without the attacker, and beside it. */
  readonly alone: Percentiles
  readonly beside: Percentiles
  /** The attacker's answers by status. */
  readonly answers: Readonly<Record<string, number>>
  /** Checks of the victim that were not answered 200. */
  readonly refused: number
}

/** Of each round, and then the median of the rounds: another program on the machine disturbs one round, not most. */
interface Percentiles {
  readonly p50Ms: number
  readonly p99Ms: number
}

const ROUNDS = 5
const ROUND_MS = 3000
const CHECKS_PER_SECOND = 100

/** Rounds of the victim's checks without and beside the attacker, in turn, so that both meet the same machine. */
export async function besideAttacker({ server, victimKey }: Neighbours, walk: Walk): Promise<Seen> {
  const attacker = new Worker(new URL('./attacker.ts', import.meta.url), {
    workerData: {
      url: server.url,
      requests: walk.requests.map((one) => wireText(server.url, one)),
      connections: walk.connections,
    } satisfies AttackerData,
  })
  await once(attacker, 'message')
  const callers = await Callers.open(server.url, 32)
  const checks = Array.from({ length: 100 }, (_, i) =>
    post(server.url, '/v1/payment-risk', victimKey, JSON.stringify({ email: `person${i}@supplier-${i >> 1}.example` })),
  )
  const rounds = { alone: [] as Percentiles[], beside: [] as Percentiles[] }
  const answers: Record<string, number> = {}
  let refused = 0
  const measure = async (into: Percentiles[]) => {
    const { latenciesMs, byStatus } = await callers.openLoop(checks, CHECKS_PER_SECOND, ROUND_MS)
    into.push({ p50Ms: percentile(latenciesMs, 0.5), p99Ms: percentile(latenciesMs, 0.99) })
    for (const [status, count] of byStatus) if (status !== 200) refused += count
  }
  try {
    await callers.openLoop(checks, CHECKS_PER_SECOND, 1000)
    for (let round = 0; round < ROUNDS; round++) {
      await measure(rounds.alone)
      const attacked = once(attacker, 'message') as Promise<[Record<string, number>]>
      attacker.postMessage(ROUND_MS)
      await measure(rounds.beside)
      for (const [status, count] of Object.entries((await attacked)[0]))
        answers[status] = (answers[status] ?? 0) + count
    }
  } finally {
    callers.close()
    await attacker.terminate()
  }
  return { alone: medianOf(rounds.alone), beside: medianOf(rounds.beside), answers, refused }
}

/** Below this a difference is noise of the machine. */
const NOISE_MS = 10
const RATIO_MAX = 3

/** How many times as long the slowest checks of the victim take beside the attacker. */
const ratioOf = ({ alone, beside }: Seen): number => beside.p99Ms / Math.max(NOISE_MS, alone.p99Ms)

/** Throws if the victim notices the attacker. */
export function expectUnnoticed(name: string, seen: Seen): void {
  const { alone, beside, answers, refused } = seen
  const said = Object.entries(answers).map(([status, count]) => `${count} × ${status}`)
  const text = `${name}: p50 ${alone.p50Ms.toFixed(1)} → ${beside.p50Ms.toFixed(1)} ms, p99 ${alone.p99Ms.toFixed(1)} → ${beside.p99Ms.toFixed(1)} ms, ratio ${ratioOf(seen).toFixed(1)}; the attacker got ${said.join(', ')}`
  process.stdout.write(`${text}\n`)
  if (refused > 0) throw new Error(`${refused} checks of the victim were refused. ${text}`)
  if (!(ratioOf(seen) <= RATIO_MAX)) throw new Error(`The victim waits more than ${RATIO_MAX} times as long. ${text}`)
}

function medianOf(rounds: readonly Percentiles[]): Percentiles {
  const median = (name: keyof Percentiles) =>
    percentile(
      rounds.map((round) => round[name]).sort((a, b) => a - b),
      0.5,
    )
  return { p50Ms: median('p50Ms'), p99Ms: median('p99Ms') }
}

function wireText(url: string, { method = 'GET', path, headers, body = '' }: Sent): string {
  const all = { host: new URL(url).host, ...headers, ...(body ? { 'content-length': Buffer.byteLength(body) } : {}) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}
