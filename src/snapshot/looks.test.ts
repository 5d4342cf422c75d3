import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asciiSkeleton, skeletonHash, spellingOf, spelt } from '../lib/look.ts'
import { LooksBuilder, looksOf } from './looks.ts'

const MAX = 2 ** 20

test('a name is spelt again from its look and its spelling', () => {
  fc.assert(
    fc.property(fc.oneof(fc.stringMatching(/^[a-z0-9-]{5,20}$/), fc.stringMatching(/^[avwm-]{5,12}$/)), (label) => {
      const spelling = spellingOf(label, MAX)
      fc.pre(spelling >= 0)
      expect(spelt(asciiSkeleton(label), spelling)).toBe(label)
    }),
  )
})

const names = Array.from(
  { length: 20_000 },
  (_, i) => `${(i * 2_654_435_761).toString(36)}-firm.${['com', 'de', 'co.uk'][i % 3]}`,
)

test('an index has at most 16 bytes a name, and is the same in any order of the names', () => {
  const build = (given: readonly string[]) => {
    const builder = new LooksBuilder()
    for (const name of given) builder.add(name)
    return builder.build()
  }
  const { sections, names: count } = build(names)
  const bytes = Object.values(sections).reduce((sum, { byteLength }) => sum + byteLength, 0)
  expect(count).toBeGreaterThan(19_000)
  expect(bytes / count).toBeLessThanOrEqual(16)
  expect(build(names.toReversed()).sections).toEqual(sections)
})

test('every name of an index is found by its look, under its most frequent suffix, and no other name is', () => {
  const looks = looksOf(new Set([...names, 'danfoss.com', 'danfoss.de', 'clanfoss.com', 'www.hosts.com', 'abc.com']))
  expect(looks.withLook('danfoss')).toEqual(
    expect.arrayContaining([
      { label: 'danfoss', site: 'danfoss.com', isPopular: true },
      { label: 'clanfoss', site: 'clanfoss.com', isPopular: true },
    ]),
  )
  expect(looks.withLook('danfoss')).toHaveLength(2)
  expect(looks.withLook('abc')).toEqual([])
  for (const name of names.slice(0, 200)) {
    const label = name.slice(0, name.indexOf('.'))
    expect(
      looks.withLook(asciiSkeleton(label)).map((site) => site.label),
      name,
    ).toContain(label)
    expect(looks.withLook(asciiSkeleton(`${label}q`)), name).toEqual([])
  }
  expect(looksOf(new Set()).withLook('danfoss')).toEqual([])
})

test('two names whose looks have one hash are both found', () => {
  const pair = ['fastercapital', 'oneguyfrombarlick'] as const
  expect(skeletonHash(pair[0])).toBe(skeletonHash(pair[1]))
  const looks = looksOf(new Set(pair.map((label) => `${label}.com`)))
  for (const label of pair) expect(looks.withLook(asciiSkeleton(label)).map((site) => site.label)).toEqual([label])
})
