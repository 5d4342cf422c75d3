import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const BUSY_CODE = 5

/** Runs `fn` under the operating system's file lock, which ends with the process; undefined while another has it. */
export async function tryFileLock<T>(file: string, fn: () => Promise<T>): Promise<{ readonly result: T } | undefined> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  using lock = new DatabaseSync(file, { timeout: 0 })
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === BUSY_CODE) return undefined
    throw error
  }
  return { result: await fn() }
}
