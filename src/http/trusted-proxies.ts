import { BlockList, isIP } from 'node:net'

const NAMED_RANGES: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Returns true for the addresses whose X-Forwarded-For is trusted: all, none, or those in ranges given by text or name. */
export function trustedProxies(trusted: boolean | readonly string[]): (address: string) => boolean {
  if (typeof trusted === 'boolean') return () => trusted
  const proxies = new BlockList()
  for (const range of trusted.flatMap((one) => NAMED_RANGES[one] ?? [one])) {
    const [address = '', bits] = range.split('/')
    if (bits === undefined) proxies.addAddress(address, familyOf(address))
    else proxies.addSubnet(address, Number(bits), familyOf(address))
  }
  return (address) => isIP(address) > 0 && proxies.check(address, familyOf(address))
}
