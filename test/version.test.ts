import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../tools/release/places.ts'
import { filesOfVersion } from '../tools/versions.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const VERSION: string = JSON.parse(read('package.json')).version

describe('the version', () => {
  it('is the same in every place that repeats it', () => {
    const stale = [...filesOfVersion(VERSION)].filter(([path, text]) => read(path) !== text).map(([path]) => path)
    expect(stale, 'npm run set-version puts them right').toEqual([])
  })

  it('would be found where it differs', () => {
    const differing = [...filesOfVersion('99.0.0')].filter(([path, text]) => read(path) !== text)
    expect(differing).toHaveLength(filesOfVersion(VERSION).size)
  })

  it('is not that of the interface, which a release does not change', () => {
    expect(JSON.parse(read('openapi.json')).info.version).toBe('1.0.0')
    expect([...filesOfVersion(VERSION).keys()]).not.toContain('openapi.json')
  })

  it('has a heading with a date in CHANGELOG.md, below what is not released yet, newest first', () => {
    const [first, ...releases] = [...read('CHANGELOG.md').matchAll(/^## (.*)$/gm)].map(([, heading]) => heading!)
    expect(first).toBe('Unreleased')
    expect(releases[0]).toMatch(new RegExp(`^${VERSION.replaceAll('.', '\\.')} - \\d{4}-\\d\\d-\\d\\d$`))
    for (const heading of releases) expect(heading).toMatch(/^\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d$/)
    const dates = releases.map((heading) => heading.split(' - ')[1]!)
    expect(dates).toEqual([...dates].sort().reverse())
  })
})
