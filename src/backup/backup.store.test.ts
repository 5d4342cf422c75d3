import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FULL } from '../../test/support/full.ts'
import { putMigrated } from '../../test/support/migrated-folder.ts'
import { assayd, MAIN } from '../../test/support/process.ts'
import {
  type CreatedPlace,
  createMigratedPlace,
  createPlace,
  ENGINES,
  openPlace,
  RULE_ENGINES,
  type StorePlace,
} from '../../test/support/stores.ts'
import { readMigrations } from '../db/migrate.ts'
import { secretIdOf } from '../db/ring.ts'
import { shapesOf } from '../db/shape.ts'
import { VERSION } from '../version.ts'
import { writeContainer } from './container.ts'

const SECRET = 'the secret of a service that makes backups'
const PASSPHRASE = 'a passphrase for the backups'
/** Beside the backup of the tests, by name. */
const LEFTOVERS = {
  'killed.backup.99999999.partial': 'assay-backup 1\n{',
  'now.backup.99999999.partial': 'assay-backup 1\n{',
  [`ours.backup.${process.pid}.partial`]: 'assay-backup 1\n{',
  'video.99999999.partial': 'of another program',
}
const folder = mkdtempSync(join(tmpdir(), 'assay-backup-'))
const places: CreatedPlace[] = []
const passphraseFile = join(folder, 'passphrase')
writeFileSync(passphraseFile, `${PASSPHRASE}\n`)
let folders = 0

afterAll(async () => {
  for (const one of places) await one.remove()
  rmSync(folder, { recursive: true, force: true })
})

type Env = Record<string, string>

async function newHome(
  engine: StorePlace['engine'],
  { migrated }: { migrated: boolean },
): Promise<{ env: Env; place: StorePlace }> {
  const dataDir = join(folder, `home-${++folders}`)
  if (engine === 'sqlite') {
    if (migrated) putMigrated(dataDir)
    return { env: { ASSAY_DATA_DIR: dataDir }, place: { engine, file: join(dataDir, 'assay.db') } }
  }
  const created = await (migrated ? createMigratedPlace(engine) : createPlace(engine))
  places.push(created)
  if (created.place.engine !== 'postgres') throw new Error('not on PostgreSQL')
  return { env: { ASSAY_DATA_DIR: dataDir, ASSAY_DATABASE_URL: created.place.url }, place: created.place }
}

/** Every row of every table that a backup keeps, but for the note that the restore itself made. */
async function contentOf(place: StorePlace): Promise<Record<string, string[]>> {
  const sql = await openPlace(place)
  const content: Record<string, string[]> = {}
  for (const { name, columns } of shapesOf(readMigrations())) {
    const rows = await sql.query(`select ${columns.map((column) => column.name).join(', ')} from ${name}`)
    content[name] = rows
      .filter(
        (row) => !String(row.action).startsWith('backup.') && !(name === 'audit_chain' && row.organisation_id === ''),
      )
      .map((row) => JSON.stringify(row))
      .sort()
  }
  await sql.close()
  // How far time has come moves on with every verb.
  return { ...content, service_time: [] }
}

