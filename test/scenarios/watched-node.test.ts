import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { newestMigration } from '../../src/db/migrate.ts'
import { createLogger } from '../../src/ops/logging.ts'
import { openTracing } from '../../src/ops/tracing.ts'
import { type RunningNode, startNode } from '../../src/serve.ts'
import { type Collector, startCollector } from '../support/collector.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { FULL } from '../support/full.ts'
import { LOG_FIELDS } from '../support/log-fields.ts'
import { freePort } from '../support/ports.ts'
import { assayd, MAIN, startProcess, type VerbResult } from '../support/process.ts'
import { openPlace } from '../support/stores.ts'

const INDICATOR = 'accounts@supplier-of-nobody.co.uk'
const COLLECTOR_KEY = 'k3y-0f-the-c0llector-9876543210'
const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }

describe('a node that is watched', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-tracing-'))
  const lines: Record<string, unknown>[] = []
  let collector: Collector
  let dns: Awaited<ReturnType<typeof startDnsServer>>
  let node: RunningNode
  let told: VerbResult[]
  let figures: string
  let known: string
  let answers: { readonly status: number; readonly headers: string }[]

  beforeAll(async () => {
    collector = await startCollector()
    dns = await startDnsServer({}, () => ({ A: ['192.0.2.7'], MX: [[10, 'mx.example.net']], NS: ['ns.example.net'] }))
    const env = {
      ASSAY_DATA_DIR: folder,
      HOST: '127.0.0.1',
      PORT: '0',
      ASSAY_METRICS_PORT: String(await freePort()),
      ASSAY_FEEDS_REFRESH: 'off',
      ASSAY_LIVE: 'on',
      ASSAY_LIVE_RDAP: 'off',
      ASSAY_LIVE_BUDGET_MS: '10000',
      ASSAY_DNS_SERVERS: dns.address,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `x-collector-key=${COLLECTOR_KEY}`,
      OTEL_SERVICE_NAME: 'assay-test',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test%20bench',
    }
    node = await startNode(
      parseConfig(env),
      createLogger({ level: 'debug', out: { write: (line) => void lines.push(JSON.parse(line)) } }),
    )
    const ask = async (headers: Record<string, string>) => {
      const response = await fetch(`${node.url}/v1/payment-risk?explain=true`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ email: INDICATOR }),
      })
      await response.text()
      return { status: response.status, headers: JSON.stringify([...response.headers]) }
    }
    const key = { 'x-api-key': node.demo?.apiKey ?? '' }
    answers = [
      await ask({ ...key, traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01` }),
      await ask({ ...key, traceparent: `00-${'0'.repeat(32)}-${CALLER.spanId}-01` }),
      await ask({ 'x-api-key': 'ask_nobody' }),
    ]
    const organisationId = (await organisations(env))[0]?.organisation_id ?? ''
    const made = await assayd(
      [
        'client',
        'create',
        '--org',
        organisationId,
        '--kind',
        'service',
        '--name',
        'Nightly',
        '--scope',
        'risk:payment',
        '--json',
      ],
      env,
    )
    const client = JSON.parse(made.stdout) as { client_id: string; client_secret: string }
    for (const [grant, secret] of [
      ['client_credentials', client.client_secret],
      ['client_credentials', 'wrong'],
      ['refresh_token', client.client_secret],
      ['made_up_by_a_stranger', client.client_secret],
    ] as const) {
      await fetch(`${node.url}/oauth/token`, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          authorization: `Basic ${Buffer.from(`${client.client_id}:${secret}`).toString('base64')}`,
        },
        body: `grant_type=${grant}`,
      })
    }
    figures = await (await fetch(`http://127.0.0.1:${env.ASSAY_METRICS_PORT}/metrics`)).text()
    told = [await assayd(['status', '--json'], env), await assayd(['status'], env)]
    const sql = await openPlace({ engine: 'sqlite', file: join(folder, 'assay.db') })
    const [row] = await sql.query<{ figures: string }>('select figures from node')
    known = JSON.parse(row?.figures ?? '{}').migration
    await sql.close()
    await node.stop()
    told.push(await assayd(['status'], env))
  })
  afterAll(async () => {
    await dns?.close()
    await collector?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const requests = () => collector.spans().filter(({ name }) => name === 'POST /v1/payment-risk')

  it('traces one check with its parts, below the span of the caller', () => {
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 401])
    const spans = collector.spans().filter(({ traceId }) => traceId === CALLER.traceId)
    const request = spans.find(({ parentSpanId }) => parentSpanId === CALLER.spanId)
    expect(request).toMatchObject({
      name: 'POST /v1/payment-risk',
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/payment-risk',
        'http.response.status_code': 200,
        'assay.request_id': expect.stringMatching(/^req_/),
        'assay.organisation_id': expect.stringMatching(/^org_/),
      },
    })
    const below = (id: string | undefined) =>
      spans.filter(({ parentSpanId }) => parentSpanId === id).map(({ name }) => name)
    expect(below(request?.spanId).sort()).toEqual(['engine.evaluate', 'ledger.charge'])
    expect(below(spans.find(({ name }) => name === 'engine.evaluate')?.spanId)).toEqual(['live.look_up'])
    expect(spans).toHaveLength(4)
    expect(collector.resource()).toMatchObject({
      'service.name': 'assay-test',
      'service.version': expect.any(String),
      'deployment.environment.name': 'test bench',
    })
  })

  it('begins a new trace where the caller sends no trace that could be gone on with', () => {
    expect(requests()).toHaveLength(3)
    for (const { traceId, parentSpanId } of requests().slice(1)) {
      expect(traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/)
      expect(traceId).not.toBe(CALLER.traceId)
      expect(parentSpanId ?? '').toBe('')
    }
  })

  it('puts no indicator, no key and no address of a caller into spans; the key of the collector goes to the collector alone', () => {
    const text = collector.text()
    for (const secret of [INDICATOR, 'supplier-of-nobody', node.demo?.apiKey ?? '', 'ask_nobody', '127.0.0.1:0']) {
      expect(text).not.toContain(secret)
    }
    expect(text).not.toMatch(/client\.address|network\.peer|url\.full|user_agent/)
    expect(text).toContain(COLLECTOR_KEY)
    expect(JSON.stringify(lines)).not.toContain(COLLECTOR_KEY)
  })

  it('names the trace in the log lines of the request, and in no answer', () => {
    const requestLines = lines.filter(({ msg, route }) => msg === 'request' && route === '/v1/payment-risk')
    expect(requestLines.map(({ trace_id }) => trace_id)).toEqual(requests().map(({ traceId }) => traceId))
    expect(requestLines.map(({ span_id }) => span_id)).toEqual(requests().map(({ spanId }) => spanId))
    for (const { headers } of answers) expect(headers).not.toMatch(/trace/i)
  })

  it('logs no field that the table lacks', () => {
    const names = new Set(lines.flatMap((line) => Object.keys(line)))
    expect([...names].filter((name) => !Object.hasOwn(LOG_FIELDS, name))).toEqual([])
  })

  it('counts tokens by grant and outcome, in words that no stranger chooses', () => {
    const tokens = [...figures.matchAll(/^assay_oauth_tokens_total\{(.*)\} (\d+)$/gm)].map(([, labels, count]) => [
      labels,
      Number(count),
    ])
    expect(tokens).toHaveLength(4)
    expect(tokens).toEqual(
      expect.arrayContaining([
        ['grant="client_credentials",outcome="issued"', 1],
        ['grant="client_credentials",outcome="invalid_client"', 1],
      ]),
    )
    expect(figures).not.toContain('made_up')
  })

  it.each([
    /^assay_build_info\{version="[\d.]+[^"]*",node="[\d.]+"\} 1$/m,
    /^assay_charge_batch_requests_sum 2$/m,
    /^assay_charge_commit_seconds_count [12]$/m,
    /^assay_queue_depth\{queue="charges"\} 0$/m,
    /^assay_queue_depth\{queue="engine"\} 0$/m,
    /^assay_queue_depth\{queue="live"\} \d+$/m,
    /^assay_store_statements_total [1-9]\d*$/m,
    /^assay_uncertain_charges 0$/m,
    /^assay_job_period_seconds\{task="billing"\} 300$/m,
    /^assay_feeds\{state="failing"\} 0$/m,
  ])('has %s among its metrics', (line) => {
    expect(figures).toMatch(line)
  })

  it('tells the other nodes which migrations its program knows', () => {
    expect(known).toBe(newestMigration())
  })

  it('is shown by `assayd status` while it runs, and no longer when it has stopped', () => {
    const [asJson, asText, afterwards] = told
    expect(JSON.parse(asJson?.stdout ?? '')).toMatchObject({
      database: { engine: 'sqlite' },
      nodes: [
        {
          state: 'ready',
          role: 'server',
          address: new URL(node.url).host,
          snapshot: { version: expect.any(String) },
          queues: { charges: 0, engine: 0, live: expect.any(Number), store: 0 },
        },
      ],
      jobs: expect.arrayContaining([expect.objectContaining({ name: 'billing', period_seconds: 300 })]),
    })
    expect(asText?.stdout).toMatch(/^\S+:\d+ +server +\d+\.\d+\.\d+\S* +ready/m)
    expect(afterwards?.stdout).toContain('No node runs, or none has reported yet.')
  })
})

