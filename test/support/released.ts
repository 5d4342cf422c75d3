import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TAG = 'v1.0.0'
/** The first migration after 1.0.0: if the tag is missing, the commit before it is that release. */
const FIRST_AFTER = 'src/db/migrations/0012_rights.sql'

async function git(...args: string[]): Promise<string> {
  return (await run('git', ['-C', ROOT, ...args])).stdout.trim()
}

async function commitOf(): Promise<string | undefined> {
  try {
    if ((await git('tag', '--list', TAG)) !== '') return TAG
    const added = (await git('log', '--format=%H', '--diff-filter=A', '--', FIRST_AFTER)).split('\n').at(-1)
    return added ? await git('rev-parse', '--verify', `${added}^`) : undefined
  } catch {
    return undefined
  }
}

/** The program of 1.0.0 from the history, with its own packages; undefined in a clone without that commit. */
export async function checkOutReleased(): Promise<{ readonly main: string; remove(): void } | undefined> {
  const commit = await commitOf()
  if (commit === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'assay-released-'))
  const archive = join(folder, 'released.tar')
  await git('archive', '--output', archive, commit)
  await run('tar', ['-xf', archive, '-C', folder])
  const options = ['--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  await run('npm', ['ci', ...options], { cwd: folder })
  return { main: join(folder, 'src/main.ts'), remove: () => rmSync(folder, { recursive: true, force: true }) }
}
