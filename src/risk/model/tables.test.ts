import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sharedWords } from '../../lib/text-index.ts'
import { loadModels } from './load.ts'
import { readTables, tableOf, writeTables } from './tables.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-tables-'))
afterAll(() => rmSync(folder, { recursive: true }))

const filled = loadModels(new Map())

const LABELS = [
  ...'paypal paypa1 pay-pal paypal-login microsft rnicrosoft goggle amazom secure-hsbc-login dhl-paket'.split(' '),
  ...'riverside-bakery smithandsons xkqzvbtr qx7-4tt nestle cafe loans-today sparkasse-kunden wwwnetflix'.split(' '),
]

const said = ({ lexicon, brands }: ReturnType<typeof loadModels>) =>
  LABELS.map((label) => [
    brands.match(label, 'com'),
    brands.match(label, 'xyz'),
    lexicon.cover(label),
    lexicon.isWord(label),
  ])

test('models over tables from a file say what those say that filled the tables, and fill none', () => {
  const file = join(folder, 'tables.bin')
  writeTables(file, filled.tables)
  const read = readTables(file)
  expect([...(read ?? [])]).toEqual([...filled.tables])
  const names = new Set(read?.keys())
  const again = loadModels(read)
  expect(said(again)).toEqual(said(filled))
  expect(new Set(again.tables.keys())).toEqual(names)
  for (const [name, table] of again.tables) expect(table).toBe(read?.get(name))
})

test('a table that is there is not filled again', () => {
  const tables = new Map()
  const table = tableOf(tables, 'one', () => sharedWords(4))
  expect(tableOf(tables, 'one', () => expect.fail('filled twice'))).toBe(table)
})

test('a file that was cut or has more is refused; one that is not there is none', () => {
  const file = join(folder, 'cut.bin')
  writeTables(file, new Map([['one', sharedWords(100)]]))
  truncateSync(file, 200)
  expect(() => readTables(file)).toThrow('is incomplete')
  for (const bytes of [0, 5]) {
    truncateSync(file, bytes)
    expect(() => readTables(file)).toThrow('is incomplete')
  }
  writeTables(file, new Map([['one', sharedWords(100)]]))
  writeFileSync(file, 'more', { flag: 'a' })
  expect(() => readTables(file)).toThrow('is incomplete')
  expect(readTables(join(folder, 'none.bin'))).toBeUndefined()
})
