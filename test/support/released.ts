import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The first migration after a release: if its tag is missing, the commit before that migration is the release. */
const FIRST_AFTER = { '1.0.0': '0012_rights', '1.1.0': '0024_people' }

async function git(...args: string[]): Promise<string> {
  return (await run('git', ['-C', ROOT, ...args])).stdout.trim()
}

async function commitOf(version: keyof typeof FIRST_AFTER): Promise<string | undefined> {
  try {
    const tag = `v${version}`
    if ((await git('tag', '--list', tag)) !== '') return tag
    const migration = `src/db/migrations/${FIRST_AFTER[version]}.sql`
    const added = (await git('log', '--format=%H', '--diff-filter=A', '--', migration)).split('\n').at(-1)
    return added ? await git('rev-parse', '--verify', `${added}^`) : undefined
  } catch {
    return undefined
  }
}

/** The program of a release from the history, with its own packages; undefined in a clone without that commit. */
export async function checkOutReleased(
  version: keyof typeof FIRST_AFTER,
): Promise<{ readonly main: string; remove(): void } | undefined> {
  const commit = await commitOf(version)
  if (commit === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'assay-released-'))
  const archive = join(folder, 'released.tar')
  await git('archive', '--output', archive, commit)
  await run('tar', ['-xf', archive, '-C', folder])
  const options = ['--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  await run('npm', ['ci', ...options], { cwd: folder })
  linkLists(folder)
  return { main: join(folder, 'src/main.ts'), remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Sources compile their first snapshot from lists in packages for development; those of this version do as well. */
function linkLists(folder: string): void {
  const { devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  for (const name of Object.keys(devDependencies)) {
    const [place, own] = [join(folder, 'node_modules', name), join(ROOT, 'node_modules', name)]
    if (existsSync(place) || !existsSync(own)) continue
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(own, place)
  }
}
