/** A resolver and a registry that know every `….com`, in a process of their own, so that they take no time of the generator. */
import { startDnsServer } from '../test/support/dns-server.ts'
import { startRdapServer } from '../test/support/rdap-server.ts'

const everything = {
  A: ['203.0.114.7'],
  MX: [[10, 'mx.mail.com']] as const,
  NS: ['ns1.dns.com', 'ns2.dns.com'],
  TXT: ['v=spf1 mx -all'],
}
const dns = await startDnsServer({}, (name) => (name.endsWith('.com') ? everything : undefined))
dns.latencyMs = Number(process.env.LATENCY_MS ?? 0)
const rdap = await startRdapServer()
rdap.behave({ status: 404 })
console.log(JSON.stringify({ url: JSON.stringify({ dns: dns.address, rdap: rdap.url }) }))
