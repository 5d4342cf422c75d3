/** The unit that attempts and connections are counted for: an IPv4 address, or the /64 network of an IPv6 host. */
export const addressKey = (ip: string): string => prefixOf(ip, 4)

/** The /48 of an IPv6 address, the largest network one site usually gets; an IPv4 address itself. */
export const siteKey = (ip: string): string => prefixOf(ip, 3)

function prefixOf(ip: string, groupsKept: number): string {
  if (!ip.includes(':')) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped?.[1]) return mapped[1]
  const [head = '', tail] = ip.split('%')[0]!.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups = [...first, ...Array(Math.max(0, 8 - first.length - last.length)).fill('0'), ...last]
  return `${groups
    .slice(0, groupsKept)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/${16 * groupsKept}`
}
