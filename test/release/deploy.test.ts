import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { CONFIG_KEYS, parseConfig } from '../../src/config.ts'
import { Problem } from '../../src/errors.ts'
import { problemBody } from '../../src/http/problem.ts'
import { FAMILIES } from '../../src/lib/kinds.ts'
import { LIMITS } from '../../src/limits.ts'
import { VERSION } from '../../src/version.ts'
import { ROOT } from '../../tools/release/places.ts'
import { argumentsOf, deployFile, entryCommand, environment, healthCommand, instructions } from './recipe.ts'

/** The samples of deploy/: read as their readers read them, and held against the program and against each other. */

const PRODUCTION = { ASSAY_SECRET: 'x'.repeat(40), ASSAY_BASE_URL: 'https://a.example' }

/** Keys that are Node's or an image's own. */
const NOT_OURS = ['NODE_COMPILE_CACHE']

function expectKnownKeys(keys: Iterable<string>): void {
  for (const key of keys) if (!NOT_OURS.includes(key)) expect(Object.keys(CONFIG_KEYS)).toContain(key)
}

interface Service {
  readonly image: string
  readonly build?: { readonly dockerfile: string; readonly args: Record<string, string> }
  readonly environment: Record<string, string>
  readonly secrets: readonly (string | { readonly source: string; readonly target: string })[]
  readonly ports?: readonly string[]
  readonly networks: readonly string[]
  readonly volumes: readonly string[]
  readonly read_only: boolean
  readonly tmpfs: readonly string[]
  readonly cap_drop: readonly string[]
  readonly security_opt: readonly string[]
  readonly stop_grace_period: string
  readonly depends_on?: Record<string, { readonly condition: string }>
  readonly healthcheck?: { readonly test: readonly string[] }
}

interface Compose {
  readonly services: { readonly assay: Service; readonly db: Service }
  readonly networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string; gateway: string }[] } }>
  readonly volumes: Record<string, unknown>
  readonly secrets: Record<string, { readonly file: string }>
}

const compose = parse(deployFile('compose.yaml')) as Compose
const { assay, db } = compose.services
const stopMs = 1000 * (5 + CONFIG_KEYS.ASSAY_SHUTDOWN_GRACE_MS.fallback / 1000)
const secondsOf = (text: string) => Number(/^(\d+)s$/.exec(text)?.[1])

describe('deploy/Containerfile', () => {
  it('sets only keys that the server knows, to values it takes', () => {
    expectKnownKeys(Object.keys(environment))
    const config = parseConfig({ ...environment, ...PRODUCTION })
    expect(config).toMatchObject({ production: true, PORT: 8080, HOST: '0.0.0.0' })
  })

  it('has one volume, which is the data folder, and runs as a user who is not root', () => {
    expect(argumentsOf('VOLUME')).toEqual([environment.ASSAY_DATA_DIR])
    expect(argumentsOf('USER')).toEqual(['10001:10001'])
    const made = instructions('RUN').map((one) => one.getRawArgumentsContent() ?? '')
    expect(made.join()).toContain(`install -d -m 700 -o 10001 -g 10001 ${environment.ASSAY_DATA_DIR}`)
  })

  it('runs the command that the package has, and asks the port that it opens whether the server is ready', () => {
    expect(entryCommand).toEqual(['assayd', 'serve'])
    const linked = instructions('RUN').map((one) => one.getRawArgumentsContent() ?? '')
    expect(linked.join()).toContain('ln -s /opt/assay/node_modules/.bin/assayd /usr/local/bin/assayd')
    expect(argumentsOf('EXPOSE')).toEqual([environment.PORT])
    expect(healthCommand.join(' ')).toMatch(/^node --eval .*process\.env\.PORT.*\/readyz/)
  })

  it('has a Node that is new enough', () => {
    const [node] = instructions('ARG').map((one) => one.getArguments()[0]?.getValue() ?? '')
    expect(Number(/^NODE=(\d+)-/.exec(node ?? '')?.[1])).toBeGreaterThanOrEqual(24)
    expect(instructions('FROM').every((one) => /\bnode:\$\{NODE\}/.test(one.getRawArgumentsContent() ?? ''))).toBe(true)
  })
})

