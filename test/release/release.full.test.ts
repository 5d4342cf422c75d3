import { execFile, type SpawnOptions, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '../../src/limits.ts'
import { VERSION } from '../../src/version.ts'
import { ROOT } from '../../tools/release/places.ts'
import { feedEntry } from '../support/feed-entry.ts'
import { installReleased, makeRelease, megabytesOf } from '../support/install-released.ts'
import { OLDEST_NODE } from '../support/oldest-node.ts'
import { freePort } from '../support/ports.ts'
import { entryCommand, environment, healthCommand, instructions } from './recipe.ts'

/**
 * What a release hands out, as its receiver gets it: packed once, installed once into an empty folder, and run there as
 * deploy/Containerfile runs it: by a user without rights, from a program tree that cannot be written.
 */
const execute = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'assay-handed-out-'))
const release = join(folder, 'release')
const project = join(folder, 'project')
const server = join(project, 'node_modules/assay')
const bin = join(folder, 'bin')
const place = join(folder, 'place')
const data = join(place, 'data')
const released = (name: string) => join(release, `${name}-${VERSION}.tgz`)

/** Somebody who may do nothing, where we may become somebody else. */
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

beforeAll(async () => {
  await makeRelease(release)
  await installReleased(project, ['assay', 'assay-sdk', 'assay-cli'].map(released))
  // Below a folder that everybody can enter; the repository may lie where only its owner can.
  mkdirSync(bin)
  try {
    linkSync(process.execPath, join(bin, 'node'))
  } catch {
    copyFileSync(process.execPath, join(bin, 'node'))
  }
  mkdirSync(data, { recursive: true })
  chmodSync(folder, 0o755)
  for (const one of [place, data]) if (nobody.uid !== undefined) chownSync(one, nobody.uid, nobody.gid)
})
afterAll(() => {
  if (existsSync(project)) setWritable(true)
  rmSync(folder, { recursive: true, force: true })
})

function setWritable(writable: boolean): void {
  for (const path of ['', ...readdirSync(project, { recursive: true, encoding: 'utf8' })].map((one) =>
    join(project, one),
  )) {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found) chmodSync(path, writable ? found.mode | 0o200 : found.mode & ~0o222)
  }
}

describe('the folder of a release', () => {
  it('has the packages, a bill of materials, and the checksum of each', () => {
    const names = [
      `assay-${VERSION}.cdx.json`,
      ...['assay', 'assay-cli', 'assay-sdk'].map((one) => `${one}-${VERSION}.tgz`),
    ]
    expect(readdirSync(release).sort()).toEqual(['SHA256SUMS', ...names].sort())
    const lines = readFileSync(join(release, 'SHA256SUMS'), 'utf8').trim().split('\n')
    expect(lines.map((line) => line.slice(66)).sort()).toEqual(names.sort())
    for (const line of lines) {
      const digest = createHash('sha256')
        .update(readFileSync(join(release, line.slice(66))))
        .digest('hex')
      expect(line).toBe(`${digest}  ${line.slice(66)}`)
    }
  })

  it('has what the container recipe copies', () => {
    const [first, second] = instructions('COPY').map((one) => one.getArguments().map((argument) => argument.getValue()))
    expect(first?.[0]?.replace(/\$\{VERSION\}/, VERSION)).toBe(`assay-${VERSION}.tgz`)
    expect(second).toEqual(['/opt/assay', '/opt/assay'])
    expect(existsSync(join(project, 'node_modules/.bin', entryCommand[0] ?? ''))).toBe(true)
  })
})