async function organisations(env: Record<string, string>): Promise<readonly { readonly organisation_id: string }[]> {
  const { stdout } = await assayd(['org', 'list', '--json'], env)
  return JSON.parse(stdout) as { organisation_id: string }[]
}

describe('a collector that is away', () => {
  it.runIf(FULL)('costs one warning and spans, however many there are, and never a request', async () => {
    const told: string[] = []
    const logger = {
      warn: (_fields: object, message: string) => void told.push(message),
      info: (_fields: object, message: string) => void told.push(message),
    }
    const tracing = await openTracing(
      {
        url: `http://127.0.0.1:${await freePort()}/v1/traces`,
        headers: {},
        resource: {},
        serviceName: 'assay',
        sampler: 'always_on',
        ratio: 1,
      },
      { version: '0', logger },
    )
    const done = await Promise.all(
      Array.from({ length: 5000 }, (_, i) => tracing.span('work', { 'assay.units': i }, async () => i)),
    )
    expect(done).toHaveLength(5000)
    await tracing.close()
    expect(told).toEqual(['traces cannot be sent; the service continues without them'])
  })
})

describe('without a collector and a mail server', () => {
  it.runIf(FULL)('nothing of them is loaded', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-untraced-'))
    try {
      const preload = [new URL('../support/preload-loaded.ts', import.meta.url)]
      const server = await startProcess({ ASSAY_DATA_DIR: folder }, 'serve', { preload })
      expect((await fetch(`${server.url}/livez`)).status).toBe(200)
      expect(await server.kill('SIGTERM')).toBe(0)
      // The library of the metrics knows the interface, which does nothing by itself.
      const loaded = [...server.output().matchAll(/loads (\S+)/g)].map(([, name]) => name)
      expect(loaded.filter((name) => name !== '@opentelemetry/api')).toEqual([])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('in production', () => {
  it('the output is JSON lines and nothing else, and says when the server is ready whatever the level is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-production-'))
    const env = {
      NODE_ENV: 'production',
      ASSAY_SECRET: 'Wm3vQ7xK1pT9sB5nY2cR8fH4jL6dG0aZ-uE_iO',
      ASSAY_BASE_URL: 'https://assay.example',
      ASSAY_DATA_DIR: folder,
      ASSAY_SHUTDOWN_DELAY_MS: '0',
      ASSAY_METRICS_PORT: 'off',
      ASSAY_FEEDS_REFRESH: 'off',
      ASSAY_LIVE: 'off',
      LOG_LEVEL: 'warn',
      HOST: '127.0.0.1',
      PORT: '0',
    }
    const child = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      let text = ''
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        if (text.includes('Assay is ready on http')) child.kill('SIGTERM')
      })
      expect(await once(child, 'close')).toEqual([0, null])
      const lines = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(lines).toContainEqual({
        level: 'info',
        time: expect.any(String),
        msg: expect.stringContaining('is ready on'),
      })
    } finally {
      child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
