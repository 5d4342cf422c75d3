/** The client against the same batches sent raw, and how quickly the command line starts. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Assay } from '../sdk/src/index.ts'
import { assayEnvironment, file, median, startAssay } from './server.ts'

const DOMAINS = 100_000
const BATCH = 10_000
const CONCURRENCY = 4
const ROUNDS = 9
const STARTS = 30

/** The batches as anybody would send them: prepared beforehand, the answers parsed, nothing else. */
async function raw(url: string, apiKey: string, domains: readonly string[]): Promise<number> {
  const bodies: string[] = []
  for (let i = 0; i < domains.length; i += BATCH) bodies.push(JSON.stringify({ domains: domains.slice(i, i + BATCH) }))
  const startMs = performance.now()
  let next = 0
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (next < bodies.length) {
        const body = bodies[next++] ?? ''
        const response = await fetch(`${url}/v1/supply-chain-risk/bulk`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-api-key': apiKey, 'idempotency-key': crypto.randomUUID() },
          body,
        })
        if (response.status !== 200) throw new Error(`raw batch: ${response.status}`)
        await response.json()
      }
    }),
  )
  return performance.now() - startMs
}

async function client(assay: Assay, domains: readonly string[]): Promise<number> {
  const startMs = performance.now()
  let records = 0
  for await (const record of assay.supplyChain.checkMany(domains, { concurrency: CONCURRENCY })) {
    if (record.error) throw record.error
    records++
  }
  if (records !== domains.length) throw new Error('records are missing')
  return performance.now() - startMs
}

function startMs(args: readonly string[]): number {
  const beganMs = performance.now()
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`)
  return performance.now() - beganMs
}

export async function run(): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const server = await startAssay(assayEnvironment(folder))
  try {
    const assay = new Assay({ apiKey: server.apiKey, baseUrl: server.url })
    const domains = Array.from({ length: DOMAINS }, (_, i) => `supplier-${i.toString(36)}.example.com`)
    await raw(server.url, server.apiKey, domains)
    await client(assay, domains)
    const times = { raw: [] as number[], client: [] as number[] }
    for (let round = 0; round < ROUNDS; round++) {
      times.raw.push(await raw(server.url, server.apiKey, domains))
      times.client.push(await client(assay, domains))
    }
    const starts = { node: [] as number[], assay: [] as number[] }
    for (let i = 0; i < STARTS; i++) {
      starts.node.push(startMs(['-e', '0']))
      starts.assay.push(startMs([file('../cli/bin/assay.js'), '--version']))
    }
    const [rawMs, clientMs] = [median(times.raw), median(times.client)]
    const [nodeMs, assayMs] = [median(starts.node), median(starts.assay)]
    return [
      `${DOMAINS} domains raw, ${CONCURRENCY} batches at a time: ${Math.round(rawMs)} ms`,
      `the same by checkMany: ${Math.round(clientMs)} ms, ${(clientMs / rawMs).toFixed(2)}× (wanted at most 1.30×)`,
      `assay --version: ${Math.round(assayMs)} ms, ${(assayMs / nodeMs).toFixed(2)}× of node -e 0 (wanted under 2×)`,
    ]
  } finally {
    server.child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}
