/**
 * Run as a process of its own: charges through a meter as fast as it can and reports every answer, until it is killed.
 * Arguments: the store's place, the organisation, a number that sets this round's requests apart.
 */
import { loadPlans } from '../../src/billing/plans.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { testAccounts, testMeter } from './accounts.ts'
import type { StorePlace } from './stores.ts'

const place = JSON.parse(process.argv[2] ?? '') as StorePlace
const organisationId = process.argv[3] ?? ''
const round = process.argv[4] ?? ''
const sql = await (place.engine === 'sqlite' ? openSqlite({ file: place.file }) : openPostgres({ url: place.url }))
const { rules } = testAccounts({ sql, plans: loadPlans(), clock: systemClock })
const meter = testMeter({ sql, rules, clock: systemClock })
const CHARGES_MAX = 100_000
let next = 0

async function caller(): Promise<void> {
  while (next < CHARGES_MAX) {
    const name = `${round}-${next++}`
    const { body } = await meter.charge({
      organisationId,
      family: 'payment-risk',
      units: 1,
      credentialId: 'key_test',
      requestId: `req_${name}`,
      idempotency: { key: name, requestHash: name },
      answer: () => ({ before: `{"name":${JSON.stringify(name)},`, after: '}' }),
    })
    process.send?.({ name, body })
  }
}

await Promise.all(Array.from({ length: 16 }, caller))
await sql.close()
process.disconnect?.()
