import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseCatalogue } from '../src/feeds/catalogue.ts'
import { parseIp } from '../src/lib/ip.ts'
import { openSnapshot } from '../src/snapshot/read.ts'
import { feedEntry as entry } from '../test/support/feed-entry.ts'
import { compileFolder } from './compile-folder.ts'

const NOW = Date.parse('2026-06-01')

const catalogue = (...feeds: unknown[]) => parseCatalogue(JSON.stringify({ feeds }))

describe('a folder of feeds', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-feeds-'))
    mkdirSync(join(folder, 'base/trails'), { recursive: true })
    writeFileSync(join(folder, 'base/trails/b.txt'), 'b.example\n')
    writeFileSync(join(folder, 'base/trails/a.txt'), '# Last updated: 2026-05-20\na.example\n1.2.3.4/8\n')
    writeFileSync(join(folder, 'base/page.txt'), '<html>')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('compiles what can be read and reports what cannot', async () => {
    const feeds = catalogue(
      entry({
        id: 'trails',
        address: 'trails/*.txt',
        format: { type: 'maltrail' },
        kinds: ['domain', 'ip'],
        tags: ['malware'],
      }),
      entry({ id: 'page', address: 'page.txt' }),
      entry({ id: 'off', address: 'none.txt', enabled: false }),
    )
    const file = join(folder, 'out.snapshot')
    const result = await compileFolder({ catalogue: feeds, from: join(folder, 'base'), file, nowMs: NOW })
    expect(result.feeds.map(({ id, rows }) => [id, rows])).toEqual([
      ['trails', 3],
      ['page', 0],
    ])
    expect(result.feeds[1]?.error).toContain('HTML or error page')
    const snapshot = openSnapshot(file)
    expect(snapshot.domain('a.example')[0]).toMatchObject({ source: 'trails', tag: 'malware', confidence: 0.8 })
    expect(snapshot.ip(parseIp('1.2.3.4')!)).toHaveLength(1)
    expect(snapshot.ip(parseIp('1.2.3.5')!)).toHaveLength(0)
    const asOf = snapshot.info.sources.find(({ id }) => id === 'trails')?.asOfMs
    expect(asOf, 'the date of the list, not of the evaluation').toBe(Date.parse('2026-05-20'))
    expect(snapshot.domain('mailinator.com').length).toBeGreaterThan(0)
  })
})
