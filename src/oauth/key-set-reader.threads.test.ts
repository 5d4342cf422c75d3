import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, vi } from 'vitest'
import { ManualClock } from '../../test/support/clock.ts'
import { startDnsServer } from '../../test/support/dns-server.ts'
import { resolveByDns } from '../lib/public-request.ts'
import { createKeySetReader } from './key-set-reader.ts'

const clock = new ManualClock('2026-03-10T12:00:00Z')
const quiet = { warn: () => {} }

it.each([
  ['http://app.example/keys', 'not https'],
  ['https://127.0.0.1/keys', 'loopback'],
  ['https://[::1]/keys', 'loopback'],
  ['https://10.0.0.1/keys', 'private'],
  ['https://169.254.169.254/latest/meta-data', 'link'],
  ['https://[::ffff:10.0.0.1]/keys', ''],
  ['https://2130706433/keys', 'loopback'],
])('%s is not read', async (address, why) => {
  const read = createKeySetReader({ clock, allowLoopback: false, logger: quiet })
  await expect(read(address)).rejects.toThrow(new RegExp(why, 'i'))
})

it('a name that leads into the operator’s network is not read, and is looked up once for many who ask', async () => {
  let resolved = 0
  const read = createKeySetReader({
    clock,
    allowLoopback: false,
    logger: quiet,
    async resolve() {
      resolved++
      return [
        { address: '93.184.216.34', family: 4 },
        { address: '192.168.1.1', family: 4 },
      ]
    },
  })
  const asked = await Promise.allSettled(Array.from({ length: 10 }, () => read('https://app.example/keys')))
  expect(asked.every(({ status }) => status === 'rejected')).toBe(true)
  await expect(read('https://app.example/keys')).rejects.toThrow('192.168.1.1')
  expect(resolved).toBe(1)
  clock.advance(31_000)
  await expect(read('https://app.example/keys')).rejects.toThrow('192.168.1.1')
  expect(resolved).toBe(2)
})

it('eight are read at once; another is refused then, which is not kept against its address', async () => {
  const released = Promise.withResolvers<void>()
  let resolving = 0
  const read = createKeySetReader({
    clock,
    allowLoopback: false,
    logger: quiet,
    async resolve() {
      resolving++
      await released.promise
      return [{ address: '192.168.1.1', family: 4 }]
    },
  })
  const first = Array.from({ length: 8 }, (_, i) => read(`https://app${i}.example/keys`))
  const ended = Promise.allSettled(first)
  await expect(read('https://other.example/keys')).rejects.toThrow('too many')
  released.resolve()
  await ended
  expect(resolving).toBe(8)
  await expect(read('https://other.example/keys')).rejects.toThrow('192.168.1.1')
})

it('in development keys are read over http, with a warning that names the host', async () => {
  const host = createServer((_request, response) => response.end('{"keys":[]}')).listen(0, 'localhost')
  await once(host, 'listening')
  const { port } = host.address() as AddressInfo
  const warn = vi.fn()
  const read = createKeySetReader({ clock, allowLoopback: true, logger: { warn } })
  const address = `http://localhost:${port}/keys?token=secret`
  for (let time = 0; time < 3; time++) expect(await (await read(address)).json()).toEqual({ keys: [] })
  expect(warn.mock.calls).toEqual([[{ host: `localhost:${port}` }, expect.stringContaining('over http')]])
  host.close()
})

it('the DNS is asked for both sorts of addresses, and given up on when it is silent', async () => {
  const dns = await startDnsServer({
    'both.example': { A: ['192.0.2.1'], AAAA: ['2001:db8::1'] },
    'four.example': { A: ['192.0.2.2'] },
    'silent.example': { A: ['192.0.2.3'] },
  })
  try {
    const resolve = resolveByDns({ servers: [dns.address] })
    expect(await resolve('both.example')).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ])
    expect(await resolve('four.example')).toEqual([{ address: '192.0.2.2', family: 4 }])
    await expect(resolve('none.example')).rejects.toThrow('ENOTFOUND')
    dns.behave('silent.example', 'silent')
    const impatient = resolveByDns({ servers: [dns.address], timeoutMs: 300 })
    await expect(impatient('silent.example')).rejects.toThrow(/ETIMEOUT|ECANCELLED/)
  } finally {
    await dns.close()
  }
})
