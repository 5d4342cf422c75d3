import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The data folder belongs to one user. Nobody else may read its content: the database, the secret, copies of feeds. New
 * files are created private (the umask of `assayd`); this corrects files created earlier, or by others.
 */

/** Files that `assayd` itself creates in its folder. Anything else there is not ours to change. */
const OURS = /^(?:assay\.db.*|secret.*|anchors\.log|archive|snapshots|feeds|refunds-owed|restoring|restore\.lock)$/
const NOBODYS = new Set(['lost+found'])
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
const OTHERS = 0o077
const SHOWN_MAX = 5

export interface Tightened {
  /** Paths that others could read until now. */
  readonly tightened: string[]
  /** Paths that others can still read, and why. */
  readonly open: { readonly path: string; readonly why: string }[]
}

/** Creates the folder if there is none. Where the system has no such file rights, nothing else is done. */
export function keepPrivate(folder: string): Tightened {
  const result: Tightened = { tightened: [], open: [] }
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE })
  if (process.platform === 'win32') return result
  const names = readdirSync(folder)
  for (const name of names.filter((entry) => OURS.test(entry))) tightenAll(join(folder, name), result)
  // A folder that others use too, such as /tmp, must stay open to them.
  const foreign = names.find((name) => !OURS.test(name) && !NOBODYS.has(name))
  if (foreign === undefined) tighten(folder, FOLDER_MODE, result)
  else if (isOpen(folder)) {
    const why = `it contains other files too, such as ${JSON.stringify(foreign)}`
    result.open.push({ path: folder, why })
  }
  return result
}

/** Checks the target of a link, as `chmod` changes it: the folder itself may be a link, and a link has no rights. */
function isOpen(path: string): boolean {
  return (statSync(path).mode & OTHERS) !== 0
}

function tightenAll(path: string, result: Tightened): void {
  const entry = lstatSync(path, { throwIfNoEntry: false })
  // A link leads to a file that somebody stores elsewhere on purpose; a temporary file may have vanished.
  if (!entry || entry.isSymbolicLink()) return
  tighten(path, entry.isDirectory() ? FOLDER_MODE : FILE_MODE, result)
  if (entry.isDirectory()) for (const name of readdirSync(path)) tightenAll(join(path, name), result)
}

function tighten(path: string, mode: number, result: Tightened): void {
  try {
    if (!isOpen(path)) return
    chmodSync(path, mode)
    // Some file systems accept the change and do not store it.
    if (isOpen(path)) result.open.push({ path, why: 'its file system does not store permissions' })
    else result.tightened.push(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return
    result.open.push({ path, why: code === 'EPERM' ? 'it belongs to another user' : String(code) })
  }
}

/** Messages for the operator, at most two sentences. */
export function tellTightened({ tightened, open }: Tightened): string[] {
  const list = (paths: readonly string[]) =>
    paths.slice(0, SHOWN_MAX).join(', ') + (paths.length > SHOWN_MAX ? ` and ${paths.length - SHOWN_MAX} more` : '')
  return [
    ...(tightened.length > 0 ? [`other users could read ${list(tightened)}: now only the owner can`] : []),
    ...(open.length > 0
      ? [
          `other users can read ${list(open.map(({ path, why }) => `${path} (${why})`))}: give the user of Assay its own folder, with mode 700`,
        ]
      : []),
  ]
}
