import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { StoreUnavailable } from '../../src/db/sql.ts'
import { assayd, assaydProcess, type ServerProcess, startProcess } from '../support/process.ts'
import { compare } from './compare.ts'
import { fault, newFolder, placeOf, roundsOf, seen, settle } from './fault.ts'
import { type Account, createAccount, type Load, startLoad } from './load.ts'

/** Files that were damaged while nobody held them open. */

const FLIPS = roundsOf({ long: 20, short: 0 })
const PAGE_BYTES = 4096

/** The same sequence in every run: a damage that is found once is found again. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Damage = (bytes: Buffer) => Buffer
const flipAt = (place: (bytes: Buffer) => number, bit = 0): Damage => {
  return (bytes) => {
    const at = place(bytes)
    bytes[at] = bytes[at]! ^ (1 << bit)
    return bytes
  }
}

function placeAfter(bytes: Buffer, text: string): number {
  const at = bytes.indexOf(text)
  if (at < 0) throw new Error(`the file does not hold ${text}`)
  return at + text.length
}

function damagesOf({ organisationId }: Account): readonly (readonly [string, Damage])[] {
  const random = createRandom(20_261_115)
  const month = new Date().toISOString().slice(0, 7)
  return [
    ['header', flipAt(() => 3)],
    // The account's row: its id, plan and month, and then the balances.
    ['balance', flipAt((bytes) => placeAfter(bytes, `${organisationId}enterprise${month}`))],
    ['schema', flipAt((bytes) => bytes.indexOf('CREATE TABLE ledger_entry'.toLowerCase()) + 14)],
    ['half a file', (bytes) => bytes.subarray(0, Math.floor(bytes.length / PAGE_BYTES / 2) * PAGE_BYTES)],
    ['empty page', (bytes) => bytes.fill(0, PAGE_BYTES * 4, PAGE_BYTES * 5)],
    ...Array.from({ length: FLIPS }, (_, i): [string, Damage] => [
      `flip ${i + 1}`,
      (bytes) => {
        // Three bits of one page: enough to matter, little enough not to be seen at once.
        const page = random(bytes.length / PAGE_BYTES)
        for (let n = 0; n < 3; n++) flipAt(() => page * PAGE_BYTES + random(PAGE_BYTES), random(8))(bytes)
        return bytes
      },
    ]),
  ]
}

type Verdict =
  | 'refused to start'
  | 'noticed by ledger verify'
  | 'noticed when read'
  | 'entries altered, amounts right'
  | 'ledger unharmed'

async function balanceOf(env: Record<string, string>, organisationId: string): Promise<number | undefined> {
  const shown = await assayd(['org', 'show', '--org', organisationId, '--json'], env)
  return shown.code === 0 ? (JSON.parse(shown.stdout) as { credit_pence: number }).credit_pence : undefined
}

async function answeredLoad(env: Record<string, string>, account: Account, answers: number): Promise<Load> {
  const node = await startProcess(env)
  const load = startLoad({ account, urlOf: () => node.url })
  await load.answers(answers)
  await load.stop()
  // A clean end leaves one file with everything in it.
  expect(await node.kill('SIGTERM')).toBe(0)
  return load
}

/** The fate of a node whose database was damaged after `load`. */
async function verdictOf(env: Record<string, string>, account: Account, load: Load): Promise<Verdict> {
  let node: ServerProcess
  try {
    node = await startProcess(env)
  } catch (error) {
    const { message } = error as Error
    expect(message).toMatch(/database|SQLite|migration/i)
    expect(message).not.toMatch(/\s+at .*\.ts/)
    return 'refused to start'
  }
  try {
    const response = await fetch(`${node.url}/v1/payment-risk`, {
      method: 'POST',
      headers: { 'x-api-key': account.callers[0]!.apiKey, 'content-type': 'application/json' },
      body: '{"email":"someone@company.example"}',
    })
    await response.text()
    const verified = await assayd(['ledger', 'verify', '--json'], env)
    if (verified.code !== 0) return 'noticed by ledger verify'
    const { organisationId } = account
    const { lost } = await compare({ place: placeOf(env), organisationId, load, env })
    return lost > 0 ? 'entries altered, amounts right' : 'ledger unharmed'
  } catch (error) {
    if (error instanceof StoreUnavailable) return 'noticed when read'
    throw error
  } finally {
    await node.kill('SIGTERM')
  }
}

