import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KNOWN } from '../support/engine.ts'
import { OLDEST_MAJOR, OLDEST_NODE } from '../support/oldest-node.ts'
import { type Service, startService } from './service.ts'

/** The packages as people get them: packed, installed into an empty folder, run by the oldest Node they promise and by ours. */

// Not the synchronous one: the service answers from this very process.
const execute = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')
const OURS = { name: `our Node, ${process.version}`, node: process.execPath }
const OLDEST = { name: `Node ${OLDEST_MAJOR}`, node: OLDEST_NODE }

const folder = mkdtempSync(join(tmpdir(), 'assay-packed-'))
const project = join(folder, 'project')
const sdk = join(project, 'node_modules/@assay/sdk')
let service: Service
beforeAll(async () => {
  const starting = startService()
  const needed = [...withDependencies(join(ROOT, 'cli'))]
  const ours = needed.filter((one) => !one.includes('node_modules'))
  // The dependencies of our packages are packed as well: nothing is fetched.
  const others = needed.filter((one) => !ours.includes(one))
  const pack = ['pack', '--silent', '--pack-destination', folder]
  // Uses the build from before the tests: a build now would disturb tests that run beside this one.
  await execute('npm', [...pack, '--ignore-scripts', ...ours.flatMap((one) => ['--workspace', one])], { cwd: ROOT })
  await execute('npm', [...pack, '--ignore-scripts', ...others], { cwd: ROOT })
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  const packed = readdirSync(folder).flatMap((name) => (name.endsWith('.tgz') ? [join(folder, name)] : []))
  await execute('npm', ['install', '--offline', '--no-audit', '--no-fund', ...packed], { cwd: project })
  service = await starting
})
afterAll(async () => {
  await service?.stop()
  rmSync(folder, { recursive: true })
})

/** The folders of a package and of everything it needs, as Node finds them. */
function withDependencies(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found
  found.add(path)
  const { dependencies = {} } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) {
    const places = createRequire(join(path, 'package.json')).resolve.paths(name) ?? []
    const place = places.find((one) => existsSync(join(one, name)))
    if (!place) throw new Error(`${path} needs ${name}, which is not installed`)
    withDependencies(realpathSync(join(place, name)), found)
  }
  return found
}

async function run(node: string, script: string, args: readonly string[], nodeOptions: readonly string[] = []) {
  const file = join(project, 'program.js')
  writeFileSync(file, script)
  const { stdout } = await execute(node, [...nodeOptions, file, ...args])
  return JSON.parse(stdout)
}

/** One test a Node. Without the oldest one its test is skipped, which the report shows. */
function onEachNode(name: string, test: (node: string) => Promise<void>): void {
  for (const { name: runtime, node } of [OLDEST, OURS]) {
    it.skipIf(node === undefined)(`${name} on ${runtime}`, () => test(node ?? ''))
  }
}