describe('deploy/compose.yaml', () => {
  it('builds the recipe in the version of this release', () => {
    expect(assay.build).toMatchObject({ dockerfile: 'Containerfile', args: { VERSION } })
    expect(assay.image).toBe(`assay:${VERSION}`)
  })

  it('gives no container more than it needs', () => {
    for (const service of [assay, db]) {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        tmpfs: expect.arrayContaining(['/tmp']),
      })
    }
  })

  it('keeps what has to last in volumes, and the settings where the server reads them', () => {
    expect(assay.volumes).toEqual([`assay-data:${environment.ASSAY_DATA_DIR}`])
    expect(Object.keys(compose.volumes)).toEqual([assay, db].map(({ volumes }) => volumes[0]?.split(':')[0]))
    expect(assay.secrets).toEqual([{ source: 'assay-env', target: `${argumentsOf('WORKDIR')[0]}/.env` }])
    expect(Object.keys(compose.secrets)).toEqual(['assay-env', 'db-password'])
    expect(db.environment.POSTGRES_PASSWORD_FILE).toBe(`/run/secrets/${db.secrets[0]}`)
    expectKnownKeys(Object.keys(assay.environment))
  })

  it('opens its port and that of metrics, to this machine, and keeps the database to itself', () => {
    const metricsPort = CONFIG_KEYS.ASSAY_METRICS_PORT.fallback
    expect(assay.ports).toEqual([`127.0.0.1:8080:${environment.PORT}`, `127.0.0.1:${metricsPort}:${metricsPort}`])
    expect(assay.environment.ASSAY_METRICS_HOST).toBe('0.0.0.0')
    expect(db.ports).toBeUndefined()
    expect(db.networks).toEqual(['back'])
    expect(compose.networks.back).toEqual({ internal: true })
    expect(assay.depends_on).toEqual({ db: { condition: 'service_healthy' } })
    expect(db.healthcheck?.test).toContain('pg_isready')
  })

  it('trusts the gateway of its own network as the proxy', () => {
    const [network] = compose.networks.front?.ipam?.config ?? []
    expect(isIPv4(network?.gateway ?? '')).toBe(true)
    expect(assay.environment.ASSAY_TRUST_PROXY).toBe(network?.gateway)
    expect(parseConfig(assay.environment).ASSAY_TRUST_PROXY).toEqual([network?.gateway])
  })

  it('waits for a stop as long as the server may take', () => {
    expect(secondsOf(assay.stop_grace_period) * 1000).toBeGreaterThan(stopMs)
  })
})

describe('deploy/assay.env.example', () => {
  it('names keys of the server, and is complete once its secret is filled in', () => {
    const text = deployFile('assay.env.example')
    const filled = text
      .replace('ASSAY_SECRET=', `ASSAY_SECRET=${'k7Qz'.repeat(12)}`)
      .replace('#ASSAY_DATABASE', 'ASSAY_DATABASE')
    const settings = parseEnv(filled)
    expectKnownKeys(Object.keys(settings))
    expect(Object.keys(settings).sort()).toEqual(['ASSAY_BASE_URL', 'ASSAY_DATABASE_URL', 'ASSAY_SECRET'])
    expect(parseConfig({ ...environment, ...settings }).production).toBe(true)
    expect(() => parseConfig({ ...environment, ...parseEnv(text) })).toThrow('ASSAY_SECRET: is missing')
  })
})

