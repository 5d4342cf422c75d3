import { createHash } from 'node:crypto'
import { createReadStream, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { FeedRefused } from './parse/report.ts'

/** Feeds in a folder: paths below the folder given with `--from`, or `file:` addresses. */

const FILES_MAX = 10_000

export function isLocal(address: string): boolean {
  return !address.startsWith('https://')
}

/** The files that an address matches, ordered by name. `*` matches part of a file or folder name. */
export function localFiles(address: string, baseDir: string | undefined): string[] {
  if (address.startsWith('file:')) return expand(fileURLToPath(address))
  if (baseDir === undefined) {
    throw new FeedRefused(`The path ${address} is relative; name its folder with --from.`)
  }
  const base = realpathSync(resolve(baseDir))
  const files = expand(join(base, address))
  for (const file of files) {
    // Links are resolved before the check, so that none leads out of the folder.
    const real = realpathSync(file)
    if (real !== base && !real.startsWith(base + sep)) throw new FeedRefused(`${address} leads out of ${baseDir}.`)
  }
  return files
}

function expand(pattern: string): string[] {
  if (!pattern.includes('*')) {
    if (!statSync(pattern, { throwIfNoEntry: false })?.isFile()) throw new FeedRefused(`There is no file ${pattern}.`)
    return [pattern]
  }
  let folders = [pattern.startsWith(sep) ? sep : '.']
  const parts = pattern.split(sep).filter((part) => part !== '')
  for (const part of parts.slice(0, -1)) {
    folders = folders.flatMap((folder) => matching(folder, part, 'folder'))
  }
  const files = folders.flatMap((folder) => matching(folder, parts.at(-1)!, 'file'))
  if (files.length === 0) throw new FeedRefused(`No file matches ${pattern}.`)
  if (files.length > FILES_MAX) throw new FeedRefused(`${pattern} matches more than ${FILES_MAX} files.`)
  return files
}

function matching(folder: string, part: string, kind: 'file' | 'folder'): string[] {
  if (!part.includes('*')) return [join(folder, part)]
  const pattern = new RegExp(`^${part.replace(/[^\w*-]/g, '\\$&').replaceAll('*', '.*')}$`)
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch (cause) {
    throw new FeedRefused(`The folder ${folder} cannot be read.`, { cause })
  }
  return names
    .filter((name) => pattern.test(name) && !name.startsWith('.'))
    .sort()
    .map((name) => join(folder, name))
    .filter((path) => (kind === 'file' ? statSync(path).isFile() : statSync(path).isDirectory()))
}

export async function* localDocuments(addresses: readonly string[], baseDir: string | undefined) {
  for (const address of addresses) {
    for (const file of localFiles(address, baseDir)) {
      const name = baseDir === undefined ? file : relative(dirname(resolve(baseDir, '.')), file)
      yield { name, file, foundMs: Math.floor(statSync(file).mtimeMs), input: readFile(file) }
    }
  }
}

async function* readFile(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file, { highWaterMark: 256 * 1024 })
  } catch (cause) {
    throw new FeedRefused(`${file} cannot be read (${(cause as Error).message}).`, { cause })
  }
}

export async function digestOf(file: string): Promise<string> {
  const digest = createHash('sha256')
  await pipeline(createReadStream(file), digest)
  return digest.digest('hex')
}
