import { createServer, type Server, type ServerResponse } from 'node:http'
import pino from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { createTestEngine, interruptible, KNOWN } from '../../test/support/engine.ts'
import { evaluateDomains, openDomains, readDomains } from '../../test/support/lists.ts'
import { memoryOwnSource, ownKnowledge } from '../../test/support/own.ts'
import { EngineBusy, EngineUnavailable, type RiskEngine } from './engine.ts'
import { createEngineServer } from './engine-server.ts'
import { isProblem, parseIndicator } from './indicator.ts'
import { createOwnIndexes } from './own/indexes.ts'
import { createRemoteEngine, type RemoteEngineOptions } from './remote.ts'

const TOKEN = 'the token that both sides of these tests share'
const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

function indicator(text: string) {
  const parsed = parseIndicator('domain', text)
  if (isProblem(parsed)) throw new Error(parsed.detail)
  return parsed
}

async function serveEngine(engine: RiskEngine): Promise<string> {
  const app = createEngineServer({ engine, token: TOKEN, logger: pino({ level: 'silent' }) })
  closers.push(() => app.close())
  return app.listen({ host: '127.0.0.1', port: 0 })
}

async function serveRaw(answer: (response: ServerResponse) => void): Promise<{ url: string; asked(): number }> {
  let asked = 0
  const server: Server = createServer((_request, response) => {
    asked++
    answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, asked: () => asked }
}

function remote(url: string, options: Partial<RemoteEngineOptions> = {}): RiskEngine {
  const engine = createRemoteEngine({ url, token: TOKEN, timeoutMs: 20_000, ...options })
  closers.push(() => engine.close())
  return engine
}

const ask = (engine: RiskEngine) => engine.evaluate('domain', [indicator(KNOWN.badDomain)], { explain: true })

const BACKGROUND = '{"base_score":10,"coverage":{},"intelligence":{"version":"1","built_at":"x"}}'

describe('an engine apart', () => {
  it('answers as the engine in the process does, reasons included', async () => {
    const local = createTestEngine()
    const engine = remote(await serveEngine(local))
    expect(await ask(engine)).toEqual(await ask(local))
    expect(await engine.intelligence()).toEqual(await local.intelligence())
  })

  it('looks facts up as it is told, in the share of the organisation that asks', async () => {
    const asked: unknown[] = []
    const local = createTestEngine()
    const evaluate: RiskEngine['evaluate'] = (kind, indicators, options) => {
      asked.push(options.lookUp, options.organisationId)
      return local.evaluate(kind, indicators, options)
    }
    const engine = remote(await serveEngine({ ...local, evaluate }))
    await engine.evaluate('domain', [indicator(KNOWN.badDomain)], { explain: false, lookUp: false })
    await engine.evaluate('domain', [indicator(KNOWN.badDomain)], { explain: false, organisationId: 'org_1' })
    expect(asked).toEqual([false, undefined, true, 'org_1'])
  })

  it('gets what the organisation knows once for each version, and keeps organisations apart', async () => {
    const rule = { name: 'Ünlisted', when: { levels: ['low'] }, outcome: 'approve', text: 'Geht' } as const
    const organisations = new Map([
      ['org_1', ownKnowledge({ counterparties: [{ domains: ['harbourlight.com'] }], rules: [rule] })],
      ['org_2', ownKnowledge({ entries: [{ list: 'block', kind: 'domain', indicator: 'harbourlight.com' }] })],
    ])
    const own = createOwnIndexes({ source: memoryOwnSource(organisations).source })
    const local = createTestEngine(own)
    const lengths: number[] = []
    const app = createEngineServer({ engine: createTestEngine(), token: TOKEN, logger: pino({ level: 'silent' }) })
    app.addHook('onRequest', async (request) => void lengths.push(Number(request.headers['content-length'])))
    closers.push(() => app.close())
    const engine = remote(await app.listen({ host: '127.0.0.1', port: 0 }), { own })
    const texts = ['harbourlight.com', 'harbourlights.com', ...Array.from({ length: 300 }, (_, i) => `shop-${i}.com`)]
    const both = async (organisationId: string) => {
      const indicators = texts.slice(0, 2).map(indicator)
      const options = { explain: true, organisationId }
      expect(await engine.evaluate('domain', indicators, options)).toEqual(
        await local.evaluate('domain', indicators, options),
      )
      const lists = [engine, local].map((one) => evaluateDomains(one, texts, options))
      expect(await lists[0]).toBe(await lists[1])
      return lists[1]
    }
    const levelsOf = async (id: string) =>
      (JSON.parse(`[${await both(id)}]`) as { risk: string }[]).slice(0, 2).map(({ risk }) => risk)
    expect(await levelsOf('org_1')).toEqual(['low', 'high'])
    expect(await levelsOf('org_2')).toEqual(['high', 'low'])
    expect(await levelsOf('org_3')).toEqual(['low', 'low'])
    // For each organisation with knowledge: refused once, sent again with the index, and then read, list.
    expect(lengths).toHaveLength(4 + 4 + 3)
    expect(await both('org_1')).toContain('"decision":{"outcome":"approve","rule":"Ünlisted","text":"Geht"}')
    expect(await both('org_2')).not.toContain('decision')
    organisations.set('org_1', ownKnowledge({ version: 2 }))
    expect(await levelsOf('org_1')).toEqual(['low', 'low'])
    expect(await levelsOf('org_2')).toEqual(['high', 'low'])
  })

  it('gets what organisations know also where only one index has room in memory', async () => {
    const organisations = new Map(
      ['org-1', 'org-2', 'org-3'].map((id) => [id, ownKnowledge({ counterparties: [{ domains: [`${id}.com`] }] })]),
    )
    const { source } = memoryOwnSource(organisations)
    const engine = remote(await serveEngine(createTestEngine()), { own: createOwnIndexes({ source, bytesMax: 1 }) })
    const local = createTestEngine(createOwnIndexes({ source }))
    const asked = [...organisations.keys(), ...organisations.keys()].map((organisationId, i) => {
      const domains = [indicator(`org-${(i % 4) + 1}.com`), indicator('harbourlight.com')]
      return (one: RiskEngine) => one.evaluate('domain', domains, { explain: true, organisationId })
    })
    const all = (one: RiskEngine) => Promise.all(asked.map((ask) => ask(one)))
    expect(await all(engine)).toEqual(await all(local))
  })

  it('takes a list of 10,000, reads it and gives its results, reasons included', async () => {
    const local = createTestEngine()
    const engine = remote(await serveEngine(local))
    const texts = [KNOWN.badDomain, ...Array.from({ length: 9999 }, (_, i) => `shop-${i}.example`)]
    const said = async (of: RiskEngine) => (await openDomains(of, texts)).evaluate({ explain: true })
    const answer = await said(engine)
    expect(answer).toEqual(await said(local))
    expect(JSON.parse(`[${answer.results}]`)).toHaveLength(10_000)
    expect(answer.coverage.lists).toMatchObject({ status: 'consulted', sources: 1 })
  })

  it.each([3, 300])('names the invalid records of a list of %i', async (count) => {
    const local = createTestEngine()
    const engine = remote(await serveEngine(local))
    const texts = [...Array.from({ length: count }, () => 'shop.example'), null, 'https://shop.example/']
    const found = await readDomains(engine, texts)
    expect(found).toEqual(await readDomains(local, texts))
    expect(found?.first.map(({ index, code }) => [index, code])).toEqual([
      [count, 'wrong_type'],
      [count + 1, 'invalid_domain'],
    ])
  })

  it.each(['organisation', 'everybody'] as const)('passes on that it is busy with the work of %s', async (of) => {
    const asked: string[] = []
    const busy: RiskEngine = {
      ...createTestEngine(),
      openList: async (_kind, _body, { organisationId }) => {
        asked.push(organisationId)
        throw new EngineBusy(of, 50_000)
      },
    }
    const engine = remote(await serveEngine(busy), { failuresToOpen: 1 })
    const check = () => evaluateDomains(engine, ['shop.example'])
    for (let i = 0; i < 3; i++)
      await expect(check()).rejects.toMatchObject({ name: 'EngineBusy', of, recordsMax: 50_000 })
    // Once each: asking a busy engine again at once makes it no less busy. And the breaker stays closed.
    expect(asked).toEqual(['org_a', 'org_a', 'org_a'])
    expect((await ask(engine)).evaluations).toHaveLength(1)
  })

  it.each([
    ['too few results', `{"records":1,"background":${BACKGROUND},"results":[{}]}`],
    ['half a list', `{"records":2,"background":${BACKGROUND},"results":[{},{`],
    ['results without what they rest on', '{"records":2,"background":{},"results":[{},{}]}'],
    ['nothing', ''],
  ])('never passes on %s for a list', async (_what, body) => {
    const { url } = await serveRaw((response) => response.end(body))
    const asking = evaluateDomains(remote(url), ['a.example', 'b.example'])
    await expect(asking).rejects.toBeInstanceOf(EngineUnavailable)
  })

  it.each([
    ['is no JSON', '{"domains":[', 'malformed_json'],
    ['has another field', `{"domains":[${'"a.example",'.repeat(200)}"b.example"],"more":1}`, 'validation_failed'],
    ['is empty', `{"domains":[]${' '.repeat(10_000)}}`, 'no_records'],
  ])('tells what is wrong with a body that %s, and goes on working', async (_what, text, code) => {
    const engine = remote(await serveEngine(createTestEngine()), { failuresToOpen: 1 })
    const opening = () => engine.openList('domain', Buffer.from(text), { organisationId: 'org_a', records: 200 })
    for (let i = 0; i < 2; i++) await expect(opening()).rejects.toMatchObject({ name: 'Problem', code })
    expect((await ask(engine)).evaluations).toHaveLength(1)
  })

  it('refuses whoever lacks the token', async () => {
    const engine = remote(await serveEngine(createTestEngine()), { token: 'x'.repeat(40) })
    await expect(ask(engine)).rejects.toThrow('answered 401')
  })

  it('is unavailable while there is no intelligence, and available again afterwards', async () => {
    const flaky = interruptible(createTestEngine())
    const engine = remote(await serveEngine(flaky))
    flaky.down = true
    await expect(ask(engine)).rejects.toBeInstanceOf(EngineUnavailable)
    expect(await engine.intelligence()).toBeUndefined()
    flaky.down = false
    expect((await ask(engine)).evaluations).toHaveLength(1)
  })

  it('is unavailable when nobody listens', async () => {
    await expect(ask(remote('http://127.0.0.1:1'))).rejects.toBeInstanceOf(EngineUnavailable)
  })

  it('is unavailable when it takes longer than its limit', async () => {
    const { url } = await serveRaw(() => {})
    const asking = ask(remote(url, { timeoutMs: 20 }))
    await expect(asking).rejects.toBeInstanceOf(EngineUnavailable)
    await expect(asking).rejects.toThrow('timeout')
  })

  it.each([
    ['not JSON', 'oops'],
    ['an empty object', '{}'],
    ['too few results', `{"evaluations":[],${BACKGROUND.slice(1)}`],
    ['a score out of range', `{"evaluations":[{"score":101,"signals":[]}],${BACKGROUND.slice(1)}`],
    ['an answer without what it rests on', '{"evaluations":[{"score":1,"signals":[]}]}'],
  ])('never passes on %s', async (_what, body) => {
    const { url } = await serveRaw((response) => response.end(body))
    await expect(ask(remote(url))).rejects.toBeInstanceOf(EngineUnavailable)
    expect(await remote(url).intelligence()).toBeUndefined()
  })

  it('tries twice, not more', async () => {
    const { url, asked } = await serveRaw((response) => response.writeHead(503).end())
    await expect(ask(remote(url))).rejects.toBeInstanceOf(EngineUnavailable)
    expect(asked()).toBe(2)
  })

  it('opens the breaker after failures in a row, then lets one through, and closes on success', async () => {
    let ticks = 0
    let healthy = false
    const answer = `{"evaluations":[{"score":1,"signals":[]}],${BACKGROUND.slice(1)}`
    const { url, asked } = await serveRaw((response) =>
      healthy ? response.end(answer) : response.writeHead(503).end(),
    )
    const engine = remote(url, { failuresToOpen: 2, openMs: 1000, ticks: () => ticks })
    await expect(ask(engine)).rejects.toThrow('503')
    await expect(ask(engine)).rejects.toThrow('503')
    const before = asked()
    await expect(ask(engine)).rejects.toThrow('breaker')
    expect(asked()).toBe(before)

    ticks = 1000
    healthy = true
    // Of several at once, one tries; the others wait for what it finds.
    const results = await Promise.allSettled([ask(engine), ask(engine), ask(engine)])
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
    expect((await ask(engine)).evaluations[0]?.score).toBe(1)
  })
})