describe.each(RULE_ENGINES)('a backup of %s', (engine) => {
  const file = join(folder, `${engine}.assay`)
  let env: Env
  let place: StorePlace
  const withSecret = () => ({ ...env, ASSAY_SECRET: SECRET })
  const ok = async (args: readonly string[], more: Env = {}) => {
    const result = await assayd(args, { ...withSecret(), ...more })
    expect(result.stderr).toBe('')
    return result.stdout
  }

  beforeAll(async () => {
    ;({ env, place } = await newHome(engine, { migrated: true }))
    for (const plan of ['free', 'growth']) {
      await ok(['org', 'create', '--name', `Of ${plan} “☃”`, '--plan', plan, '--credit-pence', '700'])
    }
    const sql = await openPlace(place)
    // As a ledger of 1.0.0 left it: PostgreSQL takes no such entry any more, and must take it back from a backup.
    const older = `insert into ledger_entry values ('org_older', 1, 'ent_1', 'credit', '2026-01', 'free', null, 0, 0, 0, 0, 5, 0, 0, 5, 0,
      null, null, null, 'line one
line "two" \\ three', 1, null)`
    if (engine === 'postgres') await sql.query('alter table ledger_entry drop constraint ledger_entry_has_hash')
    await sql.query(older)
    if (engine === 'postgres') {
      await sql.query(
        'alter table ledger_entry add constraint ledger_entry_has_hash check (hash is not null) not valid',
      )
    }
    await sql.query(
      `insert into organisation (id, name, state, created_at, updated_at) values ('org_older', 'Older', 'active', 1, 1)`,
    )
    await sql.query(
      `insert into billing_account (organisation_id, plan_id, period, included_pence, prepaid_pence, overage_pence,
        included_used_pence, free_units_used, entry_seq, created_at, updated_at)
       values ('org_older', 'free', '2026-01', 0, 5, 0, 0, 0, 1, 1, 1)`,
    )
    await sql.close()
    await ok(['ledger', 'anchor'])
    mkdirSync(join(env.ASSAY_DATA_DIR!, 'refunds-owed'))
    writeFileSync(join(env.ASSAY_DATA_DIR!, 'refunds-owed', 'one-1.json'), '[]')
    // Left by a backup that was killed (no process has such a number); beside it one in progress, and a file of others.
    const hourAgo = Date.now() / 1000 - 3600
    for (const [name, content] of Object.entries(LEFTOVERS)) {
      writeFileSync(join(folder, name), content)
      if (name !== 'now.backup.99999999.partial') utimesSync(join(folder, name), hourAgo, hourAgo)
    }
    expect(await ok(['backup', '--to', file])).toContain('It is not encrypted')
  })

  it('removes what killed backups left, and nothing else', () => {
    const left = Object.keys(LEFTOVERS).filter((name) => existsSync(join(folder, name)))
    expect(left).toEqual([
      'now.backup.99999999.partial',
      `ours.backup.${process.pid}.partial`,
      'video.99999999.partial',
    ])
    for (const name of left) rmSync(join(folder, name))
  })

  it('is one file that only its owner can read, is never written over, and stands in the audit log', async () => {
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([])
    const again = await assayd(['backup', '--to', file], withSecret())
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('exists already') })
    expect(await ok(['audit', 'list'])).toContain('backup.create')
  })

  it('is proved by `backup verify`, which says what is in it and which secret it needs', async () => {
    const result = JSON.parse(await ok(['backup', 'verify', '--from', file, '--json']))
    expect(result).toMatchObject({
      engine,
      encrypted: false,
      files: 2,
      secrets: [secretIdOf(SECRET)],
      ledger: { clean: true, anchors: 1, uncheckedSignatures: 0 },
    })
    expect(result.tables).toMatchObject({ organisation: 3, anchor: 1 })
    expect(result.tables).not.toHaveProperty('live_fact')
    // The sentences about the secret come from the file, whatever engine wrote it.
    if (engine === 'postgres' && !FULL) return
    const text = async (more: Env) => (await assayd(['backup', 'verify', '--from', file], { ...env, ...more })).stdout
    expect(await text({ ASSAY_SECRET: SECRET })).toContain(
      `needs the secret ${secretIdOf(SECRET)}: the configured one matches`,
    )
    expect(await text({ ASSAY_SECRET: 'another secret, which is long enough' })).toContain(
      'the configured one does not match',
    )
    const without = await text({})
    expect(without).toContain('none is configured. Without it the server does not start')
    expect(without).toContain('signatures of anchors were NOT checked')
  })

  it.each(FULL ? ENGINES : [engine])('is restored into %s: every row, file and rule is there', async (target) => {
    const home = await newHome(target, { migrated: false })
    const restoreEnv = { ...home.env, ASSAY_SECRET: SECRET }
    const restored = await assayd(['restore', '--from', file], restoreEnv)
    expect(restored.stderr).toBe('')
    expect(restored.stdout).toContain('the configured one matches')
    expect(await contentOf(home.place)).toEqual(await contentOf(place))
    const dataDir = home.env.ASSAY_DATA_DIR!
    expect(readFileSync(join(dataDir, 'anchors.log'))).toEqual(readFileSync(join(env.ASSAY_DATA_DIR!, 'anchors.log')))
    expect(readdirSync(join(dataDir, 'refunds-owed'))).toEqual(['one-1.json'])
    expect(readdirSync(dataDir).filter((name) => name.includes('restoring'))).toEqual([])
    expect(await assayd(['ledger', 'verify'], restoreEnv)).toMatchObject({ code: 0, stderr: '' })
    expect((await assayd(['audit', 'list'], restoreEnv)).stdout).toContain('backup.restore')
    const sql = await openPlace(home.place)
    await expect(sql.query('update ledger_entry set units = 1')).rejects.toThrow('append-only')
    await expect(sql.query('delete from audit_entry')).rejects.toThrow('append-only')
    if (target === 'postgres') {
      const entry = `insert into ledger_entry select 'org_x', 1, id, kind, period, plan_id, family, units, free_units, unit_price_pence,
        included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence,
        overage_after_pence, null, null, null, null, 1, null from ledger_entry limit 1`
      await expect(sql.query(entry)).rejects.toThrow('ledger_entry_has_hash')
    }
    await sql.close()
    const twice = await assayd(['restore', '--from', file], restoreEnv)
    expect(twice).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/empty place, but.*(assay\.db|anchor)/),
    })
  })

  // The folder is the same beside either engine.
  it.runIf(FULL || engine === 'sqlite')(
    'is refused by a restore into a folder that holds something, which is named',
    async () => {
      const home = await newHome(engine, { migrated: false })
      const dataDir = home.env.ASSAY_DATA_DIR!
      mkdirSync(dataDir, { recursive: true })
      writeFileSync(join(dataDir, 'anchors.log'), '')
      writeFileSync(join(dataDir, 'secret'), `${SECRET}\n`)
      const refused = await assayd(['restore', '--from', file], home.env)
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(join(dataDir, 'anchors.log')) })
      rmSync(join(dataDir, 'anchors.log'))
      // The secret may be put there first, and others may have been able to read the folder.
      chmodSync(dataDir, 0o755)
      expect((await assayd(['restore', '--from', file], home.env)).stdout).toContain('the configured one matches')
      if (process.platform !== 'win32') expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    },
  )

  it('is restored anew where a restore was stopped half way, and nothing starts there before', async () => {
    const home = await newHome(engine, { migrated: false })
    const dataDir = home.env.ASSAY_DATA_DIR!
    mkdirSync(dataDir, { recursive: true })
    for (const [name, text] of [
      ['restoring', 'of another'],
      ['assay.db.restoring', 'half'],
      ['anchors.log', '{}\n'],
    ] as const) {
      writeFileSync(join(dataDir, name), text)
    }
    for (const verb of [['org', 'list'], ['migrate'], ['backup', '--to', join(folder, 'never')]]) {
      const refused = await assayd(verb, home.env)
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('was not finished') })
    }
    expect((await assayd(['restore', '--from', file], home.env)).stderr).toBe('')
    expect((await assayd(['ledger', 'verify'], home.env)).code).toBe(0)
    // Killed after its last step but one: the same command takes the mark away.
    const { checksum } = JSON.parse((await assayd(['backup', 'verify', '--from', file, '--json'], home.env)).stdout)
    writeFileSync(join(dataDir, 'restoring'), `${checksum}\n`)
    writeFileSync(join(dataDir, 'assay.db.restoring'), 'the first name of the database')
    expect((await assayd(['org', 'list'], home.env)).code).toBe(1)
    expect((await assayd(['restore', '--from', file], home.env)).stdout).toContain('its last step is now complete')
    expect(existsSync(join(dataDir, 'assay.db.restoring'))).toBe(false)
    expect((await assayd(['org', 'list'], home.env)).code).toBe(0)
  })
})

