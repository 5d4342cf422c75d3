import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { Random } from '../attack/random.ts'
import { everyChange, everyRead } from '../support/every-read.ts'
import { WORST } from '../support/hostile.ts'
import { ENGINES } from '../support/stores.ts'
import { besideAttacker, expectUnnoticed, type Neighbours, type Sent, startNeighbours } from './support.ts'

/**
 * Documents and exports of a hostile organisation do not slow down the checks of another. `SEED=…` repeats the choice of
 * operations.
 */
const SEED = Number(process.env.SEED ?? randomInt(2 ** 31))
const OPERATIONS = 3

describe.each(ENGINES)('a victim on %s notices nothing of', (engine) => {
  let neighbours: Neighbours
  beforeAll(async () => {
    neighbours = await startNeighbours(engine, { sizes: { ...WORST, auditEntries: 10_100, ledgerEntries: 10_001 } })
  }, 1_800_000)
  afterAll(() => neighbours.close())

  const walk = async (name: string, connections: number, requestsOf: () => readonly Sent[]) => {
    const seen = await besideAttacker(neighbours, { requests: requestsOf(), connections })
    expectUnnoticed(`${engine}: ${name}`, seen)
  }
  const read = (path: string, accept: string): Sent => ({
    path,
    headers: { accept, 'x-api-key': neighbours.hostile.key },
  })

  it('invoices in mixed scripts as PDF, over four connections', async () => {
    const rows = await neighbours.sql.query<{ id: string }>('select id from invoice where organisation_id = $1', [
      neighbours.hostile.organisationId,
    ])
    const pdf = ({ id }: { readonly id: string }) => read(`/v1/billing/invoices/${id}`, 'application/pdf')
    await walk('PDFs', 4, () => rows.map(pdf))
    await walk('one PDF', 4, () => rows.slice(0, 1).map(pdf))
  })

  it.each(['/v1/organisation/audit', '/v1/billing/ledger'])('%s as CSV, over ten connections', async (path) => {
    await walk(`${path} as CSV`, 10, () => [read(path, 'text/csv')])
  })

  it('the longest pages of the audit log', async () => {
    await walk('audit?limit=1000', 10, () => [read('/v1/organisation/audit?limit=1000', 'application/json')])
  })

  it(`any ${OPERATIONS} operations at once (SEED=${SEED})`, async () => {
    const random = Random.of(SEED, 0)
    const all = [...everyRead(neighbours.hostile), ...everyChange(neighbours.hostile)]
    const chosen = Array.from({ length: OPERATIONS }, () => random.pick(all))
    await walk(chosen.map(({ name }) => name).join(', '), 12, () => chosen)
  })
})
