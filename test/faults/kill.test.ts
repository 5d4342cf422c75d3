import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assayd, type ServerProcess, startProcess } from '../support/process.ts'
import { createPlace, openPlace } from '../support/stores.ts'

/**
 * kill -9 under load, five rounds on each database. Every request has an Idempotency-Key and is repeated until it is
 * answered, as a careful client would.
 */

const ROUNDS = 5
const CALLERS = 16
const ANSWERS_BEFORE_KILL = 120
const CREDIT_PENCE = 1_000_000
const TRIES_MAX = 5

const ENGINE_TOKEN = 'a token that API nodes and the engine of this test share'

// One engine for all rounds: the API nodes restart the faster.
let engineProcess: ServerProcess
let engineFolder: string
beforeAll(async () => {
  engineFolder = mkdtempSync(join(tmpdir(), 'assay-engine-'))
  engineProcess = await startProcess({ ASSAY_DATA_DIR: engineFolder, ASSAY_ENGINE_TOKEN: ENGINE_TOKEN }, 'engine')
})
afterAll(async () => {
  await engineProcess.kill('SIGKILL')
  rmSync(engineFolder, { recursive: true, force: true })
})

describe.each(['sqlite', 'postgres'] as const)('a server killed under load, on %s', (engine) => {
  it('loses no answered charge and charges nothing twice', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-kill-'))
    const { place, remove } = await createPlace(engine)
    const env: Record<string, string> = {
      ASSAY_DATA_DIR: folder,
      ASSAY_ENGINE_URL: engineProcess.url,
      ASSAY_ENGINE_TOKEN: ENGINE_TOKEN,
      // An engine that is only slow is none that is away.
      ASSAY_ENGINE_TIMEOUT_MS: '60000',
      ...(place.engine === 'postgres' ? { ASSAY_DATABASE_URL: place.url } : {}),
    }
    try {
      const made = await assayd(
        ['org', 'create', '--name', 'Killed', '--plan', 'enterprise', '--credit-pence', String(CREDIT_PENCE), '--json'],
        env,
      )
      expect(made.stderr).toBe('')
      const { organisation_id: organisationId, api_key: apiKey, credit_pence: creditPence } = JSON.parse(made.stdout)

      /** Key → the request id (null where a stored answer was given again) and the price. */
      const answered = new Map<string, { requestId: string | null; pence: number }>()
      const open = new Set<string>()
      let next = 0

      async function ask(url: string, key: string): Promise<boolean> {
        const response = await fetch(`${url}/v1/payment-risk`, {
          method: 'POST',
          headers: { 'x-api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': key },
          body: JSON.stringify({ email: `${key}@company.example` }),
        })
        const body = (await response.json()) as { total_price_pence: number }
        if (response.status !== 200) return false
        const fresh = response.headers.get('idempotent-replayed') === null
        if (fresh) expect(answered.has(key)).toBe(false)
        answered.set(key, {
          requestId: fresh ? response.headers.get('x-request-id') : null,
          pence: body.total_price_pence,
        })
        return true
      }

      for (let round = 1; round <= ROUNDS + 1; round++) {
        const server = await startProcess(env)
        // First what the kill left open: answered now, whether or not it had been charged before.
        for (const key of [...open]) {
          let tries = 0
          while (!(await ask(server.url, key))) expect(++tries).toBeLessThan(TRIES_MAX)
          open.delete(key)
        }
        if (round > ROUNDS) {
          expect(await server.kill('SIGTERM')).toBe(0)
          break
        }
        const enough = answered.size + ANSWERS_BEFORE_KILL
        const askNext = async () => {
          const key = `k${next++}`
          open.add(key)
          try {
            if (await ask(server.url, key)) open.delete(key)
          } catch (error) {
            // A lost connection is what a kill looks like from here; anything else is a failure of the test.
            if (!(error instanceof TypeError)) throw error
          }
        }
        let killed: Promise<unknown> | undefined
        const last: Promise<void>[] = []
        await Promise.all(
          Array.from({ length: CALLERS }, async () => {
            while (!killed) {
              await askNext()
              if (answered.size < enough || killed) continue
              // Asked and killed in one go: these at least go unanswered, beside whatever is under way.
              for (let i = 0; i < CALLERS; i++) last.push(askNext())
              killed = server.kill('SIGKILL')
            }
          }),
        )
        await Promise.all([killed, ...last])
        expect(open.size).toBeGreaterThan(0)
      }

      const verified = await assayd(['ledger', 'verify', '--json'], env)
      expect(JSON.parse(verified.stdout)).toMatchObject({ clean: true })
      expect(verified.code).toBe(0)

      const sql = await openPlace(
        place.engine === 'sqlite' ? { engine: 'sqlite', file: join(folder, 'assay.db') } : place,
      )
      const entries = await sql.query<{ request_id: string; units: number }>(
        `select request_id, units from ledger_entry where organisation_id = $1 and kind = 'charge'`,
        [organisationId],
      )
      const [account] = await sql.query<{ included_pence: number; prepaid_pence: number }>(
        'select included_pence, prepaid_pence from billing_account where organisation_id = $1',
        [organisationId],
      )
      await sql.close()
      expect(answered.size).toBe(next)
      expect(entries).toHaveLength(next)
      const charged = new Set(entries.map((entry) => entry.request_id))
      for (const { requestId } of answered.values()) if (requestId !== null) expect(charged).toContain(requestId)
      expect(account!.included_pence + account!.prepaid_pence).toBe(
        creditPence - [...answered.values()].reduce((sum, { pence }) => sum + pence, 0),
      )
    } finally {
      await remove()
      rmSync(folder, { recursive: true, force: true })
    }
  }, 300_000)
})
