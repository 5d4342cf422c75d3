import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { feedEntry as entry } from '../../test/support/feed-entry.ts'
import { parseCatalogue, readCatalogue } from './catalogue.ts'
import { localFiles } from './files.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const catalogue = (...feeds: unknown[]) => parseCatalogue(JSON.stringify({ feeds }))

describe('the catalogues that ship', () => {
  it('are valid, and nothing under a non-commercial licence is on by default', () => {
    const feeds = readCatalogue(join(root, 'feeds.json'))
    expect(feeds.length).toBeGreaterThanOrEqual(30)
    for (const feed of feeds) {
      if (feed.enabled) expect(feed.commercial_use, feed.id).toBe(true)
      for (const address of feed.address) expect(address, feed.id).toMatch(/^https:\/\//)
    }
  })

  it('say why a feed is off, what it needs, and that nobody looks after it', () => {
    const feeds = readCatalogue(join(root, 'feeds.json'))
    for (const feed of feeds) {
      if (!feed.enabled || feed.key !== undefined || feed.as_of !== undefined) expect(feed.note, feed.id).toBeDefined()
    }
    const keyed = feeds.filter(({ key }) => key !== undefined)
    expect(keyed.map(({ id, key }) => [id, key])).toEqual([
      ['urlhaus', 'ASSAY_FEED_KEY_ABUSE_CH'],
      ['threatfox', 'ASSAY_FEED_KEY_ABUSE_CH'],
      ['phishtank', 'ASSAY_FEED_KEY_PHISHTANK'],
    ])
  })

  it('has no feed on that states no licence, except the one that docs/feeds.md names', () => {
    const unstated = readCatalogue(join(root, 'feeds.json')).filter(
      ({ enabled, licence, note = '' }) => enabled && /none stated|no licence is stated/i.test(`${licence} ${note}`),
    )
    const [, exception] = /exception: `([^`]+)` states no licence/.exec(
      readFileSync(join(root, 'docs/feeds.md'), 'utf8'),
    )!
    expect(unstated.map(({ id }) => id)).toEqual([exception])
  })

  it('the example of copies in docs/feeds.md finds the file it speaks of', () => {
    const text = readFileSync(join(root, 'docs/feeds.md'), 'utf8')
    const example = JSON.parse(/^\{ "catalogue".*$/m.exec(text)![0]) as { files: Record<string, string> }
    const [, from] = /--catalogue copies\.json --from (\S+)`/.exec(text)!
    for (const path of Object.values(example.files)) expect(text).toContain(`\`${from}/${path}\``)
  })

  // One catalogue, one card: a feed that is measured is a feed that ships, worth what the catalogue says.
  it('the one for evaluation says where copies lie and nothing else', () => {
    const shipped = new Map(readCatalogue(join(root, 'feeds.json')).map((feed) => [feed.id, feed]))
    const measured = readCatalogue(join(root, 'lab/evaluation/catalogue.json'))
    expect(measured.length).toBeGreaterThan(70)
    for (const { address, ...feed } of measured) {
      const { address: _, ...same } = shipped.get(feed.id)!
      expect(feed).toEqual({ ...same, enabled: true })
      for (const path of address) expect(path, feed.id).toMatch(/^feeds\//)
    }
  })
})

describe('a catalogue of copies', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-copies-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  function copies(document: unknown): unknown {
    writeFileSync(join(folder, 'feeds.json'), JSON.stringify({ feeds: [entry({ enabled: false })] }))
    writeFileSync(join(folder, 'copies.json'), JSON.stringify(document))
    return readCatalogue(join(folder, 'copies.json'))
  }

  it('takes everything but the address from the catalogue it names', () => {
    expect(copies({ catalogue: 'feeds.json', files: { one: ['a/*.txt', 'b.txt'] } })).toMatchObject([
      { id: 'one', address: ['a/*.txt', 'b.txt'], enabled: true, tags: ['phishing'], confidence: 0.8 },
    ])
  })

  it('is refused when it names a feed that the catalogue lacks, a way out of the folder, or anything of its own', () => {
    expect(() => copies({ catalogue: 'feeds.json', files: { two: 'a.txt' } })).toThrow(
      'feed two: feeds.json has no such feed',
    )
    for (const files of [{ one: '../a.txt' }, { one: 'https://a.example/' }, { one: [] }, { one: 3 }]) {
      expect(() => copies({ catalogue: 'feeds.json', files })).toThrow('must be relative paths')
    }
    expect(() => copies({ catalogue: 'feeds.json', files: {}, tags: ['c2'] })).toThrow('It needs the form')
  })
})