describe('damaged files', () => {
  it('a node refuses a damaged database in a sentence, and ledger verify finds a balance nobody paid for', async () => {
    const folder = newFolder()
    const env = { ASSAY_DATA_DIR: folder.path }
    const file = join(folder.path, 'assay.db')
    try {
      const account = await createAccount(placeOf(env), 1)
      const whole = readFileSync(file)
      const damages = new Map(damagesOf(account))
      writeFileSync(file, damages.get('header')!(Buffer.from(whole)))
      const refused = await assaydProcess(['serve'], { ...env, PORT: '0', ASSAY_METRICS_PORT: 'off' })
      expect(refused).toMatchObject({ code: 1, stdout: '' })
      expect(refused.stderr).toMatch(/assay\.db cannot be opened .*not a database.* backup/)
      expect(refused.stderr).not.toMatch(/\s+at .*\.ts/)
      writeFileSync(file, damages.get('balance')!(Buffer.from(whole)))
      const verified = await assayd(['ledger', 'verify'], env)
      expect(verified.code).toBe(2)
      expect(verified.stdout).toContain(account.organisationId)
    } finally {
      folder.remove()
    }
  })

  fault('database damaged while stopped', { short: false }, async () => {
    const folder = newFolder()
    const [data, whole] = [join(folder.path, 'data'), join(folder.path, 'whole')]
    const env = { ASSAY_DATA_DIR: data }
    const file = join(data, 'assay.db')
    mkdirSync(data)
    try {
      const account = await createAccount(placeOf(env))
      const load = await answeredLoad(env, account, 400)
      const comparison = await compare({ place: placeOf(env), organisationId: account.organisationId, load, env })
      const balance = await balanceOf(env, account.organisationId)
      cpSync(data, whole, { recursive: true })
      const counts = new Map<Verdict, number>()
      const silent: string[] = []
      const damages = damagesOf(account)
      for (const [name, damage] of damages) {
        // Everything as it was: what stands beside the database, too, tells how far the ledger had come.
        rmSync(data, { recursive: true })
        cpSync(whole, data, { recursive: true })
        writeFileSync(file, damage(readFileSync(file)))
        const verdict = await verdictOf(env, account, load)
        counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
        if (verdict === 'refused to start' || verdict === 'noticed by ledger verify') continue
        // One check was made on it, at a price of a penny or none.
        const now = await balanceOf(env, account.organisationId)
        if (now === undefined || balance === undefined || balance - now > 1 || now > balance) silent.push(name)
      }
      expect(silent).toEqual([])
      const meanwhile = [...counts].map(([verdict, count]) => `${verdict} ${count}`).join(', ')
      return { comparison, rounds: damages.length, meanwhile }
    } finally {
      folder.remove()
    }
  })

  fault('snapshot cut off, then a bit flipped in the one before', { short: false }, async () => {
    const folder = newFolder()
    const env = { ASSAY_DATA_DIR: folder.path, LOG_LEVEL: 'warn' }
    const snapshots = join(folder.path, 'snapshots')
    try {
      const account = await createAccount(placeOf(env))
      const onlooker = await createAccount(placeOf(env), 1)
      await addList(env, 'first.example')
      const before = await publish(env)
      await addList(env, 'second.example')
      const current = await publish(env)
      const versionIn = async (node: ServerProcess) => {
        const response = await fetch(`${node.url}/v1/payment-risk?explain=true`, {
          method: 'POST',
          headers: { 'x-api-key': onlooker.callers[0]!.apiKey, 'content-type': 'application/json' },
          body: '{"email":"someone@company.example"}',
        })
        const { intelligence } = (await response.json()) as { intelligence: { version: string } }
        return `${intelligence.version}.snapshot`
      }

      truncateSync(join(snapshots, current), 1_000_000)
      let node = await startProcess(env)
      expect(await versionIn(node)).toBe(before)
      expect(node.output()).toContain(current)
      await node.kill('SIGTERM')

      const file = join(snapshots, before)
      writeFileSync(file, flipAt((bytes) => bytes.length >> 1)(readFileSync(file)))
      node = await startProcess(env)
      try {
        expect([before, current]).not.toContain(await versionIn(node))
        expect(node.output()).toContain('checksum')
        const load = startLoad({ account, urlOf: () => node.url })
        await load.answers(100)
        const comparison = await settle({ load, account, env })
        return { comparison, rounds: 2, meanwhile: seen(load) }
      } finally {
        await node.kill('SIGKILL')
      }
    } finally {
      folder.remove()
    }
  })
})

/** Compiles a snapshot, makes it current, and gives the name of its file. */
async function publish(env: { ASSAY_DATA_DIR: string }): Promise<string> {
  const folder = join(env.ASSAY_DATA_DIR, 'snapshots')
  const known = existsSync(folder) ? readdirSync(folder) : []
  const compiled = await assayd(['intel', 'compile', '--json'], env)
  expect(compiled.stderr).toBe('')
  const [made] = readdirSync(folder).filter((name) => name.endsWith('.snapshot') && !known.includes(name))
  if (made === undefined) throw new Error('the same snapshot was compiled again')
  return made
}

/** A list of one name, so that the next snapshot differs from the last. */
async function addList(env: { ASSAY_DATA_DIR: string }, name: string): Promise<void> {
  const folder = env.ASSAY_DATA_DIR
  writeFileSync(join(folder, 'list.txt'), `${name}\n`)
  const feed = {
    id: 'list',
    name: 'A list of one name',
    address: 'list.txt',
    format: { type: 'list', values: 'domain' },
    kinds: ['domain'],
    tags: ['phishing'],
    confidence: 0.9,
    half_life_days: 30,
    expiry_days: 90,
    licence: 'CC0-1.0',
    commercial_use: true,
    refresh_hours: 1,
    enabled: true,
  }
  const catalogue = join(folder, 'catalogue.json')
  writeFileSync(catalogue, JSON.stringify({ feeds: [feed] }))
  const synced = await assayd(['feeds', 'sync', '--catalogue', catalogue, '--from', folder], env)
  expect(synced.code).toBe(0)
}
