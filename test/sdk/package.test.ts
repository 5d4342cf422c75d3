import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSdk } from '../../sdk/build.ts'
import { KNOWN } from '../support/engine.ts'
import { type Service, startService } from './service.ts'

/** The package as it is published: plain JavaScript, on whatever Node the machine has, as long as it is 20 or later. */
describe('the built package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-sdk-'))
  const built = join(folder, 'node_modules', '@assay', 'sdk')
  let service: Service
  beforeAll(async () => {
    buildSdk(built)
    service = await startService()
  })
  afterAll(async () => {
    await service.stop()
    rmSync(folder, { recursive: true })
  })

  function run(script: string, args: readonly string[] = [], nodeOptions: readonly string[] = []): Promise<string> {
    const file = join(folder, 'program.mjs')
    writeFileSync(file, script)
    // Not the synchronous one: the service answers from this very process.
    return new Promise((resolve, reject) => {
      execFile(oldestNode(), [...nodeOptions, file, ...args], (error, stdout) =>
        error ? reject(error) : resolve(stdout),
      )
    })
  }

  it('has no dependency, imports nothing of Node, and declares its types', () => {
    const manifest = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'))
    expect(manifest.dependencies).toBeUndefined()
    expect(manifest.exports['.']).toEqual({ types: './index.d.ts', default: './index.js' })
    expect(existsSync(join(built, 'index.d.ts'))).toBe(true)
    const sources = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
    expect(sources.length).toBeGreaterThan(5)
    for (const name of sources) {
      const text = readFileSync(join(built, name), 'utf8')
      for (const [, from] of text.matchAll(/from ['"]([^'"]+)['"]/g)) expect(from).toMatch(/^\.{1,2}\/.*\.js$/)
      expect(text).not.toMatch(/\bprocess\.|\brequire\(|\bBuffer\b|node:/)
      expect(name).not.toContain('test')
    }
  })

  it('checks from plain JavaScript', async () => {
    const { apiKey } = await service.server.organisation()
    const script = `
      import { Assay, ValidationError } from '@assay/sdk'
      const [baseUrl, apiKey] = process.argv.slice(2)
      const assay = new Assay({ baseUrl, apiKey })
      const { risk } = await assay.supplyChain.check('${KNOWN.badDomain}')
      const many = []
      for await (const record of assay.supplyChain.checkMany(['${KNOWN.badDomain}', '!', '${KNOWN.badDomain}.'])) {
        many.push(record.error instanceof ValidationError ? 'invalid' : record.repeat ? 'repeat' : record.risk)
      }
      console.log(JSON.stringify([risk, ...many]))`
    expect(JSON.parse(await run(script, [service.server.url, apiKey]))).toEqual(['high', 'high', 'invalid', 'repeat'])
  })

  it('checks a million records in a heap of 48 MB', async () => {
    const script = `
      import { Assay } from '@assay/sdk'
      const fetch = async (_url, { body }) => {
        const results = JSON.parse(body).domains.map((domain) => ({ domain, risk: 'low', risk_score: 1 }))
        return Response.json({ results, is_free: false, billable_units: results.length, total_price_pence: 0,
          charged_from_credit_pence: 0, overage_pence: 0, remaining_credit_pence: 0 })
      }
      const assay = new Assay({ baseUrl: 'http://localhost', apiKey: 'ask_x', fetch })
      function* domains() { for (let i = 0; i < 1_000_000; i++) yield 'supplier-' + (i % 900_000) + '.example' }
      const run = assay.supplyChain.checkMany(domains(), { concurrency: 2 })
      let low = 0
      for await (const record of run) if (record.risk === 'low') low++
      console.log(JSON.stringify([low, run.billing.billable_units]))`
    expect(JSON.parse(await run(script, [], ['--max-old-space-size=48']))).toEqual([1_000_000, 900_000])
  })
})

/** The machine's own Node where it is recent enough, else the one that runs the tests. */
function oldestNode(): string {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(folder, 'node')
    if (folder.includes('node_modules') || !existsSync(file)) continue
    const version = execFileSync(file, ['--version'], { encoding: 'utf8' })
    if (Number(/^v(\d+)\./.exec(version)?.[1]) >= 20) return file
  }
  return process.execPath
}
