import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { type ServerProcess, startProcess } from '../support/process.ts'
import { compare, refundsPaid } from './compare.ts'
import { fault, type Judged, LONG, NotHere, newFolder, placeOf, seen, until } from './fault.ts'
import { createAccount, type Load, startLoad } from './load.ts'

/**
 * A disk that takes no more, while the node runs on SQLite.
 *
 * The limit on the size of a process's files (RLIMIT_FSIZE) needs no root and can be moved while the process runs: at
 * the present size nothing can grow, as on a full disk; at 0 nothing can be written at all, as on a disk that became
 * read-only. The error is EFBIG instead of ENOSPC or EROFS, and SQLite treats it as it treats EROFS. Where the kernel
 * lets us mount a small file system, a really full one (ENOSPC) is tried as well.
 */

const run = promisify(execFile)
const ROUNDS = LONG ? 10 : 1
const REFUSALS = 40

async function limitFiles(node: ServerProcess, bytes: number | 'unlimited'): Promise<void> {
  try {
    await run('prlimit', [`--pid=${node.pid}`, `--fsize=${bytes}:unlimited`])
  } catch (error) {
    throw new NotHere(`prlimit does not work (${(error as Error).message.split('\n')[0]})`)
  }
}

async function underLoad(
  /** Breaks the disk that the folder lies on, and returns how to mend it. */
  breakDisk: (node: ServerProcess, dataDir: string) => Promise<() => Promise<void>>,
  { mounted = false } = {},
): Promise<Judged> {
  const folder = newFolder()
  const own = { ASSAY_DATA_DIR: join(folder.path, 'own') }
  const small = join(folder.path, 'small')
  let node: ServerProcess | undefined
  try {
    mkdirSync(own.ASSAY_DATA_DIR)
    mkdirSync(small)
    const account = await createAccount(placeOf(own))
    node = mounted
      ? await startProcess({ ASSAY_DATA_DIR: small }, 'serve', {
          through: inSmallFileSystem(small, own.ASSAY_DATA_DIR),
        })
      : await startProcess(own)
    // Only the node, and processes in its namespace, see the file system that it has mounted.
    const dataDir = mounted ? `/proc/${node.pid}/root${small}` : own.ASSAY_DATA_DIR
    const { url } = node
    const load = startLoad({ account, urlOf: () => url })
    const recoveriesMs: number[] = []
    for (let round = 1; round <= ROUNDS; round++) {
      await load.answers(80)
      const mend = await breakDisk(node, dataDir)
      await refusals(load)
      await until('the node says that it is not ready', async () => (await statusOf(url, '/readyz')) === 503)
      expect(await statusOf(url, '/livez')).toBe(200)
      await mend()
      recoveriesMs.push(await load.recovery())
      await until('the node says that it is ready', async () => (await statusOf(url, '/readyz')) === 200)
    }
    await load.answers(80)
    await load.stop()
    await refundsPaid(dataDir)
    // SQLite cannot open a file through another's eyes; nobody writes any more, so a copy is whole.
    if (mounted) {
      for (const name of ['assay.db', 'assay.db-wal']) copyFileSync(join(dataDir, name), join(own.ASSAY_DATA_DIR, name))
    }
    const { organisationId } = account
    const comparison = await compare({ place: placeOf(own), organisationId, load, env: own })
    return { comparison, rounds: ROUNDS, recoveriesMs, meanwhile: seen(load) }
  } finally {
    await node?.kill('SIGKILL')
    folder.remove()
  }
}

/** A file system of 64 MB in a namespace of its own, which holds a copy of a data folder. */
function inSmallFileSystem(folder: string, copyOf: string): string[] {
  const script = 'mount -t tmpfs -o size=64m,mode=755 small "$1" && cp -a "$2/." "$1" && shift 2 && exec "$@"'
  return ['unshare', '-Urm', 'sh', '-c', script, 'sh', folder, copyOf]
}

async function canMount(): Promise<boolean> {
  const folder = newFolder()
  try {
    await run('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'small', folder.path])
    return true
  } catch {
    return false
  } finally {
    folder.remove()
  }
}

async function statusOf(url: string, path: string): Promise<number> {
  const answer = await fetch(`${url}${path}`)
  await answer.arrayBuffer()
  return answer.status
}

/** Waits until callers have been told 503 so many times. */
async function refusals(load: Load): Promise<void> {
  const enough = (load.others.get(503) ?? 0) + REFUSALS
  await until('callers are told 503', () => (load.others.get(503) ?? 0) >= enough)
}

describe('the disk of a node on SQLite', () => {
  fault('disk full: no file may grow', { short: true }, () =>
    underLoad(async (node, dataDir) => {
      const bytes = Math.min(...['assay.db', 'assay.db-wal'].map((name) => statSync(join(dataDir, name)).size))
      await limitFiles(node, bytes)
      return () => limitFiles(node, 'unlimited')
    }),
  )

  fault('disk read-only: no file may be written', { short: false }, () =>
    underLoad(async (node) => {
      await limitFiles(node, 0)
      return () => limitFiles(node, 'unlimited')
    }),
  )

  fault('file system full (ENOSPC)', { short: false }, async () => {
    if (!(await canMount())) throw new NotHere('mounting a file system is not allowed')
    return underLoad(
      async (_node, dataDir) => {
        const filler = join(dataDir, 'filler')
        fill(filler)
        return async () => rmSync(filler)
      },
      { mounted: true },
    )
  })
})

const BLOCK = Buffer.alloc(65_536)

function fill(file: string): void {
  try {
    for (let i = 0; i < 10_000; i++) writeFileSync(file, BLOCK, { flag: 'a' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return
    throw error
  }
  throw new Error(`the file system of ${file} never filled up`)
}
