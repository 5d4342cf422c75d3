/** The history: what keeping a check adds to it, in turn with checks that are not kept, on one server. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '../test/support/postgres.ts'
import { Callers, post, type Request } from './callers.ts'
import { assayEnvironment, cpuNs, file, machineLoad, median, type Server, startAssay } from './server.ts'

const CONNECTIONS = 64
const ROUNDS = 7
const ROUND_MS = 1000
/** Before each round: a kept check leaves work for a second later, which must fall into a round of its own kind. */
const SETTLE_MS = 1200
const RATIO_MIN = 0.9

interface Round {
  readonly perSecond: number
  readonly cpuUs: number
  readonly servingUs: number
}

export async function run(): Promise<string[]> {
  const lines: string[] = []
  const postgres = await startPostgres()
  for (const [name, database] of databasesOf(postgres)) {
    const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
    const environment = { ...assayEnvironment(folder), ...database }
    const server = await startAssay(environment)
    try {
      const setHistory = await historySwitch(server, environment)
      lines.push(
        await compare(server, setHistory, name, '', RATIO_MIN),
        await compare(server, setHistory, name, '?explain=true'),
      )
    } finally {
      server.child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  }
  await postgres.stop()
  return lines
}

const databasesOf = ({ url }: Postgres): [string, Record<string, string>][] => [
  ['SQLite', {}],
  ['PostgreSQL', { ASSAY_DATABASE_URL: url }],
]

async function compare(
  server: Server,
  setHistory: (history: 'off' | 'all') => Promise<void>,
  name: string,
  query: string,
  wanted?: number,
): Promise<string> {
  // As in a payment run: some hundred payees at half as many companies, met again and again.
  const checks = Array.from({ length: 100 }, (_, i) => {
    const body = JSON.stringify({ email: `person${i}@supplier-${i >> 1}.example` })
    return post(server.url, `/v1/payment-risk${query}`, server.apiKey, body)
  })
  const callers = await Callers.open(server.url, CONNECTIONS)
  const rounds: { readonly off: Round; readonly all: Round }[] = []
  for (let i = -1; i < ROUNDS; i++) {
    await setHistory('off')
    await callers.closedLoop(checks, SETTLE_MS)
    const off = await round(server, callers, checks)
    await setHistory('all')
    await callers.closedLoop(checks, SETTLE_MS)
    const all = await round(server, callers, checks)
    // The first pair is for warming up.
    if (i >= 0) rounds.push({ off, all })
  }
  callers.close()
  const of = (pick: (one: (typeof rounds)[number]) => number) => median(rounds.map(pick))
  const ratio = of(({ off, all }) => off.cpuUs / all.cpuUs)
  return (
    `${name}, ${query === '' ? 'plain' : 'explained'} check: kept ${ratio.toFixed(2)} of one that is not kept by processor time` +
    `${wanted === undefined ? '' : ` (wanted ${wanted})`}, ${of(({ off, all }) => all.perSecond / off.perSecond).toFixed(2)} by checks/s; ` +
    `${of(({ all }) => all.cpuUs).toFixed(0)} against ${of(({ off }) => off.cpuUs).toFixed(0)} µs of a core, ` +
    `${of(({ all }) => all.servingUs).toFixed(0)} against ${of(({ off }) => off.servingUs).toFixed(0)} on the serving thread ` +
    `(median of ${ROUNDS} pairs of rounds, ${CONNECTIONS} callers; ${machineLoad()})`
  )
}

async function round(server: Server, callers: Callers, checks: readonly Request[], triesLeft = 5): Promise<Round> {
  const before = cpuNs(server)
  const { byStatus, seconds } = await callers.closedLoop(checks, ROUND_MS)
  const after = cpuNs(server)
  const count = byStatus.get(200) ?? 0
  if ([...byStatus.keys()].some((status) => status !== 200)) {
    throw new Error(`checks failed: ${JSON.stringify([...byStatus])}`)
  }
  if (count === 0) {
    // All callers wait for one commit, and a disk that others write to may hold one for longer than a round.
    if (triesLeft === 0) throw new Error(`no check was answered within ${ROUND_MS} ms, in six rounds in a row`)
    return round(server, callers, checks, triesLeft - 1)
  }
  const us = (ns: number) => ns / 1000 / count
  return {
    perSecond: count / seconds,
    cpuUs: us(after.all - before.all),
    servingUs: us(after.serving - before.serving),
  }
}

/** Changes the setting, with a key that may. */
async function historySwitch({ url, apiKey }: Server, env: Record<string, string>) {
  const organisation = await fetch(`${url}/v1/organisation`, { headers: { 'x-api-key': apiKey } })
  const { id } = (await organisation.json()) as { id: string }
  const verb = ['key', 'create', '--json', '--org', id, '--scope', 'organisation:write']
  const made = execFileSync(process.execPath, [file('../src/main.ts'), ...verb], { env, encoding: 'utf8' })
  const key = (JSON.parse(made) as { api_key: string }).api_key
  return async (history: 'off' | 'all') => {
    const response = await fetch(`${url}/v1/organisation`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', 'x-api-key': key, 'if-match': '*' },
      body: JSON.stringify({ history }),
    })
    if (!response.ok) throw new Error(`the history was not switched: ${await response.text()}`)
  }
}
