import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** A file that appears whole and durable under its name, or not at all: with `using` it is discarded unless it was kept. */
export interface WholeFile extends Disposable {
  put(bytes: Uint8Array): void
  /** Gives the file its name. */
  keep(): void
  /** Leaves nothing behind if keep() has not returned. */
  discard(): void
}

/**
 * `mode`: the file rights; default 0o666 without the bits that the process masks. `replace: false`: a file that already
 * has the name keeps it, and keep() throws EEXIST.
 */
export function beginWholeFile(
  file: string,
  { mode, replace = true }: { readonly mode?: number; readonly replace?: boolean } = {},
): WholeFile {
  mkdirSync(dirname(file), { recursive: true })
  const partial = `${file}.${process.pid}.partial`
  // Create the file again: never write to a file or link that somebody put under this name.
  rmSync(partial, { force: true })
  const descriptor = openSync(partial, 'wx', mode)
  let open = true
  const close = () => {
    if (!open) return
    open = false
    closeSync(descriptor)
  }
  const discard = () => {
    close()
    rmSync(partial, { force: true })
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
    discard,
    [Symbol.dispose]: discard,
  }
}

/** Gives a file a free name, durably: EEXIST where the name is taken. */
export function giveFreeName(file: string, name: string): void {
  try {
    // A link, unlike a rename, never replaces a file that has appeared in the meantime.
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

/** Errors of file systems without links, such as those of memory sticks and some shares. */
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/**
 * Makes the names in a folder survive a power cut. Windows opens no folders; there the file system does this
 * automatically.
 */
function syncFolder(folder: string): void {
  if (process.platform !== 'win32') syncPath(folder, 'r')
}

export function syncPath(path: string, flags: 'r' | 'r+'): void {
  const descriptor = openSync(path, flags)
  using _ = { [Symbol.dispose]: () => closeSync(descriptor) }
  fsyncSync(descriptor)
}