describe('the installed packages', () => {
  it('hold no TypeScript and no tests, and the server holds no dependency of development', () => {
    for (const name of ['assay', '@assay/sdk', '@assay/cli']) {
      const files = readdirSync(join(project, 'node_modules', name), { recursive: true, encoding: 'utf8' })
      expect(files.filter((one) => /\.test\.|(?<!\.d)\.tsx?$|\.map$/.test(one))).toEqual([])
    }
    const { dependencies } = JSON.parse(readFileSync(join(server, 'package.json'), 'utf8'))
    const names = Object.keys(dependencies)
    for (const own of ['node', 'react', 'typescript', 'vite', '@ip-location-db/asn', '@assay/sdk'])
      expect(names).not.toContain(own)
    expect(Object.values(dependencies).filter((version) => !/^\d/.test(String(version)))).toEqual([])
  })

  it('take at most 150 MB', () => {
    expect(megabytesOf(join(project, 'node_modules'))).toBeLessThan(150)
  })

  it('stand in the bill of materials, each in its version, beside what is built in', () => {
    const bom = JSON.parse(readFileSync(join(release, `assay-${VERSION}.cdx.json`), 'utf8')) as Bom
    expect(bom).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { name: 'assay', version: VERSION, type: 'application' } },
    })
    const listed = new Map(bom.components.map((one) => [`${one.name}@${one.version}`, one]))
    const { packages } = JSON.parse(readFileSync(join(project, 'node_modules/.package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string }>
    }
    const installed = Object.entries(packages).map(
      ([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`,
    )
    const ofOthers = [`assay@${VERSION}`, `@assay/sdk@${VERSION}`, `@assay/cli@${VERSION}`]
    // The command line is a package of its own, with what it needs.
    const { dependencies } = JSON.parse(readFileSync(join(project, 'node_modules/@assay/cli/package.json'), 'utf8'))
    for (const [name, version] of Object.entries(dependencies)) ofOthers.push(`${name}@${version}`)
    expect(installed.filter((one) => !listed.has(one) && !ofOthers.includes(one))).toEqual([])
    for (const name of ['react', '@mantine/core', 'typebox', 'oidc-provider', '@ip-location-db/asn']) {
      const found = bom.components.find((one) => one.name === name)
      expect(found?.properties, name).toContainEqual({ name: 'assay:built-in', value: 'true' })
    }
    const references = bom.components.map((one) => one['bom-ref'])
    expect(new Set(references).size).toBe(references.length)
    for (const { purl, hashes } of bom.components) {
      expect(purl).toMatch(/^pkg:npm\//)
      expect(hashes?.[0]?.content).toMatch(/^[0-9a-f]{128}$/)
    }
    const known = new Set([...references, bom.metadata.component['bom-ref']])
    for (const { ref, dependsOn } of bom.dependencies)
      expect([ref, ...dependsOn].filter((one) => !known.has(one))).toEqual([])
  })

  it.skipIf(OLDEST_NODE === undefined)('say what to do on a Node that is too old', async () => {
    const { code, stderr } = await run([OLDEST_NODE ?? '', join(server, 'bin/assayd.cjs'), '--version'])
    expect(stderr).toMatch(/^Assay needs Node 24\.\d+\.\d+ or later, and this is \d.*npm install node@24\n$/)
    expect(code).toBe(1)
  })

  it.skipIf(OLDEST_NODE === undefined)('run by the package node where that is installed beside them', async () => {
    const beside = join(project, 'node_modules/node')
    symlinkSync(join(ROOT, 'node_modules/node'), beside)
    const { code, stdout, stderr } = await run([OLDEST_NODE ?? '', join(server, 'bin/assayd.cjs'), '--version'])
    rmSync(beside)
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' })
  })
})

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly purl?: string
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
  readonly hashes?: readonly { readonly content: string }[]
}

interface Bom {
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

describe('the server from its package, as the container runs it', () => {
  const listed = 'freshly-listed.example'
  let port: number
  let url: string
  let started: Started
  let apiKey: string

  beforeAll(async () => {
    setWritable(false)
    port = await freePort()
    url = `http://127.0.0.1:${port}`
    // The settings of a place, where compose.yaml puts them: in the working folder.
    writeFileSync(
      join(place, '.env'),
      `ASSAY_BASE_URL=https://assay.example.com\nASSAY_SECRET=${createHash('sha256').update(folder).digest('base64')}\n`,
    )
    started = await start()
    // `for` shows a name in letters that need the fonts of the package.
    const { organisation_id, api_key } = await verb(
      'org',
      'create',
      '--name',
      '北京',
      '--plan',
      'prepaid',
      '--credit-pence',
      '5000',
    )
    apiKey = api_key
    const scopes = 'billing:read billing:write'
    billingKey = (await verb('key', 'create', '--org', organisation_id, '--scope', scopes)).api_key
  })
  let billingKey: string
  afterAll(() => started?.end('SIGKILL'))

  /** Of the recipe, but for where things lie on this machine, and without the internet. */
  const settings = () => ({
    PATH: bin,
    HOME: '/nonexistent',
    TMPDIR: place,
    ...environment,
    HOST: '127.0.0.1',
    PORT: String(port),
    ASSAY_DATA_DIR: data,
    ASSAY_METRICS_PORT: 'off',
    ASSAY_FEEDS_REFRESH: 'off',
    ASSAY_LIVE: 'off',
    ASSAY_CONTACT: 'billing@operator.example',
    ASSAY_SHUTDOWN_DELAY_MS: '0',
    LOG_LEVEL: 'warn',
  })
  const inPlace = (): SpawnOptions => ({ cwd: place, env: settings(), ...nobody })
  const program = (command: readonly string[]) => [
    join(project, 'node_modules/.bin', command[0] ?? ''),
    ...command.slice(1),
  ]

  const start = () => startUntilReady(program(entryCommand), inPlace())

  async function verb(...args: string[]) {
    const { code, stdout, stderr } = await run(program(['assayd', ...args, '--json']), inPlace())
    expect(stderr).toBe('')
    expect(code).toBe(0)
    return JSON.parse(stdout)
  }

  const get = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers })

  async function check(domain: string) {
    const answer = await fetch(`${url}/v1/supply-chain-risk?explain=true`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ domain }),
    })
    expect(answer.status).toBe(200)
    return (await answer.json()) as { risk: string; signals: { source?: string }[]; remaining_credit_pence: number }
  }

  it('answers the first question, and is healthy by the check of the recipe', async () => {
    expect((await check('paypa1-login.com')).risk).toBe('high')
    const [command = '', ...args] = healthCommand
    expect((await run([join(bin, command), ...args], inPlace())).code).toBe(0)
    const elsewhere = { ...inPlace(), env: { ...settings(), PORT: String(await freePort()) } }
    expect((await run([join(bin, command), ...args], elsewhere)).code).toBe(1)
  })

  it('shows the console with everything that its page names, and the guides', async () => {
    for (const path of ['/', '/console', '/guides/install']) {
      const page = await get(path)
      expect(page.status, path).toBe(200)
      const assets = [...(await page.text()).matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css|svg))"/g)].map(
        ([, one = '']) => one,
      )
      expect(assets.length).toBeGreaterThan(1)
      for (const asset of assets) {
        const answer = await get(asset, { 'accept-encoding': 'br' })
        expect([asset, answer.status]).toEqual([asset, 200])
        expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(0)
      }
    }
  })

  it('shows the API reference and the pages of OAuth', async () => {
    expect(await (await get('/docs')).text()).toContain('Assay API reference')
    expect((await (await get('/docs/js/scalar.js')).text()).length).toBeGreaterThan(LIMITS.requests.bodyBytesMax)
    const discovery = (await (await get('/.well-known/openid-configuration')).json()) as { issuer: string }
    expect(discovery.issuer).toBe('https://assay.example.com')
    expect((await get('/device', { accept: 'text/html' })).status).toBe(200)
    const refused = await get('/oauth/authorize?client_id=nobody', { accept: 'text/html' })
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('invalid_client')
  })

  it('writes an invoice as a PDF, with letters of any alphabet', async () => {
    const answer = await fetch(`${url}/v1/billing/top-ups`, {
      method: 'POST',
      headers: { 'x-api-key': billingKey, 'content-type': 'application/json' },
      body: '{"amount_pence":5000}',
    })
    expect(answer.status).toBe(201)
    const { id } = (await answer.json()) as { id: string }
    const pdf = await get(`/v1/billing/invoices/${id}`, { 'x-api-key': billingKey, accept: 'application/pdf' })
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    expect(
      Buffer.from(await pdf.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
  })

  it('is used by the installed client and the installed command line', async () => {
    const script = `import { Assay } from '@assay/sdk'
      const { risk } = await new Assay({ baseUrl: '${url}', apiKey: '${apiKey}' }).supplyChain.check('paypa1-login.com')
      console.log(risk)`
    const byClient = await run([join(bin, 'node'), '--input-type', 'module', '--eval', script], { cwd: project })
    expect(byClient).toEqual({ code: 0, stdout: 'high\n', stderr: '' })
    const env = { PATH: bin, HOME: place, ASSAY_URL: url, ASSAY_API_KEY: apiKey }
    const byLine = await run([join(project, 'node_modules/.bin/assay'), 'check', 'paypa1-login.com', '--json'], { env })
    expect(JSON.parse(byLine.stdout)).toMatchObject({ risk: 'high' })
  })

  it('compiles a feed into a new snapshot without the packages of development, and takes it without a restart', async () => {
    expect((await check(listed)).signals.map(({ source }) => source)).not.toContain('one')
    writeFileSync(join(place, 'feeds.json'), JSON.stringify({ feeds: [feedEntry()] }))
    writeFileSync(join(place, 'one.txt'), `${listed}\n`)
    await verb('feeds', 'sync', '--catalogue', join(place, 'feeds.json'), '--from', place)
    await verb('intel', 'compile')
    await expect.poll(async () => (await check(listed)).signals.map(({ source }) => source)).toContain('one')
    // The networks are those of the first snapshot.
    const answer = await fetch(`${url}/v1/infrastructure-risk?explain=true`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: '{"ip":"8.8.8.8"}',
    })
    expect(await answer.text()).toMatch(/15169/)
  })

  it('goes on after kill -9 with every penny in its place', async () => {
    const before = (await check(listed)).remaining_credit_pence
    await started.end('SIGKILL')
    started = await start()
    expect((await check(listed)).remaining_credit_pence).toBe(before - 2)
    expect((await check(listed)).signals.map(({ source }) => source)).toContain('one')
    expect(await verb('ledger', 'verify')).toMatchObject({ clean: true })
  })

  it('ends on SIGTERM, and has written nothing beside its data', async () => {
    expect(await started.end('SIGTERM')).toBe(0)
    const allowed = ['.env', 'data', 'feeds.json', 'node-compile-cache', 'one.txt']
    expect(readdirSync(place).filter((name) => !allowed.includes(name))).toEqual([])
  })

  it('serves evaluation alone', async () => {
    const env = {
      ...settings(),
      ASSAY_ENGINE_PORT: String(port),
      ASSAY_ENGINE_TOKEN: 'Q8n2vX5c7Lr0pTz4Kd9sWb6yHf3mJa1e',
    }
    const engine = await startUntilReady(program(['assayd', 'engine']), { ...inPlace(), env })
    expect(await engine.end('SIGTERM')).toBe(0)
  })
})

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

async function run([command = '', ...args]: readonly string[], options: SpawnOptions = {}): Promise<Ended> {
  const ended = execute(command, args, { ...options, encoding: 'utf8' })
  return ended.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr }),
  )
}

interface Started {
  /** Sends the signal; resolves with the exit code when the process is gone. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Resolves when it says, as it does to a person, that it is ready. */
async function startUntilReady([command = '', ...args]: readonly string[], options: SpawnOptions): Promise<Started> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const onExit = () => child.kill('SIGKILL')
  process.once('exit', onExit)
  let text = ''
  const closed = once(child, 'close') as Promise<[number | null]>
  const ready = new Promise<boolean>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        if (/ready on http/.test(text)) resolve(true)
      })
    }
  })
  if (!(await Promise.race([ready, closed.then(() => false)]))) throw new Error(`it did not start: ${text}`)
  return {
    async end(signal) {
      child.kill(signal)
      const [code] = await closed
      process.off('exit', onExit)
      return code
    },
  }
}
