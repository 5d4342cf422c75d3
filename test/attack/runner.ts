import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Attack, Family } from './attack.ts'
import { bodies } from './families/bodies.ts'
import { encodings } from './families/encodings.ts'
import { headers } from './families/headers.ts'
import { lengths } from './families/lengths.ts'
import { methods } from './families/methods.ts'
import { oauth } from './families/oauth.ts'
import { pages } from './families/pages.ts'
import { paths } from './families/paths.ts'
import { pipelining } from './families/pipelining.ts'
import { queries } from './families/queries.ts'
import { retries } from './families/retries.ts'
import { smuggling } from './families/smuggling.ts'
import { tenants } from './families/tenants.ts'
import { judge } from './oracles.ts'
import { Random } from './random.ts'
import { type Answer, type Draft, exchange, LAST_REQUEST, printable, render } from './wire.ts'
import type { Memory, World } from './world.ts'

export const FAMILIES: readonly Family[] = [
  bodies,
  encodings,
  lengths,
  headers,
  methods,
  smuggling,
  pipelining,
  paths,
  queries,
  retries,
  tenants,
  oauth,
  pages,
]

/** At once: enough that requests meet inside the server. */
const WORKERS = 8
const WITNESS_EVERY = 500
/** Moments, over the whole run, at which the server's memory is looked at. */
const MEMORY_TIMES = 40
const GROUPS_SHOWN = 25

interface Row {
  requests: number
  failures: number
  readonly statuses: Map<number, number>
}

interface Failure {
  readonly family: string
  readonly attack: Attack
  readonly fault: string
  readonly answers: readonly Answer[]
  times: number
}

export interface Report {
  readonly failures: readonly Failure[]
  /** Billable units of every check that was answered, by request id. */
  readonly charges: ReadonlyMap<string, number>
  readonly memory: readonly Memory[]
  /** Family, requests, statuses and failures, to be read by a person. */
  table(): string
  /** Each different failure once, with the bytes that bring it about. */
  describe(): Promise<string>
}

export async function runAttack(
  world: World,
  options: { readonly seed: number; readonly requests: number; readonly families?: readonly Family[] },
): Promise<Report> {
  const { seed, requests, families = FAMILIES } = options
  const wheel = families.flatMap((family) => Array<Family>(family.weight).fill(family))
  const rows = new Map<string, Row>(
    families.map(({ name }) => [name, { requests: 0, failures: 0, statuses: new Map() }]),
  )
  const failures = new Map<string, Failure>()
  const charges = new Map<string, number>()
  const memory: Memory[] = []
  const memoryEvery = Math.ceil(requests / MEMORY_TIMES)
  let next = 0

  async function send(number: number): Promise<void> {
    const random = Random.of(seed, number)
    const family = random.pick(wheel)
    const attack = family.make(random, world)
    const exchanged = await sendTo(world, attack, async (port) => {
      // When the witness has its answer, the server has read what came before.
      await askWitness(world, charges)
      await world.idle(port)
    })
    const { answers } = exchanged
    const row = rows.get(family.name)
    if (!row) throw new Error(`no row for ${family.name}`)
    row.requests += attack.methods.length
    for (const { status } of answers.slice(0, attack.methods.length)) {
      row.statuses.set(status, (row.statuses.get(status) ?? 0) + 1)
    }
    for (const answer of answers) noteCharge(answer, charges)
    if (answers[0]) attack.learn?.(answers[0])
    const faults = judge(world, attack, exchanged)
    if (faults.length > 0) row.failures++
    for (const fault of faults) note(family.name, attack, fault, answers)
  }

  function note(family: string, attack: Attack, fault: string, answers: readonly Answer[]): void {
    const key = `${family} ${fault.replace(/\d+/g, '#').slice(0, 160)}`
    const before = failures.get(key)
    if (before) before.times++
    else failures.set(key, { family, attack, fault, answers, times: 1 })
  }

  async function work(): Promise<void> {
    for (let number = next++; number < requests; number = next++) {
      await send(number)
      if (number % WITNESS_EVERY === 0) {
        const fault = await askWitness(world, charges)
        if (fault) note('witness', witnessRequest(world), fault, [])
      }
      if (number % memoryEvery === 0) memory.push(await world.memory())
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, work))
  const last = await askWitness(world, charges)
  if (last) note('witness', witnessRequest(world), last, [])

  return {
    failures: [...failures.values()],
    charges,
    memory,
    table: () => tableOf(rows),
    describe: () => describeFailures(world, [...failures.values()]),
  }
}

function sendTo(
  world: World,
  attack: Pick<Attack, 'bytes' | 'methods' | 'clear'>,
  later: (port: number) => Promise<unknown>,
) {
  return exchange(world.port, [...attack.bytes, LAST_REQUEST], {
    methods: [...attack.methods, 'GET'],
    open: attack.clear ? undefined : later,
  })
}

