import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { expect, it } from 'vitest'
import { createEngineServer } from '../../src/risk/engine-server.ts'
import { createRemoteEngine } from '../../src/risk/remote.ts'
import { createTestEngine } from '../support/engine.ts'
import { freePort } from '../support/ports.ts'
import { startTestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

const TOKEN = 'shared by the API node and the engine of this test'

describeRules('an API node whose engine is apart', (open) => {
  it('answers 502 while the engine is away, charges nothing, and recovers by itself when it is back', async () => {
    const evaluation = createTestEngine()
    let engineServer: FastifyInstance
    // Its own for the whole test: one the system picked could be somebody else's by the time the engine is back.
    const port = await freePort()
    const startEngine = async () => {
      engineServer = createEngineServer({ engine: evaluation, token: TOKEN, logger: pino({ level: 'silent' }) })
      return engineServer.listen({ host: '127.0.0.1', port })
    }
    const url = await startEngine()
    // The breaker's pause is measured on this clock, so that the test decides when it is over.
    let ticks = 0
    const engine = createRemoteEngine({
      url,
      token: TOKEN,
      timeoutMs: 20_000,
      failuresToOpen: 2,
      openMs: 1000,
      ticks: () => ticks,
    })
    const server = await startTestServer({ sql: await open(), engine })
    const { id, apiKey } = await server.organisation({ creditPence: 100 })
    const check = () => server.post('/v1/payment-risk', { email: 'jane@company.example' }, apiKey)
    const balance = async () => (await server.accounts.read(id)).prepaidPence

    expect((await check()).status).toBe(200)
    await engineServer!.close()
    for (let i = 0; i < 4; i++) {
      const answer = await check()
      expect(answer).toMatchObject({ status: 502, json: { code: 'upstream_unavailable' } })
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    }
    expect((await server.send('/readyz')).status).toBe(503)
    expect(await balance()).toBe(97)

    await startEngine()
    ticks += 1000
    expect((await check()).status).toBe(200)
    expect(await balance()).toBe(94)
    expect((await server.send('/readyz')).status).toBe(200)

    await server.close()
    await engine.close()
    await engineServer!.close()
  })
})
