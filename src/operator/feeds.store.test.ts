import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { feedEntry } from '../../test/support/feed-entry.ts'
import { putMigrated } from '../../test/support/migrated-folder.ts'
import { assayd } from '../../test/support/process.ts'

describe('assayd feeds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-feeds-verbs-'))
  const lists = join(folder, 'lists')
  const feedsFile = join(folder, 'feeds.json')
  const env = { ASSAY_DATA_DIR: join(folder, 'data'), ASSAY_FEEDS_FILE: feedsFile }
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const entry = feedEntry({ address: 'https://feeds.example/one.txt', enabled: false })
  const copies = join(folder, 'copies.json')
  mkdirSync(lists)
  putMigrated(env.ASSAY_DATA_DIR)
  const keyed = { ...entry, id: 'two', address: 'https://feeds.example/{key}', key: 'ASSAY_FEED_KEY_TWO' }
  writeFileSync(feedsFile, JSON.stringify({ feeds: [entry, keyed] }))
  writeFileSync(join(lists, 'one.txt'), 'one.example\n')
  writeFileSync(copies, JSON.stringify({ catalogue: 'feeds.json', files: { one: 'one.txt' } }))

  it('list leaves feeds as they were loaded from a folder', async () => {
    expect((await assayd(['feeds', 'sync', '--catalogue', copies, '--from', lists], env)).code).toBe(0)
    const { stdout } = await assayd(['feeds', 'list', '--json'], env)
    expect(JSON.parse(stdout)).toMatchObject([
      { feed: { id: 'one', address: ['one.txt'] }, baseDir: lists, enabled: true },
      { feed: { id: 'two' } },
    ])
  })

  it('enable says that a feed stays off without its key', async () => {
    await assayd(['feeds', 'list'], env)
    const enable = async (over: Record<string, string> = {}) =>
      (await assayd(['feeds', 'enable', 'two'], { ...env, ...over })).stdout.trim()
    expect(await enable()).toBe('Feed two is enabled, but stays off until ASSAY_FEED_KEY_TWO is set.')
    expect(await enable({ ASSAY_FEED_KEY_TWO: 'abcdefgh1234' })).toBe('Feed two is on.')
    expect((await assayd(['feeds', 'disable', 'two'], env)).stdout.trim()).toBe('Feed two is off.')
  })
})
