import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { FORM_KEYS, formBuckets, GRAMS_MAX, nameGrams } from '../lib/name-grams.ts'
import { createCompiler } from './compile.ts'
import { LISTED_BUCKETS, ListedNamesCounter } from './listed-names.ts'
import { openSnapshot } from './read.ts'
import type { ListedNames, Tag } from './types.ts'

const CURRENT = { number: 0, halfLifeDays: 30 }
const ARCHIVE = { number: 1, halfLifeDays: 600 }
const NOBODY = () => false

/** A name under .com, or under another suffix. */
const named = (label: string, suffix = 'com', isOnPlatform = false) => ({
  registrable: `${label}.${suffix}`,
  label,
  isOnPlatform,
})

/** More names than are needed to learn from, all different. */
const filler = Array.from({ length: 5_200 }, (_, i) => `kx${i.toString(36)}`)

function counted(
  add: (counter: ListedNamesCounter) => void,
  isProtected: (name: string) => boolean = NOBODY,
): ListedNames {
  const counter = new ListedNamesCounter()
  for (const label of filler) counter.add(CURRENT, 'phishing', named(label), 1)
  add(counter)
  return counter.count(isProtected)
}

/** Hundredths of a name that have the first five letters of `text`. */
function shareOf({ grams }: ListedNames, text: string): number {
  const found = new Uint32Array(GRAMS_MAX)
  const count = nameGrams(text, found)
  return Math.min(...Array.from(found.subarray(0, count), (hash) => grams[hash & (LISTED_BUCKETS - 1)] as number))
}

describe('listed names', () => {
  it('are counted by their stretches of letters, each name once', () => {
    const before = counted(() => {})
    const listed = counted((counter) => {
      counter.add(CURRENT, 'phishing', named('wwqqzzjjvv'), 0.9)
      counter.add(CURRENT, 'phishing', named('wwqqzzjjvv'), 0.9)
      counter.add({ ...CURRENT, number: 2 }, 'scam', named('wwqqzzjjvv'), 0.5)
    })
    expect(listed.names).toBe(before.names + 1)
    expect(shareOf(listed, 'wwqqzzjjvv')).toBe(90)
    expect(shareOf(before, 'wwqqzzjjvv')).toBe(0)
  })

  it('are counted by their long stretches too, behind the others', () => {
    const long = ({ grams }: ListedNames) => grams.subarray(LISTED_BUCKETS).reduce((sum, count) => sum + count, 0)
    const listed = counted((counter) => counter.add(CURRENT, 'phishing', named('wwqqzzjjvv'), 0.9))
    // Ten letters and two edges have seven stretches of six.
    expect(long(listed) - long(counted(() => {}))).toBe(7 * 90)
  })

  it('are counted by their form under their suffix, those on a platform not', () => {
    const buckets = new Uint32Array(FORM_KEYS)
    const of = ({ forms }: ListedNames, label: string, suffix: string) => {
      formBuckets(label, suffix, buckets)
      return Array.from(buckets, (at) => forms[at] as number)
    }
    const before = counted(() => {})
    const listed = counted((counter) => {
      counter.add(CURRENT, 'phishing', named('wwqqzzjjvv', 'top'), 0.9)
      counter.add(CURRENT, 'phishing', named('qqwwzzvvjj', 'top'), 0.6)
      counter.add(CURRENT, 'phishing', named('zzwwqqvvjj', 'pages.dev', true), 0.9)
    })
    const grown = of(listed, 'aaaaaaaaaa', 'top').map(
      (count, i) => count - (of(before, 'aaaaaaaaaa', 'top')[i] as number),
    )
    // Of ten letters under .top, all under .top, of ten letters anywhere, and all.
    expect(grown).toEqual([150, 150, 150, 150])
    expect(of(listed, 'aaaaaaaaa1', 'top')[0]).toBe(0)
  })

  it('of an archive count for less than those of a list of the day', () => {
    const listed = counted((counter) => counter.add(ARCHIVE, 'malware', named('wwqqzzjjvv'), 0.9))
    expect(shareOf(listed, 'wwqqzzjjvv')).toBe(9)
  })

  it('are left out where something vouches for them, and where the tag says nothing of who chose the name', () => {
    const vouched = counted(
      (counter) => counter.add(CURRENT, 'phishing', named('wwqqzzjjvv'), 0.9),
      (name) => name === 'wwqqzzjjvv.com',
    )
    expect(shareOf(vouched, 'wwqqzzjjvv')).toBe(0)
    for (const tag of ['attack', 'suspicious', 'disposable', 'popular_1k'] satisfies Tag[]) {
      const other = counted((counter) => counter.add(CURRENT, tag, named('wwqqzzjjvv'), 0.9))
      expect(shareOf(other, 'wwqqzzjjvv'), tag).toBe(0)
    }
  })

  it('teach nothing where they are few', () => {
    const counter = new ListedNamesCounter()
    for (const label of filler.slice(0, 4_000)) counter.add(CURRENT, 'phishing', named(label), 1)
    expect(counter.count(NOBODY)).toEqual({ names: 0, weight: 0, grams: new Uint32Array(0), forms: new Uint32Array(0) })
  })

  it('are the same whatever order they came in, also where a source has more than count', () => {
    const many = Array.from({ length: 45_000 }, (_, i) => `name${i.toString(36)}`)
    const of = (labels: readonly string[]) => {
      const counter = new ListedNamesCounter()
      for (const label of labels) counter.add(CURRENT, 'phishing', named(label), 0.8)
      return counter.count(NOBODY)
    }
    const forwards = of(many)
    expect(forwards.names).toBe(20_000)
    expect(of(many.toReversed())).toEqual(forwards)
  })
})

describe('in a snapshot', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-listed-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('a platform is not the name of its customer, and a popular site no example of fraud', () => {
    const nowMs = Date.parse('2026-06-01')
    const compiler = createCompiler({ nowMs })
    compiler.source({ id: 'a', name: 'Feed', licence: 'MIT', asOfMs: nowMs, halfLifeDays: 30 })
    const add = (value: string, tag: Tag = 'phishing') =>
      compiler.add({ kind: 'domain', value, tag, source: 'a', lastSeenMs: nowMs, confidence: 1 })
    for (const label of filler) add(`${label}.com`)
    add('wwqqzzjjvv.pages.dev')
    add('login.yyhhuuggtt.com')
    add('famousname.com')
    add('famousname.com', 'popular_1k')
    const file = join(folder, 'learnt.snapshot')
    compiler.writeTo(file)
    const { listedNames } = openSnapshot(file)
    expect(listedNames.names).toBe(filler.length + 2)
    expect(shareOf(listedNames, 'wwqqzzjjvv')).toBe(100)
    expect(shareOf(listedNames, 'yyhhuuggtt')).toBe(100)
    for (const absent of ['famousname', 'pages', 'login.yyh']) expect(shareOf(listedNames, absent), absent).toBe(0)
  })
})
