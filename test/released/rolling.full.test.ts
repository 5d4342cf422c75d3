import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { verifyLedger } from '../../src/billing/ledger/verify.ts'
import { VERSION } from '../../src/version.ts'
import { newFolder, SECRET } from '../faults/fault.ts'
import { createAccount, startLoad } from '../faults/load.ts'
import { assayd, assaydProcess, type ServerProcess, startProcess } from '../support/process.ts'
import { createPlace, openPlace } from '../support/stores.ts'

/** This version as the old one, and a copy of it with a higher version and one more migration as the new one. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const NEXT = '99.0.0'
const MORE = `alter table organisation add column next_note text;
alter table ledger_entry add column next_count bigint not null default 0;
create table next_thing (id text primary key, made_at bigint not null);
`

const folder = mkdtempSync(join(tmpdir(), 'assay-next-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function makeNext(): string {
  for (const name of readdirSync(ROOT)) {
    if (name !== 'src' && name !== 'package.json') symlinkSync(join(ROOT, name), join(folder, name))
  }
  cpSync(join(ROOT, 'src'), join(folder, 'src'), { recursive: true })
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, version: NEXT }))
  writeFileSync(join(folder, 'src/db/migrations/9999_next.sql'), MORE)
  return join(folder, 'src/main.ts')
}

it('nodes of two versions serve one PostgreSQL: the new one migrates, no request fails, the old one cannot come back', async () => {
  const main = makeNext()
  const { place, remove } = await createPlace('postgres')
  if (place.engine !== 'postgres') throw new Error('several nodes share a PostgreSQL')
  const folders = [newFolder(), newFolder()] as const
  const envs = folders.map(({ path }) => ({
    ASSAY_DATA_DIR: path,
    ASSAY_DATABASE_URL: place.url,
    ASSAY_SECRET: SECRET,
    ASSAY_LIVE: 'off',
  }))
  const account = await createAccount(place, 4)
  const nodes: ServerProcess[] = [await startProcess(envs[0]!)]
  const sql = await openPlace(place)
  try {
    let turn = 0
    const load = startLoad({ account, urlOf: () => nodes[turn++ % nodes.length]!.url })
    await load.answers(20)
    nodes.push(await startProcess(envs[1]!, 'serve', { main }))
    expect(await sql.query(`select program_version from schema_migration where name = '9999_next'`)).toEqual([
      { program_version: NEXT },
    ])
    await load.answers(100)
    await load.stop()
    expect(Object.fromEntries(load.others)).toEqual({})
    expect(load.otherwise).toEqual([])
    expect(await verifyLedger(sql)).toMatchObject({ clean: true })
    const charges = await sql.query<{ request_id: string }>(
      `select request_id from ledger_entry where organisation_id = $1 and kind = 'charge'`,
      [account.organisationId],
    )
    const answered = load.checks
      .filter(({ answer }) => answer && !answer.replayed)
      .map(({ answer }) => answer!.requestId)
    expect(charges.map((row) => row.request_id).sort()).toEqual(answered.sort())

    const sentence = `The database was written by Assay ${NEXT}; this is Assay ${VERSION}, which does not know the migration 9999_next.`
    const again = await assaydProcess(['serve'], { ...envs[0]!, PORT: '0', ASSAY_METRICS_PORT: 'off' })
    expect(again).toMatchObject({ code: 1, stdout: '' })
    for (const refused of [again, await assayd(['org', 'list'], envs[0]!), await assayd(['migrate'], envs[0]!)]) {
      expect(refused.stderr).toContain(sentence)
      expect(refused.stderr).not.toMatch(/\s+at .*\.ts/)
    }
  } finally {
    for (const node of nodes) await node.kill('SIGKILL')
    await sql.close()
    await remove()
    for (const one of folders) one.remove()
  }
})
