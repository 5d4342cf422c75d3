import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** A file being written that appears whole and durable under its name, or not at all. */
export interface WholeFile {
  put(bytes: Uint8Array): void
  /** Gives it its name. */
  keep(): void
  /** Leaves nothing behind; for whatever goes wrong before keep() has returned. */
  discard(): void
}

/** `mode`: who may read it; default 0o666 without what the process masks. */
export function beginWholeFile(file: string, { mode }: { readonly mode?: number } = {}): WholeFile {
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
      renameSync(partial, file)
      syncFolder(dirname(file))
    },
    discard() {
      close()
      rmSync(partial, { force: true })
    },
  }
}

/** Names given in a folder survive a power cut. Windows opens no folders; there the file system sees to it by itself. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
