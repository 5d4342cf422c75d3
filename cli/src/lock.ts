import { readFileSync, rmSync, writeFileSync } from 'node:fs'

/** Returns the release; undefined while another process holds the lock. That of a killed process is taken over. */
export function tryLock(path: string): (() => void) | undefined {
  const taken = take(path)
  if (taken || isHeld(path)) return taken
  // Only one process may remove a stale lock, and it checks again: another may have removed it and taken the lock.
  const clear = take(`${path}.clear`)
  if (!clear) return undefined
  try {
    if (isHeld(path)) return undefined
    rmSync(path, { force: true })
    return take(path)
  } finally {
    clear()
  }
}

function take(path: string): (() => void) | undefined {
  try {
    writeFileSync(path, String(process.pid), { mode: 0o600, flag: 'wx' })
    return () => rmSync(path, { force: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return undefined
  }
}

function isHeld(path: string): boolean {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return false
  }
  // The file is empty for a moment after it was created and before it was written.
  if (text === '') return true
  try {
    process.kill(Number(text), 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
