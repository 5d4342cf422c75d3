import type { Sql } from '../../src/db/sql.ts'
import { systemClock } from '../../src/lib/clock.ts'
import type { Lifetimes } from '../../src/lib/lifetimes.ts'
import type { RiskEngine } from '../../src/risk/engine.ts'
import { createTestEngine, interruptible } from '../support/engine.ts'
import { storedOwn } from '../support/own.ts'
import { freePort } from '../support/ports.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { createMigratedPlace, openPlace } from '../support/stores.ts'

/** The real service on a database of its own, and what its ledger says. */
export interface Service {
  readonly server: TestServer
  readonly sql: Sql
  readonly engine: ReturnType<typeof interruptible>
  /** Units charged to an organisation, by its ledger. */
  billedUnits(organisationId: string): Promise<number>
  charges(organisationId: string): Promise<number>
  stop(): Promise<void>
}

export async function startService(
  options: { readonly lifetimes?: Partial<Lifetimes>; readonly engine?: RiskEngine } = {},
): Promise<Service> {
  const created = await createMigratedPlace('sqlite')
  const sql = await openPlace(created.place)
  const { own, close } = await storedOwn(sql, systemClock)
  const engine = interruptible(options.engine ?? createTestEngine(own))
  const server = await startTestServer({ ...options, sql, engine, oauth: true, port: await freePort() })
  const sum = async (organisationId: string) => {
    const rows = await sql.query<{ units: number | null; charges: number }>(
      `select sum(units) as units, count(*) as charges from ledger_entry where organisation_id = $1 and kind = 'charge'`,
      [organisationId],
    )
    return { units: Number(rows[0]?.units ?? 0), charges: Number(rows[0]?.charges ?? 0) }
  }
  return {
    server,
    sql,
    engine,
    billedUnits: async (organisationId) => (await sum(organisationId)).units,
    charges: async (organisationId) => (await sum(organisationId)).charges,
    async stop() {
      await server.close()
      await engine.close()
      await close()
      await sql.close()
      await created.remove()
    },
  }
}