describe('the packed client', () => {
  it('has no dependency, imports nothing of Node, and holds no source', () => {
    const manifest = JSON.parse(readFileSync(join(sdk, 'package.json'), 'utf8'))
    expect(manifest.dependencies).toBeUndefined()
    expect(readdirSync(sdk).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json'])
    const files = readdirSync(sdk, { recursive: true, encoding: 'utf8' })
    expect(files.filter((name) => /\.test\.|(?<!\.d)\.ts$/.test(name))).toEqual([])
    const programs = files.filter((name) => name.endsWith('.js'))
    expect(programs.length).toBeGreaterThan(5)
    for (const name of programs) {
      const text = readFileSync(join(sdk, name), 'utf8')
      for (const [, from] of text.matchAll(/from ['"]([^'"]+)['"]/g)) expect(from).toMatch(/^\.{1,2}\/.*\.js$/)
      expect(text).not.toMatch(/\bprocess\.|\brequire\(|\bBuffer\b|node:/)
    }
  })

  onEachNode('checks from plain JavaScript', async (node) => {
    const { apiKey } = await service.server.organisation()
    const script = `
      import { Assay, ValidationError } from '@assay/sdk'
      import { KINDS } from '@assay/sdk/tables'
      const [baseUrl, apiKey] = process.argv.slice(2)
      const assay = new Assay({ baseUrl, apiKey })
      const { risk } = await assay.supplyChain.check('${KNOWN.badDomain}')
      const many = []
      for await (const record of assay.supplyChain.checkMany(['${KNOWN.badDomain}', '!', '${KNOWN.badDomain}.'])) {
        many.push(record.error instanceof ValidationError ? 'invalid' : record.repeat ? 'repeat' : record.risk)
      }
      console.log(JSON.stringify([Object.keys(KINDS).length, risk, ...many]))`
    expect(await run(node, script, [service.server.url, apiKey])).toEqual([3, 'high', 'high', 'invalid', 'repeat'])
  })

  it('has types: a program in TypeScript compiles against it, and a wrong one does not', async () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', '']
    const program = (level: string) => {
      const text = `import { Assay, type AssayError } from '@assay/sdk'
        const { risk, signals } = await new Assay({ baseUrl: 'http://x', apiKey: 'x' }).payment.explain('a@b.example')
        export const wanted: '${level}' | 'medium' | 'high' = risk
        export const first: string | undefined = signals[0]?.code
        export const unknown = (error: AssayError) => error.outcome === 'unknown'`
      writeFileSync(join(project, `${level}.ts`), text)
      return `${level}.ts`
    }
    const compiling = execute(process.execPath, [tsc, ...options, program('low'), program('none')], { cwd: project })
    const { stdout } = await compiling.catch((error: { stdout: string }) => error)
    expect(stdout.trim().split('\n')).toEqual([expect.stringMatching(/^none\.ts.*TS2322/), expect.stringMatching(/^ /)])
  })

  it('checks 250,000 records in a heap of 24 MB', async () => {
    const script = `
      import { Assay } from '@assay/sdk'
      const fetch = async (_url, { body }) => {
        const results = JSON.parse(body).domains.map((domain) => ({ domain, risk: 'low', risk_score: 1 }))
        return Response.json({ results, is_free: false, billable_units: results.length, total_price_pence: 0,
          charged_from_credit_pence: 0, overage_pence: 0, remaining_credit_pence: 0 })
      }
      const assay = new Assay({ baseUrl: 'http://localhost', apiKey: 'ask_x', fetch })
      function* domains() { for (let i = 0; i < 250_000; i++) yield 'supplier-' + (i % 225_000) + '.example' }
      const run = assay.supplyChain.checkMany(domains(), { concurrency: 2 })
      let low = 0
      for await (const record of run) if (record.risk === 'low') low++
      console.log(JSON.stringify([low, run.billing.billable_units]))`
    expect(await run(OLDEST_NODE ?? process.execPath, script, [], ['--max-old-space-size=24'])).toEqual([
      250_000, 225_000,
    ])
  })
})

describe('the packed command line', () => {
  onEachNode('shows its version and help, checks, and checks a list', async (node) => {
    const { id, apiKey } = await service.server.organisation()
    const env = { PATH: process.env.PATH ?? '', HOME: project, ASSAY_URL: service.server.url, ASSAY_API_KEY: apiKey }
    const assay = (...args: string[]) =>
      execute(node, [join(project, 'node_modules/.bin/assay'), ...args], { cwd: project, env }).then(
        ({ stdout }) => ({ code: 0, stdout }),
        ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
      )
    const manifest = JSON.parse(readFileSync(join(ROOT, 'cli/package.json'), 'utf8'))
    expect(await assay('--version')).toEqual({ code: 0, stdout: `${manifest.version}\n` })
    expect((await assay('bulk', '--help')).stdout).toContain('--resume')
    expect(await assay('check', KNOWN.badDomain, '--field', 'risk')).toEqual({ code: 20, stdout: 'high\n' })
    writeFileSync(join(project, 'list.txt'), '9.9.9.9\n9.9.9.10\n9.9.9.9\n')
    const list = await assay('bulk', 'list.txt', '--yes', '--out', 'jsonl')
    expect(list.stdout.trim().split('\n')).toHaveLength(3)
    expect(await service.billedUnits(id)).toBe(3)
  })
})
