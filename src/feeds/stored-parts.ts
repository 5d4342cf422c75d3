import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { beginWholeFile } from '../lib/whole-file.ts'

/** Files in the database, in parts: how a node gives a file to the others. */
const PART_BYTES = 4 * 1024 * 1024

export function partsOf(file: string): number {
  return Math.ceil(statSync(file).size / PART_BYTES)
}

export async function putParts(
  file: string,
  put: (number: number, data: Uint8Array) => Promise<unknown>,
): Promise<void> {
  const descriptor = openSync(file, 'r')
  using _ = { [Symbol.dispose]: () => closeSync(descriptor) }
  const buffer = new Uint8Array(PART_BYTES)
  for (let number = 0; ; number++) {
    const got = readSync(descriptor, buffer, 0, PART_BYTES, number * PART_BYTES)
    if (got === 0) return
    await put(number, buffer.slice(0, got))
  }
}

/** Writes the file from its parts. False, and the file stays as it was, if they do not have the digest `sha256`. */
export async function joinParts(
  file: string,
  { parts, sha256 }: { readonly parts: number; readonly sha256?: string },
  get: (number: number) => Promise<Uint8Array>,
): Promise<boolean> {
  using output = beginWholeFile(file)
  const digest = createHash('sha256')
  for (let number = 0; number < parts; number++) {
    const part = await get(number)
    digest.update(part)
    output.put(part)
  }
  if (sha256 !== undefined && digest.digest('hex') !== sha256) return false
  output.keep()
  return true
}
