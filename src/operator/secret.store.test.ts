import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { migratedFolder } from '../../test/support/migrated-folder.ts'
import { assayd } from '../../test/support/process.ts'
import { openPlace } from '../../test/support/stores.ts'
import { secretIdOf } from '../db/ring.ts'

const SECRET = 'the secret of this test, which is long enough'

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = migratedFolder('no-secret')
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

it('rotation makes everything anew that is kept sealed or signed', () => {
  const root = fileURLToPath(new URL('../', import.meta.url))
  const named = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => [...readFileSync(join(root, path), 'utf8').matchAll(/export const (\w+): SealedColumn =/g)])
    .map(([, name]) => name!)
  const rotated = /SEALED_COLUMNS[^=]*= \[([^\]]*)\]/.exec(readFileSync(join(root, 'operator/secret.ts'), 'utf8'))?.[1]
  expect(named).toContain('SIGNED_ANCHORS')
  expect(rotated?.split(',').flatMap((name) => name.trim() || [])).toEqual(expect.arrayContaining(named))
})

it('without the secret of a sealed database verbs make none: verify proves the rest, the others say what is missing', () =>
  withFolder(async (folder) => {
    const without = { ASSAY_DATA_DIR: folder }
    const configured = { ...without, ASSAY_SECRET: SECRET }
    const file = join(folder, 'secret')
    for (const verb of ['ledger anchor', 'oauth rotate-keys']) {
      expect(await assayd(verb.split(' '), configured)).toMatchObject({ code: 0, stderr: '' })
    }
    const whole = await assayd(['ledger', 'verify'], configured)
    expect(whole).toMatchObject({ code: 0, stdout: expect.not.stringContaining('NOT') })

    const unsigned = await assayd(['ledger', 'verify'], without)
    expect(unsigned).toMatchObject({ code: 0, stderr: '' })
    expect(unsigned.stdout).toContain('The ledger adds up: ')
    expect(unsigned.stdout).toContain('The signatures of anchors were NOT checked (1 anchor)')
    const json = await assayd(['ledger', 'verify', '--json'], without)
    expect(JSON.parse(json.stdout)).toMatchObject({ clean: true, anchors: 1, uncheckedSignatures: 1 })

    const sealedUnder = (what: string) =>
      `ASSAY_SECRET: is missing, but the database is sealed with ${what}. ` +
      `Set the secret of the server, or restore the file ${file}.\n`
    const name = secretIdOf(SECRET)
    const verbs = [
      'ledger anchor',
      'ledger verify --accept-restore',
      'oauth rotate-keys',
      'secret show',
      'secret rotate',
      'secret rotate --finish',
    ]
    for (const verb of verbs) {
      const refused = await assayd(verb.split(' '), without)
      expect(refused, verb).toEqual({ code: 1, stdout: '', stderr: sealedUnder(`the secret ${name}`) })
    }
    // As a version before the ring left it.
    const sql = await openPlace({ engine: 'sqlite', file: join(folder, 'assay.db') })
    await sql.query('delete from sealing_key_wrap')
    await sql.query('delete from sealing_key')
    await sql.close()
    expect(await assayd(['ledger', 'anchor'], without)).toMatchObject({ code: 1, stderr: sealedUnder('a secret') })
    expect(existsSync(file)).toBe(false)
  }))

it('with nothing sealed yet a secret is made where one is needed, and only there', () =>
  withFolder(async (folder) => {
    const env = { ASSAY_DATA_DIR: folder }
    const file = join(folder, 'secret')
    const empty = await assayd(['ledger', 'verify'], env)
    expect(empty).toMatchObject({ code: 0, stdout: expect.not.stringContaining('NOT') })
    expect(existsSync(file)).toBe(false)
    expect(await assayd(['ledger', 'anchor'], env)).toMatchObject({ code: 0, stderr: '' })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const verified = await assayd(['ledger', 'verify', '--json'], env)
    expect(JSON.parse(verified.stdout)).toMatchObject({ clean: true, anchors: 1, uncheckedSignatures: 0 })
  }))
