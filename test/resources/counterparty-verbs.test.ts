import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { migratedFolder } from '../support/migrated-folder.ts'
import { assayd } from '../support/process.ts'

describe('assayd counterparty', () => {
  const folder = migratedFolder('counterparty')
  const env = { ASSAY_DATA_DIR: folder }
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const json = async (...args: string[]) => {
    const result = await assayd([...args, '--json'], env)
    expect(result.stderr).toBe('')
    return JSON.parse(result.stdout)
  }

  it('imports after a dry run, lists, exports in the form that it imports, and undoes', async () => {
    const { organisation_id: org } = await json('org', 'create', '--name', 'Buyer', '--plan', 'prepaid')
    const file = join(folder, 'rows.json')
    writeFileSync(file, JSON.stringify([{ name: 'Acme', reference: '1', accounts: ['DE89370400440532013000'] }]))
    const verb = ['counterparty', 'import', '--org', org, '--file', file]
    expect((await assayd(verb, env)).stdout).toContain('1 new, 0 changed')
    expect(await json('counterparty', 'list', '--org', org)).toEqual([])
    expect(await json(...verb, '--yes')).toMatchObject({ state: 'applied', counts: { new: 1 } })
    expect((await assayd(['counterparty', 'list', '--org', org, '--search', 'acm'], env)).stdout).toContain('…3000')
    const exported = await json('counterparty', 'export', '--org', org)
    expect(exported).toMatchObject([{ name: 'Acme', reference: '1', accounts: ['…3000'] }])
    writeFileSync(file, JSON.stringify(exported))
    expect(await json(...verb)).toMatchObject({ counts: { same: 1, changed: 0 } })
    expect(await json('counterparty', 'undo', '--org', org)).toMatchObject({ state: 'undone' })
    expect(await json('counterparty', 'list', '--org', org)).toEqual([])
  })

  it('says in one line what cannot be done', async () => {
    const { organisation_id: org } = await json('org', 'create', '--name', 'Other', '--plan', 'prepaid')
    const refusal = async (...args: string[]) => (await assayd(['counterparty', ...args], env)).stderr
    expect(await refusal('list', '--org', 'org_none')).toContain('There is no organisation org_none.')
    expect(await refusal('undo', '--org', org)).toContain('no import that can be undone')
    const file = join(folder, 'bad.json')
    writeFileSync(file, JSON.stringify([{ name: 7 }]))
    expect(await refusal('import', '--org', org, '--file', file)).toContain('entry 1 is not a counterparty')
    expect(await refusal('import', '--org', org, '--file', file, '--gone', 'burn')).toContain('keep, former, delete')
  })
})
