import { copyFileSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { assayd, type ServerProcess, startProcess } from '../support/process.ts'
import { compare } from './compare.ts'
import { fault, LONG, newFolder, placeOf, seen, settle } from './fault.ts'
import { type Account, createAccount, type Load, startLoad } from './load.ts'

/** Files that were damaged while nobody held them open. */

const FLIPS = LONG ? 40 : 4
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

type Verdict = 'refused to start' | 'noticed by ledger verify' | 'harmless'

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

/** What becomes of a node whose database was damaged. */
async function verdictOf(env: Record<string, string>, account: Account): Promise<Verdict> {
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
    return 'harmless'
  } finally {
    await node.kill('SIGTERM')
  }
}

describe('damaged files', () => {
  fault('database damaged while stopped', { short: LONG }, async () => {
    const folder = newFolder()
    const env = { ASSAY_DATA_DIR: folder.path }
    const file = join(folder.path, 'assay.db')
    const whole = join(folder.path, 'whole.db')
    try {
      const account = await createAccount(placeOf(env))
      const load = await answeredLoad(env, account, 400)
      const comparison = await compare({ place: placeOf(env), organisationId: account.organisationId, load, env })
      const balance = await balanceOf(env, account.organisationId)
      copyFileSync(file, whole)
      const counts = new Map<Verdict, number>()
      const silent: string[] = []
      const damages = damagesOf(account)
      for (const [name, damage] of damages) {
        for (const left of ['-wal', '-shm']) rmSync(`${file}${left}`, { force: true })
        writeFileSync(file, damage(readFileSync(whole)))
        const verdict = await verdictOf(env, account)
        counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
        if (verdict !== 'harmless') continue
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
      const versions: string[] = []
      for (let i = 0; i < 2; i++) {
        const compiled = await assayd(['intel', 'compile', '--json'], env)
        expect(compiled.stderr).toBe('')
        const known = new Set(versions)
        versions.push(...readdirSync(snapshots).filter((name) => name.endsWith('.snapshot') && !known.has(name)))
      }
      const [before, current] = versions as [string, string]
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
        expect(versions).not.toContain(await versionIn(node))
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
