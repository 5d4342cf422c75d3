import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Command } from 'commander'
import { afterAll, describe, expect, it } from 'vitest'
import { buildProgram } from '../cli/src/program.ts'
import { createProgram } from '../src/operator/program.ts'
import { assay } from './cli/assay.ts'
import { migratedFolder } from './support/migrated-folder.ts'
import { assayd, type VerbResult } from './support/process.ts'

/** Every verb of both programs, called wrongly; and verbs that are more than the call of one rule. */

const folder = mkdtempSync(join(tmpdir(), 'assay-verbs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The words of every command, groups among them. */
const wordsOf = (command: Command, before: readonly string[] = []): string[][] =>
  command.commands.flatMap((one) => {
    const words = [...before, one.name()]
    return [words, ...wordsOf(one, words)]
  })
const unused = undefined as never
const OPERATOR = wordsOf(createProgram({ write: () => {}, writeError: () => {} } as never, unused))
const CUSTOMER = wordsOf(buildProgram({ stdout: {}, stderr: {} } as never, unused, unused))

function expectError({ code, stdout, stderr }: VerbResult, about: string[]): { code: string; message: string } {
  expect({ about, code, stdout }).toEqual({ about, code: 1, stdout: '' })
  expect(stderr.split('\n'), about.join(' ')).toHaveLength(2)
  const { error } = JSON.parse(stderr)
  expect(error, about.join(' ')).toEqual({
    code: expect.stringMatching(/^[a-z_]+$/),
    message: expect.stringMatching(/\w/),
  })
  return error
}

describe('errors with --json', () => {
  it('of a wrong option are JSON on every verb', async () => {
    expect(OPERATOR.length).toBeGreaterThan(80)
    expect(CUSTOMER.length).toBeGreaterThan(50)
    for (const words of OPERATOR) {
      const args = [...words, '--json', '--no-such-option']
      expect(expectError(await assayd(args, { ASSAY_DATA_DIR: folder }), args).code).toBe('usage')
    }
    for (const words of CUSTOMER) {
      const args = [...words, '--json', '--no-such-option']
      expect(expectError(await assay(args, { home: { folder } as never }), args).code).toBe('usage')
    }
  })

  it.each([
    [['org'], 'usage', 'unknown option'],
    [['org', 'show', '--org', 'org_x'], 'failed', 'There is no database'],
    [['serve'], 'failed', 'servers are started'],
    [['mail', 'list', '--state', 'lost'], 'failed', '--state: must be one of'],
  ] as const)('of assayd %j have the code %s and say %s', async (words, code, message) => {
    const args = [...words, '--json']
    const error = expectError(await assayd(args, { ASSAY_DATA_DIR: folder }), args)
    expect(error).toEqual({ code, message: expect.stringContaining(message) })
  })

  it.each([
    [['keys'], 'usage', 'unknown option'],
    [['usage'], 'failed', 'assay login'],
    [['verify', 'no-such-file'], 'failed', 'no-such-file'],
  ] as const)('of assay %j have the code %s and say %s', async (words, code, message) => {
    const args = [...words, '--json']
    const error = expectError(await assay(args, { home: { folder } as never }), args)
    expect(error).toEqual({ code, message: expect.stringContaining(message) })
  })

  it('help is no error, and without --json an error is a sentence', async () => {
    expect(await assayd(['org', '--help', '--json'], {})).toMatchObject({ code: 0, stderr: '' })
    expect((await assayd(['org', 'show', '--org', 'org_x'], { ASSAY_DATA_DIR: folder })).stderr).toMatch(
      /^There is no database/,
    )
  })
})

describe('verbs', () => {
  const dataDir = migratedFolder('verbs')
  const env = { ASSAY_DATA_DIR: dataDir }
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

  it('org list shows a page, and the next one after it', async () => {
    const ids: string[] = []
    for (const name of ['One', 'Two', 'Three']) {
      const made = await assayd(['org', 'create', '--name', name, '--plan', 'free', '--json'], env)
      ids.unshift(JSON.parse(made.stdout).organisation_id)
    }
    const page = async (...more: string[]) => {
      const { stdout, stderr, code } = await assayd(['org', 'list', '--limit', '2', '--json', ...more], env)
      expect(code).toBe(0)
      return { ids: JSON.parse(stdout).map((row: { organisation_id: string }) => row.organisation_id), stderr }
    }
    const first = await page()
    expect(first.stderr).toBe(`There are more: continue with --after ${first.ids[1]}\n`)
    const second = await page('--after', first.ids[1])
    expect(second.stderr).toBe('')
    expect([...first.ids, ...second.ids].sort()).toEqual(ids.sort())
    const unknown = await assayd(['org', 'list', '--after', 'org_nobody', '--json'], env)
    expect(expectError(unknown, ['org', 'list']).code).toBe('not_found')
    using database = new DatabaseSync(join(dataDir, 'assay.db'))
    database.exec(`update organisation set erased_at = 0 where name = 'One'`)
    database.exec('update billing_account set prepaid_pence = 70')
    const rows = (await assayd(['org', 'list'], env)).stdout.split('\n')
    expect(rows.find((row) => row.includes(' One '))).toMatch(/ erased .* erased /)
    expect(rows.find((row) => row.includes(' Two '))).toMatch(/ active .* 70 /)
  })

  it('user create makes an operator who is a member of no organisation, and nobody else without one', async () => {
    const who = ['user', 'create', '--email', 'root@house.example', '--name', 'Root', '--json']
    expect(expectError(await assayd(who, env), who).message).toContain('--org: is missing')
    const made = JSON.parse((await assayd([...who, '--operator'], env)).stdout)
    expect(made).toMatchObject({ organisations: [], password: expect.any(String) })
    expect((await assayd(['audit', 'list'], env)).stdout).toContain('person.operator')
  })
})
