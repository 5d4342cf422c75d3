import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type DnsServer, startDnsServer } from '../../test/support/dns-server.ts'
import { SORTS } from './facts.ts'
import type { Observers } from './observers.ts'
import { createThreadedObservers } from './threaded-observers.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-observers-'))
let dns: DnsServer
const opened: Observers[] = []
beforeAll(async () => {
  dns = await startDnsServer({ 'shop.com': { A: ['203.0.114.1'], NS: ['ns.shop.com'] } })
})
afterEach(async () => {
  for (const observers of opened.splice(0)) await observers.close()
})
afterAll(async () => {
  await dns.close()
  rmSync(folder, { recursive: true })
})

function start(options: { program?: URL; onCrash?: (error: unknown) => void } = {}): Observers {
  const settings = { sorts: SORTS, dnsServers: [dns.address], rdapUrl: undefined, budgetMs: 30_000 }
  const observers = createThreadedObservers(settings, { onCrash: () => {}, ...options })
  opened.push(observers)
  return observers
}

test('a thread answers many questions, each its own', async () => {
  const observers = start()
  expect(await observers.answers()).toBe(true)
  const seen = await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      observers.observe('host', i % 2 === 0 ? 'shop.com' : `nobody${i}.com`, { urgent: false }),
    ),
  )
  for (const [i, observation] of seen.entries()) {
    if (observation.outcome !== 'seen') throw new Error(observation.why)
    expect(JSON.parse(observation.value).addresses).toEqual(i % 2 === 0 ? ['203.0.114.1'] : [])
  }
  expect((await observers.servers()).map(({ server }) => server)).toEqual([dns.address])
})

test('names of one organisation that nobody answers about keep no other organisation from its answer', async () => {
  const observers = start()
  const names = Array.from({ length: 1000 }, (_, i) => `silent${i}.com`)
  for (const name of names) dns.behave(name, 'silent')
  const asking = names.map((name) => observers.observe('host', name, { urgent: true, organisationId: 'attacker' }))
  // All that the organisation may have under way is under way: half a minute long, without an answer.
  await expect.poll(() => dns.asked('*', 'AAAA'), { timeout: 10_000 }).toBeGreaterThan(200)
  const seen = await observers.observe('host', 'shop.com', { urgent: true, organisationId: 'victim' })
  expect(seen).toMatchObject({ outcome: 'seen' })
  await observers.close()
  expect((await Promise.all(asking)).every(({ outcome }) => outcome === 'failed')).toBe(true)
})

test('a thread that dies fails what it was asked, and says why', async () => {
  const program = join(folder, 'dies.js')
  writeFileSync(program, "require('node:worker_threads').parentPort.on('message', () => { throw new Error('struck') })")
  const crashes: unknown[] = []
  const observers = start({ program: pathToFileURL(program), onCrash: (error) => crashes.push(error) })
  const asked = await Promise.all([
    observers.observe('host', 'shop.com', { urgent: true }),
    observers.observe('zone', 'shop.com', { urgent: true }),
  ])
  expect(asked.map(({ outcome }) => outcome)).toEqual(['failed', 'failed'])
  expect(String(crashes[0])).toContain('struck')
  // Not started again at once: a thread that cannot live must not be born a thousand times a second.
  expect(await observers.answers()).toBe(false)
  expect(await observers.servers()).toEqual([])
})

test('a waiting caller is told when it is closed', async () => {
  const observers = start()
  const held = dns.hold('slow.com')
  const asking = observers.observe('host', 'slow.com', { urgent: true })
  await held.arrived
  await observers.close()
  expect((await asking).outcome).toBe('failed')
  expect((await observers.observe('host', 'shop.com', { urgent: true })).outcome).toBe('failed')
  held.release()
})