describe('a catalogue', () => {
  it('is refused as a whole, naming each entry and field that is wrong', () => {
    const problems = (...feeds: unknown[]) => {
      try {
        catalogue(...feeds)
        return ''
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(problems(entry(), entry())).toContain('feed one: another feed has this id')
    expect(problems(entry({ address: 'https://a.example/{key}' }))).toContain('"key" and {key} in an address or header')
    expect(problems(entry({ key: 'ASSAY_FEED_KEY_X' }))).toContain('need each other')
    expect(problems(entry({ address: 'https://a.example/{key}', key: 'ASSAY_SECRET' }))).toContain('ASSAY_FEED_KEY_')
    expect(problems(entry({ format: { type: 'json-lines', values: 'ip' } }))).toContain('"format.value" must be')
    expect(problems(entry({ tags: ['phish'] }))).toContain('feed one: "tags" must be a list of phishing, ')
    expect(problems(entry({ confidence: 2 }))).toContain('feed one: "confidence" must be a number from 0 to 1')
    expect(problems(entry({ colour: 1 }))).toContain('feed one: "colour" is not a field of a feed')
    expect(problems(entry({ format: { type: 'xml' } }))).toContain(
      '"format" must be an object whose "type" is one of list',
    )
    expect(problems(entry({ format: { type: 'csv', values: 'ip', columns: { value: 'ip' } } }))).toContain(
      'may use names only where "format.header" is true',
    )
    expect(problems(entry({ id: undefined }))).toContain('feed number 1: "id" must be a text')
    expect(() => parseCatalogue('{')).toThrow('It is not valid JSON')
    expect(() => parseCatalogue('[]')).toThrow('It needs the form { "feeds": [ … ] }')
  })

  it.each([
    ['http://plain.example/list', 'must begin with https: or file:'],
    ['ftp://plain.example/list', 'must begin with https: or file:'],
    ['/etc/passwd', 'must be a relative path'],
    ['a/../../b', 'must not leave its folder'],
    ['https://', 'is not a valid URL'],
  ])('refuses the address %s', (address, reason) => {
    expect(() => catalogue(entry({ address }))).toThrow(reason)
  })

  it('lets a name be new for thirty days at most', () => {
    const young = (over: object) => catalogue(entry({ tags: ['newly_registered'], ...over }))
    expect(young({ expiry_days: 30 })[0]).toMatchObject({ expiry_days: 30, retain: true })
    for (const over of [{}, { expiry_days: 31 }, { tags: ['phishing', 'newly_registered'], expiry_days: 90 }]) {
      expect(() => young(over)).toThrow('"expiry_days" must be at most 30 for newly registered names')
    }
  })

  it('takes the place of one bundled source or several', () => {
    const replaced = (replaces?: unknown) => catalogue(entry({ replaces }))[0]?.replaces
    expect([replaced(), replaced('a'), replaced(['a', 'b'])]).toEqual([[], ['a'], ['a', 'b']])
    for (const wrong of [7, [''], [7], {}]) expect(() => replaced(wrong)).toThrow('"replaces" must be')
  })

  it('keeps rows that left a threat feed until they expire, and no others', () => {
    expect(catalogue(entry({ expiry_days: 30 }))[0]?.retain).toBe(true)
    expect(catalogue(entry())[0]?.retain).toBe(false)
    expect(catalogue(entry({ expiry_days: 30, tags: ['popular_1k'] }))[0]?.retain).toBe(false)
    expect(catalogue(entry({ expiry_days: 30, retain: false }))[0]?.retain).toBe(false)
  })
})

describe('a folder of feeds', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-feeds-'))
    mkdirSync(join(folder, 'base/trails'), { recursive: true })
    writeFileSync(join(folder, 'secret.txt'), 'secret.example\n')
    symlinkSync(join(folder, 'secret.txt'), join(folder, 'base/link.txt'))
    writeFileSync(join(folder, 'base/trails/b.txt'), 'b.example\n')
    writeFileSync(join(folder, 'base/trails/a.txt'), 'a.example\n1.2.3.4/8\n')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('expands stars in the order of names and lets no link lead out', () => {
    const base = join(folder, 'base')
    expect(localFiles('trails/*.txt', base).map((file) => file.slice(-5))).toEqual(['a.txt', 'b.txt'])
    expect(localFiles('*/a.txt', base)).toHaveLength(1)
    expect(() => localFiles('link.txt', base)).toThrow('leads out of')
    expect(() => localFiles('none.txt', base)).toThrow('There is no file')
    expect(() => localFiles('none*.txt', base)).toThrow('No file matches')
    expect(() => localFiles('a.txt', undefined)).toThrow('name its folder with --from')
  })
})