describe('a restore', () => {
  const file = join(folder, 'small.assay')
  beforeAll(async () => {
    const { env } = await newHome('sqlite', { migrated: true })
    mkdirSync(join(env.ASSAY_DATA_DIR!, 'refunds-owed'))
    writeFileSync(join(env.ASSAY_DATA_DIR!, 'refunds-owed', 'one-1.json'), '[]')
    expect((await assayd(['backup', '--to', file], env)).stderr).toBe('')
  })

  it.each(ENGINES)('of two at once into %s one is refused and disturbs nothing', async (engine) => {
    const { env } = await newHome(engine, { migrated: false })
    const both = await Promise.all([0, 1].map(() => assayd(['restore', '--from', file], env)))
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1])
    expect(both.find(({ code }) => code === 1)?.stderr).toMatch(/is running|into an empty place, but/)
    expect(readdirSync(join(env.ASSAY_DATA_DIR!, 'refunds-owed'))).toEqual(['one-1.json'])
    expect((await assayd(['ledger', 'verify'], env)).code).toBe(0)
  })

  it.each([
    ['sqlite', 'a database that is another'],
    ...(FULL ? ([['postgres', 'a database that is another']] as const) : []),
    ['sqlite', 'a file that is no database'],
  ] as const)('into %s that was killed is not called done because of %s', async (engine, other) => {
    const { env } = await newHome(engine, { migrated: true })
    const { checksum } = JSON.parse((await assayd(['backup', 'verify', '--from', file, '--json'], env)).stdout)
    mkdirSync(env.ASSAY_DATA_DIR!, { recursive: true })
    writeFileSync(join(env.ASSAY_DATA_DIR!, 'restoring'), `${checksum}\n`)
    if (other === 'a file that is no database') writeFileSync(join(env.ASSAY_DATA_DIR!, 'assay.db'), 'half')
    const refused = await assayd(['restore', '--from', file], env)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('into an empty place, but') })
    expect(existsSync(join(env.ASSAY_DATA_DIR!, 'restoring'))).toBe(true)
  })

  it('with a passphrase refuses a backup that is not encrypted: somebody may have exchanged it', async () => {
    const { env } = await newHome('sqlite', { migrated: false })
    const refused = await assayd(['restore', '--from', file, '--passphrase-file', passphraseFile], env)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('is not encrypted') })
    expect(existsSync(env.ASSAY_DATA_DIR!)).toBe(false)
  })
})

