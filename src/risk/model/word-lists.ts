import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The sections of word-lists.txt. They are data, like brands.txt: edited there, read once per thread. */
const SECTIONS = new Map<string, string[]>()
let current: string[] = []
for (const line of readFileSync(join(import.meta.dirname, 'word-lists.txt'), 'utf8').split('\n')) {
  if (line === '' || line.startsWith('#')) continue
  const name = /^\[(.+)\]$/.exec(line)?.[1]
  if (name === undefined) current.push(...line.split(' '))
  else {
    current = []
    SECTIONS.set(name, current)
  }
}

export function wordList(section: string): readonly string[] {
  const words = SECTIONS.get(section)
  if (words === undefined) throw new Error(`word-lists.txt has no section [${section}]`)
  return words
}

export function wordSet(section: string): ReadonlySet<string> {
  return new Set(wordList(section))
}