/** A check that was answered costs what it says, and must stand in the ledger under its request id. */
function noteCharge({ status, headers, json }: Answer, charges: Map<string, number>): void {
  if (status !== 200 || typeof json !== 'object' || json === null || !('billable_units' in json)) return
  if (!('endpoint' in json) && !('results' in json)) return
  if (headers.get('idempotent-replayed') === 'true') return
  charges.set(headers.get('x-request-id') ?? 'none', Number(json.billable_units))
}

function witnessRequest(world: World): Attack {
  const draft: Draft = {
    method: 'POST',
    target: '/v1/supply-chain-risk',
    headers: [
      ['Host', 'localhost'],
      ['X-Api-Key', world.witness.key],
      ['Content-Type', 'application/json'],
    ],
    body: Buffer.from('{"domain":"Company.Example."}'),
  }
  return { about: 'one good check', bytes: [render(draft)], methods: ['POST'], target: undefined, clear: true, draft }
}

/** One good check, answered as always. */
async function askWitness(world: World, charges: Map<string, number>): Promise<string | undefined> {
  const { answers } = await sendTo(world, witnessRequest(world), async () => {})
  const [answer] = answers
  if (answer) noteCharge(answer, charges)
  const { target, risk, total_price_pence: price } = Object(answer?.json)
  if (answer?.status === 200 && target === 'company.example' && risk === 'low' && price === 2) return undefined
  return `witness: a good check was answered ${answer?.status} ${answer?.text.slice(0, 200)}`
}

function tableOf(rows: ReadonlyMap<string, Row>): string {
  const lines = [...rows].map(([name, { requests, statuses, failures }]) => {
    const counted = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}×${times}`)
    return [name, String(requests), String(failures), counted.join(' ')]
  })
  const all = [['family', 'requests', 'failures', 'statuses'], ...lines]
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((line) => line[column]?.length ?? 0)))
  return all.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n')
}

async function describeFailures(world: World, failures: readonly Failure[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-attack-failures-'))
  const texts: string[] = []
  for (const [i, failure] of failures.slice(0, GROUPS_SHOWN).entries()) {
    const attack = await shrink(world, failure)
    const bytes = Buffer.concat(attack.bytes)
    const file = join(folder, `${i + 1}.http`)
    writeFileSync(file, bytes)
    const shown =
      bytes.length > 1500
        ? `${printable(bytes.subarray(0, 1500))}… (${bytes.length} bytes, see the file)`
        : printable(bytes)
    const answer = failure.answers[0]
    texts.push(
      [
        `${i + 1}. ${failure.family}: ${failure.fault} (${failure.times} times)`,
        `   sent: ${failure.attack.about}`,
        `   answered: ${answer ? `${answer.status} ${answer.text.slice(0, 300)}` : 'nothing'}`,
        `   replay: nc 127.0.0.1 ${world.port} < ${file}`,
        `   printf '${shown}'`,
      ].join('\n'),
    )
  }
  if (failures.length > GROUPS_SHOWN) texts.push(`and ${failures.length - GROUPS_SHOWN} more`)
  return texts.join('\n\n')
}

const SHRINK_TRIES = 40

/** Makes a failing request smaller: headers, query and body are left out one after the other while the fault stays. */
async function shrink(world: World, { attack, fault }: Failure): Promise<Attack> {
  if (!attack.draft || fault.startsWith('wire: no end')) return attack
  const kind = fault.replace(/\d+/g, '#').slice(0, 60)
  let best = attack
  let tries = 0
  for (let smaller = true; smaller; ) {
    smaller = false
    for (const draft of lessOf(best.draft ?? attack.draft)) {
      if (++tries > SHRINK_TRIES) return best
      const candidate = { ...best, draft, bytes: [render(draft)] }
      const faults = judge(world, candidate, await sendTo(world, candidate, () => askWitness(world, new Map())))
      if (!faults.some((one) => one.replace(/\d+/g, '#').startsWith(kind))) continue
      best = candidate
      smaller = true
      break
    }
  }
  return best
}

function* lessOf(draft: Draft): Generator<Draft> {
  for (let i = 0; i < draft.headers.length; i++) {
    if (draft.headers[i]?.[0] === 'Host') continue
    yield { ...draft, headers: draft.headers.filter((_one, at) => at !== i) }
  }
  const query = draft.target.indexOf('?')
  if (query >= 0) {
    const parts = draft.target.slice(query + 1).split('&')
    for (let i = 0; i < parts.length; i++) {
      yield { ...draft, target: `${draft.target.slice(0, query)}?${parts.filter((_one, at) => at !== i).join('&')}` }
    }
  }
  if (draft.body && draft.body.length > 1) {
    yield { ...draft, body: draft.body.subarray(0, draft.body.length / 2) }
    yield { ...draft, body: draft.body.subarray(draft.body.length / 2) }
  }
}
