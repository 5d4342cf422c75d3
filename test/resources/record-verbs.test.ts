import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../src/db/sqlite.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { openRingWith } from '../../src/operator/ring.ts'
import { feedbacks, placeOfFeedback } from '../../src/record/remarks.ts'
import { sealOfChecks } from '../../src/record/sealed.ts'
import { keepCheck } from '../support/kept-checks.ts'
import { migratedFolder } from '../support/migrated-folder.ts'
import { assayd } from '../support/process.ts'

describe('assayd receipts and feedback', () => {
  const folder = migratedFolder('record')
  const env = { ASSAY_DATA_DIR: folder, ASSAY_SECRET: 'a secret of this test that is long enough: 8471' }
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const run = async (...args: string[]) => {
    const result = await assayd(args, env)
    expect(result.stderr).toBe('')
    return result.stdout
  }

  it('replaces the receipt key, at once after a leak', async () => {
    const { kid } = JSON.parse(await run('receipts', 'rotate-key', '--json'))
    expect(await run('receipts', 'keys')).toMatch(new RegExp(`signing[^\\n]*\\n${kid} +next`))
    const leaked = JSON.parse(await run('receipts', 'rotate-key', '--now', '--json'))
    const keys: { kid: string; state: string }[] = JSON.parse(await run('receipts', 'keys', '--json'))
    expect(keys.map(({ state }) => state)).toEqual(['revoked', 'revoked', 'signing'])
    expect(keys.at(-1)?.kid).toBe(leaked.kid)
    const other = await assayd(['receipts', 'rotate-key'], { ...env, ASSAY_SECRET: `${env.ASSAY_SECRET}, another one` })
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('ASSAY_SECRET')])
  })

  it('exports feedback as labelled rows that a spreadsheet opens safely', async () => {
    const { organisation_id } = JSON.parse(
      await run('org', 'create', '--name', 'Record', '--plan', 'prepaid', '--json'),
    )
    const sql = await openSqlite({ file: join(folder, 'assay.db') })
    const ring = await openRingWith(env.ASSAY_SECRET, { sql, clock: systemClock })
    const id = await keepCheck(sql, ring, {
      organisationId: organisation_id,
      indicator: 'jane@acme.example',
      score: 71,
    })
    const about = { organisation_id, id, wrong: 'too_high' as const, created_at: Date.parse('2026-03-02T10:00:00Z') }
    const sealed = sealOfChecks(ring).seal('=our, supplier', placeOfFeedback(organisation_id, id))
    await feedbacks.insert(sql, { ...about, sealed, by_kind: 'person', by_id: 'usr_1', by_name: 'Jane' })
    await sql.close()
    expect((await run('feedback', 'export')).split(/\r?\n/)).toEqual([
      'kind,indicator,label,score,signals,reason,day',
      `email,jane@acme.example,legitimate,71,email.free_mail,"'=our, supplier",2026-03-02`,
      '',
    ])
    expect(JSON.parse(await run('feedback', 'export', '--json'))).toMatchObject([{ check_id: id, label: 'legitimate' }])
  })
})
