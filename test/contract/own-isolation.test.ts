import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOwnIndexes } from '../../src/risk/own/indexes.ts'
import type { OwnKnowledge } from '../../src/risk/own/knowledge.ts'
import { createTestEngine, KNOWN } from '../support/engine.ts'
import { memoryOwnSource, ownKnowledge } from '../support/own.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

/** The knowledge of one organisation changes its own answers, and nothing of anybody else's. */

describeRules('knowledge of one organisation', (open) => {
  const organisations = new Map<string, OwnKnowledge>()
  const log: string[] = []
  let server: TestServer
  let keeper: { id: string; apiKey: string }
  let other: { id: string; apiKey: string }

  beforeAll(async () => {
    const engine = createTestEngine(createOwnIndexes({ source: memoryOwnSource(organisations).source }))
    server = await startTestServer({ sql: await open(), engine, log: { write: (line: string) => void log.push(line) } })
    keeper = await server.organisation({ creditPence: 1000 })
    other = await server.organisation({ creditPence: 1000 })
  })
  afterAll(() => server.close())

  const REGISTER = ownKnowledge({
    counterparties: [
      { name: 'Harbourlight Secret Ltd', domains: ['harbourlight.com'], emails: ['ap@harbourlight.com'] },
    ],
    entries: [{ list: 'block', kind: 'domain', indicator: 'quiet-orchard.com', reason: 'known only to us' }],
  })
  const TEXTS = ['harbourlights.com', 'harbourlight.com', 'quiet-orchard.com', KNOWN.badDomain]
  /** Everything of an answer but the balance, which falls. */
  const shown = (text: string) => text.replace(/"remaining_credit_pence":\d+/g, '"remaining_credit_pence":0')

  async function answers(apiKey: string): Promise<string[]> {
    const all: string[] = []
    for (const query of ['', '?explain=true']) {
      for (const domain of TEXTS) {
        all.push(shown((await server.post(`/v1/supply-chain-risk${query}`, { domain }, apiKey)).text))
        all.push(shown((await server.post(`/v1/payment-risk${query}`, { email: `ap@${domain}` }, apiKey)).text))
      }
      all.push(shown((await server.post(`/v1/supply-chain-risk/bulk${query}`, { domains: TEXTS }, apiKey)).text))
    }
    return all
  }

  it('changes its answers, and no byte of the answers of another', async () => {
    const before = await answers(other.apiKey)
    expect(await answers(keeper.apiKey)).toEqual(before)
    organisations.set(keeper.id, REGISTER)
    const known = await answers(keeper.apiKey)
    expect(known).not.toEqual(before)
    expect(await answers(other.apiKey)).toEqual(before)
    expect(before.join()).not.toMatch(/own\.|Secret|known only to us|counterparty/)
    expect(
      JSON.parse(known[8]!)
        .results.map(({ risk }: { risk: string }) => risk)
        .slice(0, 3),
    ).toEqual(['high', 'low', 'high'])
  })

  it('keeps the thirteen fields, and names the counterparty only when asked to explain', async () => {
    const ask = (query: string) =>
      server.post(`/v1/supply-chain-risk${query}`, { domain: 'harbourlights.com' }, keeper.apiKey)
    expect(Object.keys((await ask('')).json)).toHaveLength(13)
    const { json } = await ask('?explain=true')
    expect(json).toMatchObject({
      risk: 'high',
      resembles: ['harbourlight.com'],
      counterparty: { name: 'Harbourlight Secret Ltd', relation: 'lookalike' },
      unit_price_pence: (await ask('')).json.unit_price_pence,
    })
    expect(json.signals[0].code).toBe('own.lookalike')
    const effects = json.signals.reduce((sum: number, { effect }: { effect: number }) => sum + effect, json.base_score)
    expect(effects).toBe(json.risk_score)
    const bulk = await server.post(
      '/v1/supply-chain-risk/bulk?explain=true',
      { domains: ['harbourlight.com'] },
      keeper.apiKey,
    )
    expect(bulk.json.results[0].counterparty).toMatchObject({ relation: 'domain' })
  })

  it('is not replayed to another under the same idempotency key', async () => {
    const headers = { 'idempotency-key': 'the-same-key' }
    const ask = (apiKey: string) =>
      server.post('/v1/supply-chain-risk?explain=true', { domain: 'harbourlights.com' }, apiKey, headers)
    const own = await ask(keeper.apiKey)
    const others = await ask(other.apiKey)
    expect(own.json.risk).toBe('high')
    expect(others.json.risk).toBe('low')
    expect(others.headers.get('idempotent-replayed')).toBeNull()
    expect((await ask(keeper.apiKey)).text).toBe(own.text)
    expect((await ask(other.apiKey)).text).toBe(others.text)
  })

  it('is in no line of the log, and in no public sample', async () => {
    const samples = await server.send('/api/samples')
    expect(samples.text).not.toMatch(/own\.|Secret|counterparty/)
    expect(log.join('\n')).not.toMatch(/Secret|known only to us|harbourlight/)
  })
})
