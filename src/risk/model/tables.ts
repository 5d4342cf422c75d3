import { readFileSync, writeFileSync } from 'node:fs'
import type { SharedWords } from '../../lib/text-index.ts'

/**
 * The filled tables of the models, by name. Filling them takes a large part of a start and needs whole word lists, and
 * they are identical in every thread and at every start of a release: so threads share them, and a release contains
 * them as a file.
 */
export type Tables = Map<string, SharedWords>

/** The table of that name; filled now if it does not exist yet. */
export function tableOf(tables: Tables, name: string, fill: () => SharedWords): SharedWords {
  const table = tables.get(name) ?? fill()
  tables.set(name, table)
  return table
}

/** Names and lengths as a line of JSON, then the tables one after the other. */
export function writeTables(file: string, tables: ReadonlyMap<string, SharedWords>): void {
  const head = Buffer.from(`${JSON.stringify([...tables].map(([name, { length }]) => [name, length]))}\n`)
  const bodies = [...tables.values()].map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  )
  writeFileSync(file, Buffer.concat([head, ...bodies]))
}

/** Undefined if there is no such file. */
export function readTables(file: string): Tables | undefined {
  const bytes = readIfThere(file)
  if (!bytes) return undefined
  const notWhole = () => new Error(`${file} is incomplete; install this release again`)
  const end = bytes.indexOf('\n') + 1
  if (end === 0) throw notWhole()
  const lengths = JSON.parse(bytes.toString('utf8', 0, end)) as [string, number][]
  const shared = new SharedArrayBuffer(lengths.reduce((sum, [, length]) => sum + length * 4, 0))
  if (bytes.length - end !== shared.byteLength) throw notWhole()
  new Uint8Array(shared).set(bytes.subarray(end))
  const tables: Tables = new Map()
  let at = 0
  for (const [name, length] of lengths) {
    tables.set(name, new Int32Array(shared, at, length))
    at += length * 4
  }
  return tables
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
