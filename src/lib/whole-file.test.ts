import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { beginWholeFile } from './whole-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-whole-'))
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  [true, 'ours'],
  [false, 'theirs'],
])('a file that has the name by then: replace %s leaves %s', (replace, left) => {
  const name = join(folder, `file-${left}`)
  const file = beginWholeFile(name, { replace })
  file.put(Buffer.from('ours'))
  writeFileSync(name, 'theirs')
  if (replace) file.keep()
  else expect(() => file.keep()).toThrow('EEXIST')
  file.discard()
  expect(readFileSync(name, 'utf8')).toBe(left)
  expect(readdirSync(folder).filter((one) => one.includes('partial'))).toEqual([])
})

test('a name that is free is given without replacing', () => {
  const name = join(folder, 'free')
  const file = beginWholeFile(name, { replace: false })
  file.put(Buffer.from('ours'))
  file.keep()
  expect(readFileSync(name, 'utf8')).toBe('ours')
  expect(readdirSync(folder).filter((one) => one.includes('partial'))).toEqual([])
})