describe('a file that is not as it was written', () => {
  const whole = join(folder, 'whole.assay')
  const sealed = join(folder, 'whole-sealed.assay')
  let env: Env
  beforeAll(async () => {
    ;({ env } = await newHome('sqlite', { migrated: true }))
    const sql = await openPlace({ engine: 'sqlite', file: join(env.ASSAY_DATA_DIR!, 'assay.db') })
    await sql.query(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
       insert into organisation (id, name, state, created_at, updated_at) select 'org_' || i, hex(randomblob(30)), 'active', 1, 1 from n`,
    )
    await sql.close()
    expect((await assayd(['backup', '--to', whole], env)).stderr).toBe('')
    expect((await assayd(['backup', '--to', sealed, '--passphrase-file', passphraseFile], env)).stderr).toBe('')
  })

  const resummed = (bytes: Buffer) => {
    const body = bytes.subarray(0, -32)
    return Buffer.concat([body, createHash('sha256').update(body).digest()])
  }
  async function refusal(bytes: Buffer, more: readonly string[] = []): Promise<string> {
    const file = join(folder, 'altered.assay')
    writeFileSync(file, bytes)
    const home = join(folder, 'never-made')
    const result = await assayd(['restore', '--from', file, ...more], { ASSAY_DATA_DIR: home })
    expect(result.code).toBe(1)
    expect(existsSync(join(home, 'assay.db'))).toBe(false)
    expect(existsSync(join(home, 'restoring'))).toBe(false)
    rmSync(home, { recursive: true, force: true })
    return result.stderr
  }

  it('is told by its checksum: one bit, a cut, something added', async () => {
    const bytes = readFileSync(whole)
    const flipped = Buffer.from(bytes)
    flipped[bytes.length >> 1]! ^= 1
    for (const damaged of [flipped, bytes.subarray(0, -100), Buffer.concat([bytes, Buffer.from('x')])]) {
      expect(await refusal(damaged)).toContain('checksum')
    }
    expect(await refusal(Buffer.from('SQLite format 3'))).toContain('is not a backup')
    expect((await assayd(['restore', '--from', join(folder, 'none')], env)).stderr).toContain('there is no file')
  })

  it('is told by its content where the checksum was made to fit', async () => {
    const bytes = readFileSync(whole)
    expect(await refusal(resummed(Buffer.concat([bytes.subarray(0, -200), Buffer.alloc(32)])))).toMatch(
      /incomplete|was changed/,
    )
  })

  it('under a passphrase opens with that passphrase alone', async () => {
    expect(
      JSON.parse(
        (await assayd(['backup', 'verify', '--from', sealed, '--passphrase-file', passphraseFile, '--json'], env))
          .stdout,
      ),
    ).toMatchObject({ encrypted: true, ledger: { clean: true } })
    const asked = await assayd(['backup', 'verify', '--from', sealed], env)
    expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining('--passphrase-file') })
    const other = join(folder, 'other-passphrase')
    writeFileSync(other, 'another passphrase\n')
    expect(await refusal(readFileSync(sealed), ['--passphrase-file', other])).toBe(
      'The passphrase does not open this backup.\n',
    )
    writeFileSync(other, 'short\n')
    expect(await refusal(readFileSync(sealed), ['--passphrase-file', other])).toContain('fewer than 12')
    const home = await newHome('sqlite', { migrated: false })
    const restored = await assayd(['restore', '--from', sealed, '--passphrase-file', passphraseFile], home.env)
    expect(restored.stderr).toBe('')
    expect((await assayd(['org', 'list'], home.env)).code).toBe(0)
  })

  it('cannot be written where there is no room for it: that is told in a sentence', async () => {
    const refused = await assayd(['backup', '--to', join(passphraseFile, 'inside-a-file')], env)
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/^--to: .* cannot be written \(E\w+: .*\)\.\n$/)
  })

  it('of a newer version is refused with the version to use', async () => {
    const text = readFileSync(whole).toString('latin1')
    const refusalOf = (altered: string) => refusal(resummed(Buffer.from(altered, 'latin1')))
    expect(await refusalOf(text.replace(/"version":"[^"]+"/, '"version":"99.0.0"'))).toMatch(
      /made by Assay 99\.0\.0, which is newer than this Assay .*\. Install Assay 99\.0\.0 or a later one/,
    )
    const branch = text.replace('"migrations":[', '"migrations":["9999_next",')
    expect(await refusalOf(branch)).toMatch(/does not know the migration 9999_next\. Use Assay/)
    expect(await refusalOf(text.replace('"migrations":[', '"migration":['))).toContain('does not name a version')
    expect(await refusalOf(text.replace('assay-backup 1', 'assay-backup 2'))).toContain('use that version')
  })

  const heading = {
    version: VERSION,
    made_at: '2026-01-01T00:00:00.000Z',
    engine: 'sqlite',
    migrations: readMigrations().map(({ name }) => name),
    secrets: [],
  } as const

  it('with a row that no backup has is refused while it is read', async () => {
    const file = join(folder, 'long-row.assay')
    const content = async function* () {
      yield '["'
      for (let megabytes = 0; megabytes <= 128; megabytes++) yield 'x'.repeat(1024 * 1024)
      yield '"]\n'
    }
    await writeContainer(file, heading, content(), undefined)
    expect(await refusal(readFileSync(file))).toContain('has a row of more than 134217728 characters')
  })

  it.runIf(FULL)('is restored until a signal ends it, and then nothing is left', { timeout: 60_000 }, async () => {
    const file = join(folder, 'endless.assay')
    const anchors = `${JSON.stringify({ file: 'anchors.log', text: '{}\n' })}\n`
    const content = async function* () {
      for (let batch = 0; batch < 100; batch++) yield anchors.repeat(5000)
    }
    await writeContainer(file, heading, content(), undefined)
    const { env: target } = await newHome('sqlite', { migrated: false })
    const dataDir = target.ASSAY_DATA_DIR!
    const child = spawn(process.execPath, [MAIN, 'restore', '--from', file], {
      env: { PATH: process.env.PATH, ...target },
    })
    const ended = once(child, 'exit')
    await expect.poll(() => existsSync(join(dataDir, 'anchors.log')), { timeout: 30_000 }).toBe(true)
    expect(existsSync(join(dataDir, 'assay.db.restoring'))).toBe(true)
    child.kill('SIGTERM')
    expect(await ended).toEqual([130, null])
    expect(readdirSync(dataDir).filter((name) => /restoring|anchors|assay\.db/.test(name))).toEqual([])
  })

  it('is what it was when nobody touched it', async () => {
    copyFileSync(whole, join(folder, 'copy.assay'))
    expect((await assayd(['backup', 'verify', '--from', join(folder, 'copy.assay')], env)).code).toBe(0)
  })
})

describe('a verb where there is no database', () => {
  it('says where it looked, and makes nothing there', async () => {
    for (const engine of ENGINES) {
      const { env } = await newHome(engine, { migrated: false })
      const where =
        engine === 'sqlite' ? join(env.ASSAY_DATA_DIR!, 'assay.db') : new URL(env.ASSAY_DATABASE_URL!).pathname
      for (const verb of [
        ['org', 'list'],
        ['backup', '--to', join(folder, 'none.assay')],
        ['migrate', '--dry-run'],
      ]) {
        const refused = await assayd(verb, env)
        expect(refused).toMatchObject({
          code: 1,
          stdout: '',
          stderr: expect.stringContaining('There is no database at '),
        })
        expect(refused.stderr).toContain(where)
        expect(refused.stderr).toContain('`assayd migrate` or `assayd serve`')
      }
      if (engine === 'sqlite') expect(existsSync(env.ASSAY_DATA_DIR!)).toBe(false)
      expect(await assayd(['migrate'], env)).toMatchObject({ code: 0, stdout: expect.stringContaining('Created a ') })
      expect((await assayd(['org', 'list'], env)).code).toBe(0)
    }
  })
})

it.each(RULE_ENGINES)(
  'a backup of %s from before an erasure is erased again by the list outside the database, when it is restored',
  async (engine) => {
    const { env } = await newHome(engine, { migrated: true })
    const withSecret = { ...env, ASSAY_SECRET: SECRET }
    const ok = async (args: readonly string[]) => {
      const result = await assayd(args, withSecret)
      expect(result.stderr).toBe('')
      return result.stdout
    }
    const created = JSON.parse(await ok(['org', 'create', '--name', 'Leaves Ltd', '--plan', 'free', '--json']))
    const id: string = created.organisation_id
    const before = join(folder, `${engine}-before.assay`)
    await ok(['backup', '--to', before])
    const archive = join(folder, `${engine}.tar.gz`)
    expect(await ok(['org', 'export', '--org', id, '--to', archive])).toContain(archive)
    const again = await assayd(['org', 'export', '--org', id, '--to', archive], withSecret)
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('exists already. Choose another name.') })
    const waits = await ok(['org', 'erase', '--org', id])
    expect(waits).toMatch(/^A running server erases everything of org_\w+ after 20.* To stop it before: --cancel$/m)
    expect(await ok(['org', 'erase', '--org', id, '--now'])).toContain('Receipt: ey')
    expect(await ok(['erasures', 'list'])).toContain(`organisation ${id}`)
    const list = { ASSAY_ERASURES_FILE: join(env.ASSAY_DATA_DIR!, 'erasures.log') }
    const home = await newHome(engine, { migrated: false })
    const restored = await assayd(['restore', '--from', before], { ...home.env, ...list, ASSAY_SECRET: SECRET })
    expect(restored.stdout).toContain('1 later erasure was done again')
    const show = await assayd(['org', 'show', '--org', id], home.env)
    expect(show.stdout).toContain('Erased organisation')
    const verified = await assayd(['ledger', 'verify'], { ...home.env, ASSAY_SECRET: SECRET })
    expect(verified).toMatchObject({ code: 0 })
    const without = await newHome(engine, { migrated: false })
    const unlisted = await assayd(['restore', '--from', before], { ...without.env, ASSAY_SECRET: SECRET })
    expect(unlisted.stdout).toContain('There is no list of erasures at')
  },
)
