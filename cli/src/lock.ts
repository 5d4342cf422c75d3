import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'

/**
 * A file that says who is at work, held by one process at a time. What a process left behind when it was killed is
 * recognised by its id and taken over. Returns how to let go, or undefined when somebody else holds it.
 */
export function tryLock(path: string): (() => void) | undefined {
  for (let tries = 0; tries < 2; tries++) {
    try {
      const handle = openSync(path, 'wx', 0o600)
      writeSync(handle, String(process.pid))
      closeSync(handle)
      return () => rmSync(path, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      if (isHeld(path)) return undefined
      rmSync(path, { force: true })
    }
  }
  return undefined
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
