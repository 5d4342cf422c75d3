/**
 * What one key's hostile bodies cost other callers: p99 of their single checks without, while the same bodies are sent to
 * another process (which costs the machine as much and the server nothing), and with, in turn.
 */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { KINDS, type Kind } from '../src/lib/kinds.ts'
import { Callers, percentile, post } from './callers.ts'
import { assayEnvironment, file, machineLoad, startAssay, startSink } from './server.ts'

const BODIES_PER_SECOND = 10
const CHECKS_PER_SECOND = 300
const ROUNDS = 3
const ROUND_MS = 4000
const RATIO_MAX = 3

const BYTES = 4 * 1024 * 1024 - 64
const RECORDS = 10_000
const list = (text: (i: number) => string) =>
  `[${Array.from({ length: RECORDS }, (_, i) => JSON.stringify(text(i))).join(',')}]`
const times = (text: string) => text.repeat(Math.floor(BYTES / Buffer.byteLength(text)))

interface Shape {
  readonly kind: Kind
  /** The JSON in place of the list. */
  readonly list: () => string
  readonly explain?: true
}

const SHAPES: Readonly<Record<string, Shape>> = {
  '10,000 ordinary domains': { kind: 'domain', list: () => list((i) => `supplier-${i}.example`) },
  '10,000 lookalikes, explained': { kind: 'domain', list: () => list((i) => `paypa1-login-${i}.com`), explain: true },
  'arrays in arrays': { kind: 'domain', list: () => `${'['.repeat(BYTES / 2)}${']'.repeat(BYTES / 2)}` },
  'empty objects': { kind: 'domain', list: () => `[${times('{},')}{}]` },
  numbers: { kind: 'domain', list: () => `[${times('1,')}1]` },
  'short strings': { kind: 'email', list: () => `[${times('"",')}""]` },
  'one long number': { kind: 'ip', list: () => `[${times('1')}]` },
  'one string of escapes': { kind: 'email', list: () => `["${times('\\n')}"]` },
  'one string of marks': { kind: 'email', list: () => `["${times('\u0301\u0323')}"]` },
  'long internationalised domains': {
    kind: 'domain',
    list: () => list((i) => `${i}${'ü'.repeat(40)}.${'ж'.repeat(40)}.${'例'.repeat(10)}${i}.com`),
  },
  'punycode of 240 characters': { kind: 'domain', list: () => list(() => `${'xn--bcher-kva.'.repeat(17)}com`) },
  'invalid: ligatures': { kind: 'domain', list: () => list(() => '\ufdfa'.repeat(120)) },
  'invalid: 380 characters': { kind: 'email', list: () => list(() => 'x'.repeat(380)) },
  'invalid: marks': { kind: 'email', list: () => list(() => 'a\u0323\u0301\u0302'.repeat(54)) },
}

export async function run(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const environment = assayEnvironment(folder)
  const [server, sink] = [await startAssay(environment), await startSink()]
  const [others, hostile] = [makeKey(environment, 'Others'), makeKey(environment, 'Hostile')]
  const lines: string[] = []
  try {
    const callers = await Callers.open(server.url, 64)
    const checks = Array.from({ length: 100 }, (_, i) =>
      post(server.url, '/v1/payment-risk', others, JSON.stringify({ email: `person${i}@supplier-${i >> 1}.example` })),
    )
    const measure = async () => (await callers.openLoop(checks, CHECKS_PER_SECOND, ROUND_MS)).latenciesMs
    await callers.closedLoop(checks, 3000)
    for (const [name, shape] of Object.entries(SHAPES)) {
      const latenciesMs = { without: [] as number[], aside: [] as number[], with: [] as number[] }
      const senders = { aside: await send(sink.url, hostile, shape), with: await send(server.url, hostile, shape) }
      let answers: Answers = {}
      for (let round = 0; round < ROUNDS; round++) {
        latenciesMs.without.push(...(await measure()))
        for (const where of ['aside', 'with'] as const) {
          senders[where].postMessage('begin')
          latenciesMs[where].push(...(await measure()))
          senders[where].postMessage('end')
          answers = ((await once(senders[where], 'message')) as [Answers])[0]
          // Requests in progress must not slow down the next round.
          await idle(callers, checks)
        }
      }
      for (const sender of Object.values(senders)) await sender.terminate()
      const [without, aside, beside] = [p99(latenciesMs.without), p99(latenciesMs.aside), p99(latenciesMs.with)]
      const said = Object.entries(answers).map(([status, count]) => `${count}× ${status}`)
      lines.push(
        `${name}: p99 ${without.toFixed(1)} ms without, ${aside.toFixed(1)} ms with the bodies sent elsewhere, ${beside.toFixed(1)} ms with them sent here, ratio ${(beside / without).toFixed(1)} and ${(beside / aside).toFixed(1)} (wanted at most ${RATIO_MAX}); answered ${said.join(', ') || 'after the round'}`,
      )
      console.log(lines.at(-1))
    }
    callers.close()
    return [
      `${CHECKS_PER_SECOND} single checks a second of one organisation while another sends each body ${BODIES_PER_SECOND} times a second; ${ROUNDS} rounds of each kind of ${ROUND_MS / 1000} s, SQLite, one scoring thread; ${machineLoad()}`,
      ...lines,
    ]
  } finally {
    server.child.kill('SIGKILL')
    sink.child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

const p99 = (latenciesMs: readonly number[]) =>
  percentile(
    [...latenciesMs].sort((a, b) => a - b),
    0.99,
  )

type Answers = Record<string, number>

async function send(url: string, apiKey: string, { kind, list: records, explain }: Shape): Promise<Worker> {
  const { family, plural } = KINDS[kind]
  const path = `/v1/${family}/bulk${explain ? '?explain=true' : ''}`
  const body = `{"${plural}":${records()}}`
  const sender = new Worker(new URL('./hostile.ts', import.meta.url), {
    workerData: { url, path, apiKey, body, perSecond: BODIES_PER_SECOND },
  })
  await once(sender, 'message')
  return sender
}

/** Until answers come as quickly as they do when nothing else is going on, or for ten seconds. */
async function idle(callers: Callers, checks: Parameters<Callers['openLoop']>[0]): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    const { latenciesMs } = await callers.openLoop(checks, 200, 500)
    if (percentile(latenciesMs, 0.5) < 5) return
  }
}

function makeKey(environment: Record<string, string>, name: string): string {
  const args = [file('../src/main.ts'), 'org', 'create', '--name', name, '--plan', 'growth', '--json']
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    env: { PATH: process.env.PATH ?? '', ...environment },
    encoding: 'utf8',
  })
  const { api_key } = JSON.parse(stdout || '{}') as { api_key?: string }
  if (!api_key) throw new Error(`no organisation was made: ${stderr}`)
  return api_key
}
