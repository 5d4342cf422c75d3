/** Charged checks over HTTP, as ratios to a bare Fastify route in the same run; bulk against singles; memory. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { startPostgres } from '../test/support/postgres.ts'
import { assayEnvironment, median, type Server, startAssay, startBare } from './server.ts'

// Few callers wait for each other's commit in step; many keep both the disk and the processor busy.
const CONNECTIONS = [64, 128, 512] as const
// Short and many: a machine that is shared changes its speed by the second, so each round is held against its own yard.
const ROUNDS = 9
const ROUND_SECONDS = 2
// As in a payment run: some hundred payees at half as many companies, met again and again.
const PAYEES = Array.from({ length: 100 }, (_, i) => `person${i}@supplier-${i >> 1}.example`)
const MILLION = 1_000_000
const BATCH = 10_000

async function requestsPerSecond(server: Server, connections: number): Promise<number> {
  const result = await autocannon({
    url: `${server.url}/v1/payment-risk`,
    method: 'POST',
    connections,
    duration: ROUND_SECONDS,
    headers: { 'content-type': 'application/json', 'x-api-key': server.apiKey },
    requests: PAYEES.map((email) => ({ body: JSON.stringify({ email }) })),
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.average
}

async function bulk(server: Server, count: number): Promise<number> {
  const emails = Array.from({ length: count }, (_, i) => `person${i}@company-${i % 997}.example`)
  const startMs = performance.now()
  const response = await fetch(`${server.url}/v1/payment-risk/bulk`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': server.apiKey },
    body: JSON.stringify({ emails }),
  })
  if (response.status !== 200) throw new Error(`bulk answered ${response.status}`)
  await response.arrayBuffer()
  return performance.now() - startMs
}

function rssMb(server: Server): number {
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}

export async function run(): Promise<string[]> {
  const lines: string[] = []
  const folders = [mkdtempSync(join(tmpdir(), 'assay-bench-')), mkdtempSync(join(tmpdir(), 'assay-bench-'))]
  const postgres = await startPostgres()
  const bare = await startBare()
  const sqlite = await startAssay(assayEnvironment(folders[0]!))
  const onPostgres = await startAssay({ ...assayEnvironment(folders[1]!), ASSAY_DATABASE_URL: postgres.url })
  try {
    let one = 0
    for (const connections of CONNECTIONS) {
      const rates = { bare: [] as number[], sqlite: [] as number[], postgres: [] as number[] }
      for (let round = 0; round < ROUNDS; round++) {
        rates.bare.push(await requestsPerSecond(bare, connections))
        rates.sqlite.push(await requestsPerSecond(sqlite, connections))
        rates.postgres.push(await requestsPerSecond(onPostgres, connections))
      }
      const ratio = (of: readonly number[]) => median(of.map((rate, round) => rate / (rates.bare[round] ?? rate)))
      const two = median(rates.postgres)
      one = median(rates.sqlite)
      lines.push(
        `${connections} callers: bare Fastify with the same schemas ${Math.round(median(rates.bare))} requests/s`,
        `${connections} callers: charged check, API key, SQLite ${Math.round(one)} requests/s, ratio ${ratio(rates.sqlite).toFixed(2)} (wanted 0.50)`,
        `${connections} callers: charged check, API key, PostgreSQL ${Math.round(two)} requests/s, ratio ${ratio(rates.postgres).toFixed(2)} (wanted 0.35)`,
      )
    }

    const bulkMs = median([await bulk(sqlite, BATCH), await bulk(sqlite, BATCH), await bulk(sqlite, BATCH)])
    const singlesMs = (BATCH / one) * 1000
    lines.push(
      `10,000 records in one request: ${Math.round(bulkMs)} ms, ${(singlesMs / bulkMs).toFixed(1)}× faster than 10,000 singles at the rate above`,
    )
    const oneByOne = await oneAtATime(sqlite)
    lines.push(
      `… and ${Math.round((oneByOne * BATCH) / bulkMs)}× faster than 10,000 singles one after another (wanted 25)`,
    )

    const memory: string[] = []
    for (let done = 0; done < MILLION; done += BATCH) {
      await bulk(sqlite, BATCH)
      if ((done / BATCH) % 20 === 19) memory.push(`${(done + BATCH) / 1000}k: ${rssMb(sqlite)} MB`)
    }
    lines.push(`server memory over a million checks: ${memory.join(', ')}`)
  } finally {
    for (const server of [bare, sqlite, onPostgres]) server.child.kill('SIGKILL')
    await postgres.stop()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
  return lines
}

/** Milliseconds for one check by a caller who waits for each answer. */
async function oneAtATime(server: Server): Promise<number> {
  const count = 500
  const startMs = performance.now()
  for (let i = 0; i < count; i++) {
    const response = await fetch(`${server.url}/v1/payment-risk`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': server.apiKey },
      body: JSON.stringify({ email: `person${i}@company.example` }),
    })
    await response.arrayBuffer()
  }
  return (performance.now() - startMs) / count
}
