import { BlockList, isIP } from 'node:net'

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Returns true for the addresses whose X-Forwarded-For is trusted: all, none, or those in ranges. */
export function trustedProxies(trusted: boolean | readonly string[]): (address: string) => boolean {
  if (typeof trusted === 'boolean') return () => trusted
  const proxies = new BlockList()
  for (const range of trusted) {
    const [address = '', bits] = range.split('/')
    if (bits === undefined) proxies.addAddress(address, familyOf(address))
    else proxies.addSubnet(address, Number(bits), familyOf(address))
  }
  return (address) => isIP(address) > 0 && proxies.check(address, familyOf(address))
}
