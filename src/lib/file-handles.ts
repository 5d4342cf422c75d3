import { readdirSync, readFileSync } from 'node:fs'

/** How many more files and connections this process may open; undefined where the system does not say. */
export function freeFileHandles(): number | undefined {
  try {
    const [, allowed = ''] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return allowed === '' ? undefined : Number(allowed) - readdirSync('/proc/self/fd').length
  } catch {
    return undefined
  }
}
