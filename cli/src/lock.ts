import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'

/**
 * A file that says who is at work, held by one process at a time. What a process left behind when it was killed is
 * recognised by its id and taken over. Returns how to let go, or undefined when somebody else holds it.
 */
export function tryLock(path: string): (() => void) | undefined {
  const taken = take(path)
  if (taken || isHeld(path)) return taken
  // Only one may clear away what was left behind, and it looks again: another may have done so and taken the lock.
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
    const handle = openSync(path, 'wx', 0o600)
    writeSync(handle, String(process.pid))
    closeSync(handle)
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
  // Empty for the moment between its making and its writing.
  if (text === '') return true
  try {
    process.kill(Number(text), 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
