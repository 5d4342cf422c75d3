import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { migratedFolder } from '../support/migrated-folder.ts'
import { assayd } from '../support/process.ts'

/** The operator's side of what organisations know. */
describe('assayd own-list, decision-rules, org verify-domain and counterparty', () => {
  const folder = migratedFolder('own')
  const env = { ASSAY_DATA_DIR: folder }
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const json = async (...args: string[]) => {
    const result = await assayd([...args, '--json'], env)
    expect(result.stderr).toBe('')
    return JSON.parse(result.stdout)
  }

  it('adds, changes and removes entries, sets rules, and vouches for a domain; refuses in one line', async () => {
    const { organisation_id: org } = await json('org', 'create', '--name', 'Own', '--plan', 'prepaid')
    const at = ['--org', org, '--list', 'block']
    const entry = await json(
      'own-list',
      'add',
      ...at,
      '--indicator',
      'acme.com',
      '--reason',
      'Forged',
      '--expires-days',
      '9',
    )
    expect(entry).toMatchObject({ indicator: 'acme.com', author: { kind: 'operator' }, warnings: [] })
    expect((await assayd(['own-list', 'list', ...at], env)).stdout).toMatch(/acme\.com +active .*operator +Forged/)
    const changed = await json(
      'own-list',
      'change',
      ...at,
      '--entry',
      entry.id,
      '--never-expires',
      '--reason',
      'Forged twice',
    )
    expect(changed).toMatchObject({ reason: 'Forged twice', expires_at: null, state: 'active' })
    expect(await json('own-list', 'remove', ...at, '--entry', entry.id)).toEqual({ id: entry.id, removed: true })

    const file = join(folder, 'rules.json')
    writeFileSync(file, JSON.stringify([{ name: 'All', when: {}, outcome: 'review', text: '' }]))
    expect(await json('decision-rules', 'set', '--org', org, '--file', file)).toMatchObject({ version: 1 })
    expect((await json('decision-rules', 'show', '--org', org)).rules).toMatchObject([{ name: 'All' }])

    const domain = await json('org', 'verify-domain', '--org', org, '--domain', 'Company-Of-Ours.com')
    expect(domain).toMatchObject({ domain: 'company-of-ours.com', state: 'verified', verified_by: 'operator' })
    writeFileSync(file, JSON.stringify([{ name: 'All', outcome: 'pay' }]))
    for (const [args, words] of [
      [['org', 'verify-domain', '--org', org, '--domain', 'gmail.com'], 'public mail provider'],
      [['org', 'verify-domain', '--org', 'org_none', '--domain', 'acme.com'], 'There is no organisation'],
      [['own-list', 'add', ...at, '--indicator', 'nonsense'], 'two labels'],
      [['own-list', 'change', ...at, '--entry', 'own_none'], 'Give --reason'],
      [['own-list', 'change', ...at, '--entry', 'own_none', '--never-expires'], 'no such entry'],
      [['own-list', 'list', '--org', org, '--list', 'maybe'], '--list: must be one of allow, block, review'],
      [['decision-rules', 'set', '--org', org, '--file', file], '--file: /0'],
    ] as const) {
      const result = await assayd(args, env)
      expect([result.code, result.stderr.trim().split('\n').length]).toEqual([1, 1])
      expect(result.stderr).toContain(words)
    }
  })

  it('imports counterparties after a dry run, lists, exports in the form that it imports, and undoes', async () => {
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
