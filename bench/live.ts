/** Live facts: what they cost a check that knows them already, and a list that knows none of them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Callers, percentile, post } from './callers.ts'
import { assayEnvironment, machineLoad, median, type Server, startAssay, startLiveServers } from './server.ts'

const CONNECTIONS = 64
const ROUNDS = 9
const ROUND_MS = 2000
const RATIO_MAX = 1.15
const NAMES = 10_000
const LISTS = 3
const RESOLVER_MS = 20
const BULK_BUDGET_MS = 3000

export async function run(): Promise<string[]> {
  const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'assay-bench-')))
  const others = await startLiveServers(RESOLVER_MS)
  const { dns, rdap } = JSON.parse(others.url) as { dns: string; rdap: string }
  const on = {
    ASSAY_LIVE: 'on',
    ASSAY_DNS_SERVERS: dns,
    ASSAY_RDAP_URL: rdap,
    ASSAY_LIVE_BULK_BUDGET_MS: `${BULK_BUDGET_MS}`,
  }
  const without = await startAssay(assayEnvironment(folders[0]!))
  const live = await startAssay({ ...assayEnvironment(folders[1]!), ...on })
  try {
    return [...(await known(without, live)), ...(await cold(without, live))]
  } finally {
    for (const { child } of [without, live, others]) child.kill('SIGKILL')
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
}

async function known(without: Server, live: Server): Promise<string[]> {
  const checks = (server: Server) =>
    Array.from({ length: 100 }, (_, i) =>
      post(server.url, '/v1/supply-chain-risk', server.apiKey, JSON.stringify({ domain: `supplier-${i}.com` })),
    )
  const rounds: { readonly without: number; readonly live: number; readonly slower: number }[] = []
  const callers = {
    without: await Callers.open(without.url, CONNECTIONS),
    live: await Callers.open(live.url, CONNECTIONS),
  }
  await callers.live.closedLoop(checks(live), ROUND_MS)
  await callers.without.closedLoop(checks(without), ROUND_MS)
  for (let round = 0; round < ROUNDS; round++) {
    const plain = await callers.without.closedLoop(checks(without), ROUND_MS)
    const facts = await callers.live.closedLoop(checks(live), ROUND_MS)
    const rate = ({ byStatus, seconds }: typeof plain) => (byStatus.get(200) ?? 0) / seconds
    const slower = percentile(facts.latenciesMs, 0.5) / percentile(plain.latenciesMs, 0.5)
    rounds.push({ without: rate(plain), live: rate(facts), slower })
  }
  callers.without.close()
  callers.live.close()
  const of = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick))
  return [
    `A charged check whose facts are known costs ${of((round) => round.without / round.live).toFixed(2)} times one without live facts (wanted at most ${RATIO_MAX}); by the median of waiting ${of(({ slower }) => slower).toFixed(2)} times. ${Math.round(of((round) => round.live))} against ${Math.round(of((round) => round.without))} checks/s with ${CONNECTIONS} callers, median of ${ROUNDS} pairs of rounds (SQLite; ${machineLoad()})`,
  ]
}

async function cold(without: Server, live: Server): Promise<string[]> {
  const rounds: { readonly without: number; readonly cold: number; readonly warm: number; readonly other: number }[] =
    []
  for (let list = 0; list < LISTS; list++) {
    const domains = Array.from({ length: NAMES }, (_, i) => `list-${list}-firm-${i}.com`)
    const ordinary = await bulk(without, domains)
    const stop = new AbortController()
    const others = single(live, stop.signal)
    const first = await bulk(live, domains)
    stop.abort()
    rounds.push({ without: ordinary, cold: first, warm: await bulk(live, domains), other: await others })
  }
  const of = (pick: (round: (typeof rounds)[number]) => number) => Math.round(median(rounds.map(pick)))
  const most = Math.max(...rounds.map((round) => round.cold - round.without))
  return [
    `${NAMES} names nobody has asked about, with a resolver that takes ${RESOLVER_MS} ms: ${of(({ cold }) => cold)} ms, without live facts ${of((round) => round.without)} ms; the difference is at most ${Math.round(most)} ms (budget ${BULK_BUDGET_MS} ms). Asked again: ${of(({ warm }) => warm)} ms. Checks of others meanwhile: p99 ${of(({ other }) => other)} ms (median of ${LISTS} lists)`,
  ]
}

/** p99 of single checks, one after the other, until the signal. */
async function single(server: Server, signal: AbortSignal): Promise<number> {
  const took: number[] = []
  while (!signal.aborted) {
    const begun = performance.now()
    const response = await ask(server, '', { domain: 'supplier-1.com' })
    if (response.status !== 200) throw new Error(`a check answered ${response.status}`)
    await response.arrayBuffer()
    took.push(performance.now() - begun)
  }
  return percentile(
    took.sort((a, b) => a - b),
    0.99,
  )
}

async function bulk(server: Server, domains: readonly string[]): Promise<number> {
  const begun = performance.now()
  const response = await ask(server, '/bulk', { domains })
  if (response.status !== 200) throw new Error(`bulk answered ${response.status}`)
  await response.arrayBuffer()
  return performance.now() - begun
}

function ask(server: Server, path: string, body: object): Promise<Response> {
  return fetch(`${server.url}/v1/supply-chain-risk${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': server.apiKey },
    body: JSON.stringify(body),
  })
}
