import { beforeEach } from 'vitest'
import { createDnsResolver, type DnsResolver } from '../../src/live/dns/resolver.ts'
import { type DnsServer, startDnsServer } from './dns-server.ts'

/** A name server and a resolver that asks it, created again for every test of the file. */
export function dnsForEveryTest(): { dns: DnsServer; resolver: DnsResolver } {
  const live = {} as { dns: DnsServer; resolver: DnsResolver }
  beforeEach(async () => {
    live.dns = await startDnsServer()
    live.resolver = createDnsResolver({ servers: [live.dns.address], timeoutMs: 30_000 })
    return async () => {
      live.resolver.close()
      await live.dns.close()
    }
  })
  return live
}
