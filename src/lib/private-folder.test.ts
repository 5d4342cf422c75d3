import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keepPrivate, tellTightened } from './private-folder.ts'

describe.runIf(process.platform !== 'win32')('the data folder', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-private-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const mode = (...names: string[]) => statSync(join(folder, ...names)).mode & 0o777
  const put = (name: string, rights: number) => {
    writeFileSync(join(folder, name), 'x')
    chmodSync(join(folder, name), rights)
  }

  it('is closed to others with all that is ours in it, once', () => {
    chmodSync(folder, 0o755)
    mkdirSync(join(folder, 'snapshots'))
    chmodSync(join(folder, 'snapshots'), 0o775)
    for (const name of ['assay.db', 'assay.db-wal', 'assay.db-shm', 'secret', 'snapshots/current']) put(name, 0o644)
    const first = keepPrivate(folder)
    expect(first.open).toEqual([])
    expect(first.tightened).toHaveLength(7)
    expect([mode(), mode('snapshots')]).toEqual([0o700, 0o700])
    for (const name of ['assay.db', 'assay.db-wal', 'assay.db-shm', 'secret', 'snapshots/current']) {
      expect(mode(name)).toBe(0o600)
    }
    expect(tellTightened(first)).toEqual([
      expect.stringMatching(/^other users could read .* and 2 more: now only the owner can/),
    ])
    expect(tellTightened(keepPrivate(folder))).toEqual([])
  })

  it('stays open where others keep their things, which stay as they are', () => {
    chmodSync(folder, 0o755)
    put('assay.db', 0o644)
    put('holiday.jpg', 0o644)
    const result = keepPrivate(folder)
    expect([mode(), mode('assay.db'), mode('holiday.jpg')]).toEqual([0o755, 0o600, 0o644])
    expect(tellTightened(result).join()).toMatch(/other users can read .*holiday\.jpg.*mode 700/)
  })

  it('is made private when there is none', () => {
    keepPrivate(join(folder, 'a', 'b'))
    expect(mode('a', 'b')).toBe(0o700)
  })

  it('may be a link, which says nothing about who can read what it leads to', () => {
    const place = join(folder, 'data')
    mkdirSync(place)
    chmodSync(place, 0o755)
    const link = join(folder, 'link')
    symlinkSync(place, link)
    expect(keepPrivate(link)).toEqual({ tightened: [link], open: [] })
    expect(mode('data')).toBe(0o700)
    put('data/holiday.jpg', 0o644)
    expect(keepPrivate(link)).toEqual({ tightened: [], open: [] })
  })

  it('does not follow links out of itself', () => {
    const outside = mkdtempSync(join(tmpdir(), 'assay-outside-'))
    writeFileSync(join(outside, 'theirs'), 'x')
    chmodSync(join(outside, 'theirs'), 0o644)
    symlinkSync(outside, join(folder, 'feeds'))
    keepPrivate(folder)
    expect(statSync(join(outside, 'theirs')).mode & 0o777).toBe(0o644)
    rmSync(outside, { recursive: true })
  })
})
