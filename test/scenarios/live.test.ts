import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/lib/clock.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { FULL } from '../support/full.ts'
import { assayd, type ServerProcess, startProcess } from '../support/process.ts'
import { type RdapServer, startRdapServer } from '../support/rdap-server.ts'
import type { Answer } from '../support/server.ts'

/** A node as an operator runs it, with a resolver and a registry on this machine. */

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()
const OLD = 'old-supplier.com'
const YOUNG = 'young-supplier.com'

async function post(node: ServerProcess, path: string, body: object, key = node.demoKey) {
  const response = await fetch(`${node.url}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': key ?? '', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, json: (await response.json()) as Answer['json'] }
}

function readIfFile(file: string): Buffer {
  // SQLite makes and removes files beside the database.
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() && !file.endsWith('.snapshot')
  return isFile ? readFileSync(file) : Buffer.alloc(0)
}

describe('a node that looks facts up', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-live-'))
  let dns: DnsServer
  let rdap: RdapServer
  let node: ServerProcess
  let env: Record<string, string>

  beforeAll(async () => {
    const mail = { A: ['203.0.114.7'], MX: [[10, 'mx.mail.com']] as const, NS: ['ns1.dns.com'] }
    const policy = { TXT: ['v=DMARC1; p=reject'] }
    dns = await startDnsServer(
      {
        [OLD]: { ...mail, TXT: ['v=spf1 mx -all'] },
        [`_dmarc.${OLD}`]: policy,
        [YOUNG]: { A: ['203.0.114.8'], NS: ['ns1.dns.com'] },
        '7.114.0.203.in-addr.arpa': { PTR: ['mail.old-supplier.com'] },
        'mail.old-supplier.com': { A: ['203.0.114.7'] },
      },
      (name) => (/^firm\d+\.com$/.test(name) ? mail : undefined),
    )
    rdap = await startRdapServer({
      [OLD]: { registered: '1998-04-01T00:00:00Z', expires: daysAgo(-400), registrar: 'Old Registrar' },
      [YOUNG]: { registered: daysAgo(6), expires: daysAgo(-359), registrar: 'Quick Names' },
    })
    env = {
      ASSAY_DATA_DIR: folder,
      ASSAY_LIVE: 'on',
      ASSAY_DNS_SERVERS: dns.address,
      ASSAY_RDAP_URL: rdap.url,
      // So long that a busy machine does not decide what is seen: questions are not given up before, either.
      ASSAY_LIVE_BUDGET_MS: '10000',
      ASSAY_LIVE_BULK_BUDGET_MS: '60000',
    }
    node = await startProcess(env)
  })
  afterAll(async () => {
    await node?.kill('SIGTERM')
    await dns?.close()
    await rdap?.close()
    rmSync(folder, { recursive: true })
  })

  const ask = (path: string, body: object, on = node) => post(on, path, body, node.demoKey)

  it('says when a supplier was registered, with whom, and how its mail is set up', async () => {
    const { status, json } = await ask('/v1/supply-chain-risk?explain=true', { domain: OLD })
    expect(status).toBe(200)
    expect(json.coverage.live).toEqual({ status: 'complete' })
    expect(json.facts).toMatchObject({
      registered: { value: '1998-04-01T00:00:00.000Z' },
      registrar: { value: 'Old Registrar' },
      mail: { value: { mx: ['mx.mail.com'], null_mx: false, spf: 'fail', dmarc: 'reject' } },
      name_servers: { value: ['ns1.dns.com'] },
      networks: { value: [{ address: '203.0.114.7' }] },
    })
    expect(Date.parse(json.facts.registered.seen_at)).toBeGreaterThan(Date.now() - DAY_MS)
  })

  it('raises the score of a name that is six days old, and says so', async () => {
    const young = await ask('/v1/supply-chain-risk?explain=true', { domain: YOUNG })
    const old = await ask('/v1/supply-chain-risk?explain=true', { domain: OLD })
    expect(young.json.risk_score).toBeGreaterThan(old.json.risk_score)
    const reasons = young.json.signals.map((signal: { description: string }) => signal.description).join('\n')
    expect(reasons).toContain('Registered 6 days ago')
    const total = young.json.signals.reduce((sum: number, { effect }: { effect: number }) => sum + effect, 0)
    expect(young.json.base_score + total).toBe(young.json.risk_score)
  })

  it('asks about the domain of a mailbox, and nobody about its local part', async () => {
    const { status, json } = await ask('/v1/payment-risk?explain=true', { email: `jane.doe@${OLD}` })
    expect(status).toBe(200)
    expect(json.facts.registered.value).toBe('1998-04-01T00:00:00.000Z')
    expect(dns.asked(`jane.doe.${OLD}`)).toBe(0)
    expect(rdap.asked.filter((name) => name.includes('jane'))).toEqual([])
  })

  it('confirms the name of an address', async () => {
    const { json } = await ask('/v1/infrastructure-risk?explain=true', { ip: '203.0.114.7' })
    expect(json.facts.reverse_dns.value).toEqual({
      names: ['mail.old-supplier.com'],
      confirmed: ['mail.old-supplier.com'],
    })
  })

  it('answers a list with the facts of its records, and without explain in the fields it always had', async () => {
    const domains = [YOUNG, ...Array.from({ length: 300 }, (_, i) => `firm${i}.com`)]
    const plain = await ask('/v1/supply-chain-risk/bulk', { domains })
    expect(plain.status).toBe(200)
    expect(Object.keys(plain.json.results[0])).toEqual(['domain', 'risk', 'risk_score'])
    const { json } = await ask('/v1/supply-chain-risk/bulk?explain=true', { domains })
    expect(json.results.map((result: { domain: string }) => result.domain)).toEqual(domains)
    expect(JSON.stringify(json.results[0].signals)).toContain('Registered 6 days ago')
    // The registry knows two names; the others were not found, which is an answer.
    expect(json.coverage.live).toEqual({ status: 'complete' })
  })

  it.runIf(FULL)('an engine apart looks facts up for its nodes', async () => {
    const token = { ASSAY_ENGINE_TOKEN: 'a token that only the two of them know, 1234' }
    const apart = mkdtempSync(join(tmpdir(), 'assay-live-engine-'))
    const engine = await startProcess({ ...env, ...token, ASSAY_DATA_DIR: apart }, 'engine')
    const front = await startProcess({
      ...env,
      ...token,
      ASSAY_ENGINE_URL: engine.url,
      ASSAY_DNS_SERVERS: '127.0.0.1:1',
    })
    try {
      const one = await ask('/v1/supply-chain-risk?explain=true', { domain: YOUNG }, front)
      expect(one.json.facts.registrar.value).toBe('Quick Names')
      const many = await ask('/v1/supply-chain-risk/bulk?explain=true', { domains: [OLD, YOUNG] }, front)
      expect(many.json.coverage.live).toEqual({ status: 'complete' })
    } finally {
      await front.kill('SIGTERM')
      await engine.kill('SIGTERM')
      rmSync(apart, { recursive: true })
    }
  })

  it('answers about names that are not public without asking anybody', async () => {
    const { status, json } = await ask('/v1/supply-chain-risk?explain=true', { domain: 'printer.local' })
    expect({ status, live: json.coverage.live }).toEqual({ status: 200, live: { status: 'off' } })
    expect(dns.asked('printer.local')).toBe(0)
  })

  it('writes domains down with what it saw, and neither mailboxes nor addresses', async () => {
    await ask('/v1/payment-risk', { email: `m7q2zx@${YOUNG}` })
    await ask('/v1/infrastructure-risk', { ip: '198.51.101.77' })
    expect(dns.asked('77.101.51.198.in-addr.arpa')).toBeGreaterThan(0)
    const kept = () => Buffer.concat(readdirSync(folder).map((file) => readIfFile(join(folder, file))))
    await expect.poll(() => kept().includes(YOUNG)).toBe(true)
    for (const text of ['m7q2zx', '198.51.101.77']) expect(kept().includes(text), text).toBe(false)
  })

  it('shares what it saw with the verb, which shows facts, servers and what was known', async () => {
    const shown = await assayd(['live', 'lookup', YOUNG], env)
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    expect(shown.stdout).toContain('Quick Names')
    expect(shown.stdout).toContain('known since')
    const fresh = await assayd(['live', 'lookup', YOUNG, '--fresh', '--json'], env)
    const result = JSON.parse(fresh.stdout)
    expect(result.looks.map(({ sort, from }: { sort: string; from: string }) => [sort, from])).toEqual([
      ['registration', 'network'],
      ['zone', 'network'],
      ['host', 'network'],
    ])
    expect(result.servers.map(({ server }: { server: string }) => server)).toContain(dns.address)
    expect((await assayd(['live', 'lookup', 'jane@shop.com'], env)).stderr).toContain('give its domain')
    expect((await assayd(['live', 'lookup', '10.0.0.1'], env)).stderr).toContain('nothing to look up')
  })

  // Last: a registry that failed so often is left alone for a minute.
  it('answers when resolver and registry misbehave, and charges for the answer once', async () => {
    for (const behaviour of ['servfail', 'refused', 'garbage', 'cut', 'nxdomain'] as const) {
      const name = `${behaviour}-firm.com`
      dns.behave(name, behaviour)
      rdap.behave({ status: 500 }, name)
      const { status, json } = await ask('/v1/supply-chain-risk?explain=true', { domain: name })
      expect({ behaviour, status, units: json.billable_units }).toEqual({ behaviour, status: 200, units: 1 })
      expect(json.coverage.live).toEqual({ status: 'partial' })
    }
  })
})

describe('a node whose resolver and registry never answer', () => {
  it.runIf(FULL)('answers checks and lists, short and long, here and with an engine apart', async () => {
    const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'assay-live-silent-')))
    const dns = await startDnsServer()
    const rdap = await startRdapServer()
    dns.behave('*', 'silent')
    rdap.behave('silence')
    const env = { ASSAY_LIVE: 'on', ASSAY_DNS_SERVERS: dns.address, ASSAY_RDAP_URL: rdap.url }
    const token = { ASSAY_ENGINE_TOKEN: 'a token that only the two of them know, 1234' }
    const brief = { ASSAY_LIVE_BUDGET_MS: '20', ASSAY_LIVE_BULK_BUDGET_MS: '100' }
    const node = await startProcess({ ...env, ...brief, ASSAY_DATA_DIR: folders[0]! })
    const engine = await startProcess({ ...env, ...token, ASSAY_DATA_DIR: folders[1]! }, 'engine')
    const front = await startProcess({ ...env, ...token, ASSAY_DATA_DIR: folders[0]!, ASSAY_ENGINE_URL: engine.url })
    const names = (count: number) => Array.from({ length: count }, (_, i) => `silent-${i}.com`)
    try {
      for (const on of [node, front]) {
        const one = await post(on, '/v1/supply-chain-risk?explain=true', { domain: 'quiet.com' }, node.demoKey)
        expect({ status: one.status, live: one.json.coverage?.live }).toEqual({
          status: 200,
          live: { status: 'partial' },
        })
        for (const domains of on === node ? [names(10), names(FULL ? 10_000 : 1000)] : [names(10)]) {
          const many = await post(on, '/v1/supply-chain-risk/bulk?explain=true', { domains }, node.demoKey)
          expect({ status: many.status, units: many.json.billable_units, live: many.json.coverage?.live }).toEqual({
            status: 200,
            units: domains.length,
            live: { status: 'partial' },
          })
          expect(many.json.results.map((result: { domain: string }) => result.domain)).toEqual(domains)
        }
      }
    } finally {
      for (const one of [front, engine, node]) await one.kill('SIGTERM')
      await dns.close()
      await rdap.close()
      for (const folder of folders) rmSync(folder, { recursive: true })
    }
  })
})
