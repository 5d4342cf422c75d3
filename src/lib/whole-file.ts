import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** A file being written that appears whole and durable under its name, or not at all. */
export interface WholeFile {
  put(bytes: Uint8Array): void
  /** Gives it its name. */
  keep(): void
  /** Leaves nothing behind; for whatever goes wrong before keep() has returned. */
  discard(): void
}

/**
 * `mode`: who may read it; default 0o666 without what the process masks. `replace: false`: a file that has the name by then
 * keeps it, and keep() throws EEXIST.
 */
export function beginWholeFile(
  file: string,
  { mode, replace = true }: { readonly mode?: number; readonly replace?: boolean } = {},
): WholeFile {
  mkdirSync(dirname(file), { recursive: true })
  const partial = `${file}.${process.pid}.partial`
  // Made anew: what somebody put there under this name, a link to elsewhere included, is not written to.
  rmSync(partial, { force: true })
  const descriptor = openSync(partial, 'wx', mode)
  let open = true
  const close = () => {
    if (!open) return
    open = false
    closeSync(descriptor)
  }
  return {
    put(bytes) {
      for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done)
    },
    keep() {
      fsyncSync(descriptor)
      close()
      if (!replace) return giveFreeName(partial, file)
      renameSync(partial, file)
      syncFolder(dirname(file))
    },
    discard() {
      close()
      rmSync(partial, { force: true })
    },
  }
}

/** Gives a file a name that is free, for good: EEXIST where it is not. */
export function giveFreeName(file: string, name: string): void {
  try {
    // A link, unlike a rename, never takes the place of what has come there meanwhile.
    linkSync(file, name)
    rmSync(file)
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    if (existsSync(name)) {
      throw Object.assign(new Error(`EEXIST: file already exists, '${name}'`), { code: 'EEXIST', syscall: 'rename' })
    }
    renameSync(file, name)
  }
  syncFolder(dirname(name))
}

/** What file systems without links say, as those of memory sticks and some shares are. */
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/** Names given in a folder survive a power cut. Windows opens no folders; there the file system sees to it by itself. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
