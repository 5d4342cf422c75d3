import { join } from 'node:path'
import { readSections } from '../../lib/sections.ts'

/** The sections of word-lists.txt. They are data, like brands.txt: edited there, read once per thread. */
export const wordList = readSections(join(import.meta.dirname, 'word-lists.txt'))

export function wordSet(section: string): ReadonlySet<string> {
  return new Set(wordList(section))
}