describe('deploy/assay.service', () => {
  const text = deployFile('assay.service')
  const sections = new Map<string, [string, string][]>()
  for (const line of text.split('\n')) {
    const section = /^\[(\w+)\]$/.exec(line)?.[1]
    if (section) sections.set(section, [])
    else if (line !== '' && !line.startsWith('#')) {
      const [, name = '', value = ''] = /^([A-Z]\w+)=(.*)$/.exec(line) ?? []
      expect(name, line).not.toBe('')
      ;[...sections.values()].at(-1)?.push([name, value])
    }
  }
  const all = (name: string) => (sections.get('Service') ?? []).flatMap(([key, value]) => (key === name ? [value] : []))
  const one = (name: string) => all(name)[0]
  const settings = Object.fromEntries(all('Environment').map((pair) => pair.split('=', 2) as [string, string]))

  it('has the sections of a service, and states nothing twice but its environment', () => {
    expect([...sections.keys()]).toEqual(['Unit', 'Service', 'Install'])
    const names = [...sections.values()]
      .flat()
      .map(([name]) => name)
      .filter((name) => name !== 'Environment')
    expect(new Set(names).size).toBe(names.length)
  })

  it('sets only keys that the server knows, and writes only where systemd lets it', () => {
    expectKnownKeys(Object.keys(settings))
    expect(settings.ASSAY_DATA_DIR).toBe(`/var/lib/${one('StateDirectory')}`)
    expect(settings.NODE_COMPILE_CACHE).toBe(`/var/cache/${one('CacheDirectory')}`)
    expect(one('ProtectSystem')).toBe('strict')
    expect(one('StateDirectoryMode')).toBe('0700')
  })

  it('runs the command of the package as a user of its own, without any privilege', () => {
    expect(one('ExecStart')).toBe('/usr/bin/node /opt/assay/node_modules/assay/bin/assayd.cjs serve')
    expect(existsSync(join(ROOT, 'bin/assayd.cjs'))).toBe(true)
    expect([one('User'), one('Group'), one('NoNewPrivileges')]).toEqual(['assay', 'assay', 'yes'])
    expect(one('CapabilityBoundingSet')).toBe('')
    // Node compiles while it runs.
    expect(one('MemoryDenyWriteExecute')).toBeUndefined()
  })

  it('waits for a stop as long as the server may take', () => {
    expect(secondsOf(one('TimeoutStopSec') ?? '') * 1000).toBeGreaterThan(stopMs)
  })

  it.skipIf(!existsSync('/usr/bin/systemd-analyze'))('is understood by systemd', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-unit-'))
    try {
      // A unit is refused when its program is not there.
      writeFileSync(join(folder, 'assay.service'), text.replace('/usr/bin/node', process.execPath))
      const verified = execFileSync('systemd-analyze', ['verify', '--man=no', join(folder, 'assay.service')], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      expect(verified).toBe('')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('the samples of proxies', () => {
  const megabytes = (text: string | undefined) => Number(text) * 1024 * 1024
  const operations = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')
  const install = readFileSync(join(ROOT, 'docs/install.md'), 'utf8')

  it('nginx: TLS, the client by its own address, and bodies as large as the server takes', () => {
    const text = deployFile('nginx.conf').replace(/#.*/g, '')
    expect(text.split('{').length).toBe(text.split('}').length)
    const directives = [...text.matchAll(/(?<=^|[;{}])\s*([a-z_]\w*)\s+([^;{}]*?)\s*(?=[;{])/g)]
    const values = (name: string) => directives.flatMap(([, key, value]) => (key === name ? [value] : []))
    expect(values('server_name')).toEqual(['assay.example.com', 'assay.example.com'])
    expect(values('return')[0]).toBe('301 https://$host$request_uri')
    // nginx's own refusal has the shape of the server's.
    const tooLarge = JSON.parse(/return 413 '(.*?)';/.exec(text)?.[1] ?? '{}')
    const problem = problemBody(new Problem('body_too_large'), { baseUrl: 'https://$host', requestId: '$request_id' })
    expect(tooLarge).toEqual({ ...problem, detail: expect.any(String) })
    expect(values('ssl_protocols')).toEqual(['TLSv1.2 TLSv1.3'])
    expect(values('ssl_certificate')).toHaveLength(1)
    expect(megabytes(/^(\d+)m$/.exec(values('client_max_body_size')[0] ?? '')?.[1])).toBeGreaterThan(
      LIMITS.requests.bulkBodyBytesMax,
    )
    expect(values('server').filter((value) => value !== '')).toEqual([`127.0.0.1:${environment.PORT}`])
    expect(values('proxy_pass')).toEqual(['http://assay'])
    // Appended to what the client sent, it would let the client choose its address.
    expect(values('proxy_set_header')).toContain('X-Forwarded-For $remote_addr')
    expect(values('add_header')).toEqual([])
    expect(text).not.toMatch(/upgrade/i)
  })

  it('two nodes: idle connections end before a node closes them, and only checks are repeated, with a key', () => {
    const delaySeconds = 5
    expect(parseConfig({ ...environment, ...PRODUCTION }).shutdownDelayMs).toBe(delaySeconds * 1000)
    const nginx = deployFile('cluster/nginx.conf').replace(/#.*/g, '')
    expect(Number(/keepalive_timeout (\d+)s/.exec(nginx)?.[1])).toBeLessThan(delaySeconds)
    const [, checks = '', location = ''] =
      /location ~ \^\/v1\/\((.*?)\)-risk\(\/bulk\)\?\$ \{(.*?)\}/s.exec(nginx) ?? []
    expect(checks.split('|').map((family) => `${family}-risk`)).toEqual(FAMILIES)
    expect(location).toMatch(/Idempotency-Key \$assay_idempotency_key/)
    expect(nginx.replace(location, '')).not.toContain('non_idempotent')
    const haproxy = deployFile('cluster/haproxy.cfg')
    expect(haproxy).toMatch(
      /httpchk GET \/readyz.*retry-on conn-failure\n.*check inter 1s fall 1.*pool-purge-delay 1s/s,
    )
    expect(deployFile('cluster/Caddyfile')).toMatch(/health_uri \/readyz\n\t+health_interval 1s.*keepalive 2s/s)
    expect(deployFile('cluster/pgbouncer.ini')).toMatch(/^pool_mode = transaction$/m)
    for (const name of ['nginx.conf', 'haproxy.cfg', 'Caddyfile', 'pgbouncer.ini']) {
      expect(readFileSync(join(ROOT, 'docs/scaling.md'), 'utf8')).toContain(`deploy/cluster/${name}`)
    }
  })

  it('Caddy: the same in its own words', () => {
    const text = deployFile('Caddyfile').replace(/#.*/g, '')
    expect(text.split('{').length).toBe(text.split('}').length)
    expect(text.trim().split('\n')[0]).toBe('assay.example.com {')
    expect(text).toMatch(new RegExp(`^\\treverse_proxy 127\\.0\\.0\\.1:${environment.PORT} \\{$`, 'm'))
    expect(megabytes(/max_size (\d+)MB/.exec(text)?.[1])).toBeGreaterThan(LIMITS.requests.bulkBodyBytesMax)
    expect(text).not.toMatch(/header.*Strict-Transport|trusted_proxies/)
  })

  it('stand in the documents with the setting that goes with them', () => {
    for (const name of [
      'Caddyfile',
      'nginx.conf',
      'compose.yaml',
      'assay.service',
      'Containerfile',
      'assay.env.example',
    ])
      expect(install).toContain(`deploy/${name}`)
    expect(install).toContain(`\`${assay.environment.ASSAY_TRUST_PROXY}\``)
    for (const text of [operations, install]) expect(text).toContain('`loopback`')
    expect(operations).toContain('install.md')
  })
})
