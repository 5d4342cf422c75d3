import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { MAIN } from '../support/process.ts'

/**
 * The server as it is packed into a release: every test that starts a process starts this one. What is packed, installed
 * and run as its receiver does it is up to release.full.test.ts.
 */
const STAGED = join(dirname(MAIN), '..')

it('the staged server holds no TypeScript, no tests and no dependency of development', () => {
  const files = readdirSync(STAGED, { recursive: true, encoding: 'utf8' })
  expect(files).toContain('src/main.js')
  expect(files.filter((one) => /\.test\.|(?<!\.d)\.tsx?$|\.map$/.test(one))).toEqual([])
  const { dependencies } = JSON.parse(readFileSync(join(STAGED, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  for (const own of ['node', 'react', 'typescript', 'vite', '@ip-location-db/asn', '@assay/sdk'])
    expect(Object.keys(dependencies)).not.toContain(own)
  expect(Object.values(dependencies).filter((version) => !/^\d/.test(version))).toEqual([])
})

it('the staged server keeps the path of every module that is loaded by its address', () => {
  const sources = join(import.meta.dirname, '../../src')
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((one) =>
    /(?<!\.test)\.ts$/.test(one),
  )
  // An address that is no base of another one (`new URL('…', import.meta.url)`) is told to a thread.
  const loaded = files.filter((one) =>
    /(?<!', |\(|`)import\.meta\.url|Maker\(import\.meta\.url/.test(readFileSync(join(sources, one), 'utf8')),
  )
  expect(loaded).toEqual(expect.arrayContaining(['billing/invoices/statements.ts', 'identity/audit-log.ts']))
  const staged = readdirSync(join(STAGED, 'src'), { recursive: true, encoding: 'utf8' })
  expect(loaded.filter((one) => !staged.includes(one.replace(/\.ts$/, '.js')))).toEqual([])
})

it('the built client imports nothing of Node and holds no source', () => {
  const dist = join(import.meta.dirname, '../../sdk/dist')
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  expect(files.filter((one) => /\.test\.|(?<!\.d)\.ts$/.test(one))).toEqual([])
  for (const name of files.filter((one) => one.endsWith('.js'))) {
    const text = readFileSync(join(dist, name), 'utf8')
    for (const [, from] of text.matchAll(/from ['"]([^'"]+)['"]/g)) expect(from).toMatch(/^\.{1,2}\/.*\.js$/)
    expect(text).not.toMatch(/\bprocess\.|\brequire\(|\bBuffer\b|node:/)
  }
})
