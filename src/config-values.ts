import { isIP } from 'node:net'
import { resolve } from 'node:path'

/** Parsers of configuration values. The message of an error continues "KEY: the value …". */

export function integer(min: number, max: number) {
  return (text: string): number => {
    if (!/^-?\d{1,15}$/.test(text)) throw new Error('is not a whole number')
    const value = Number(text)
    if (value < min || value > max) throw new Error(`must be between ${min} and ${max}`)
    return value
  }
}

export function oneOf<const T extends string>(...values: readonly T[]) {
  return (text: string): T => {
    const found = values.find((value) => value === text)
    if (found === undefined) throw new Error(`must be one of ${values.join(', ')}`)
    return found
  }
}

export function webAddress(text: string): string {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw new Error('is not an http(s) address')
  if (url.username || url.password) throw new Error('must not contain a user name or password')
  if (url.search || url.hash) throw new Error('must not have a query or fragment')
  return url.href.replace(/\/+$/, '')
}

export function databaseAddress(text: string): string {
  if (!/^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? '')) throw new Error('is not a postgres:// address')
  return text
}

export function mailServer(text: string): string {
  const url = URL.parse(text)
  if (url?.hostname && /^smtps?:$/.test(url.protocol)) return text
  throw new Error('is not an smtp:// or smtps:// address')
}

/** `Name <address>` or an address alone. */
export function mailSender(text: string): string {
  const value = documentLine(300)(text)
  if (!/^(?:[^<>]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value)) {
    throw new Error('is neither an address nor "Name <address>"')
  }
  return value
}

export function secretText(text: string): string {
  if (text.length < 32) throw new Error('is shorter than 32 characters')
  return text
}

/** `true`: anybody; otherwise the addresses of the proxies. */
type TrustedProxies = boolean | string[]

const LOCAL_RANGES = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}
const NAMED_RANGES = new Map(Object.entries({ ...LOCAL_RANGES, private: Object.values(LOCAL_RANGES).flat() }))

export function trustProxy(text: string): TrustedProxies {
  if (text === 'true') return true
  if (text === 'false') return false
  return text.split(',').flatMap((entry) => {
    const range = entry.trim()
    const named = NAMED_RANGES.get(range)
    if (!named && !isRange(range)) {
      throw new Error(`contains "${range}": use the addresses or ranges of your proxies, loopback or private`)
    }
    return named ?? [range]
  })
}

function isRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%') || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/** A range of all addresses has the same effect as `true`. */
export function trustsAnybody(trusted: TrustedProxies): boolean {
  return trusted === true || (Array.isArray(trusted) && trusted.some((range) => /\/0+$/.test(range)))
}

export function dnsServers(text: string): readonly string[] {
  return text.split(',').map((entry) => {
    const server = entry.trim()
    const [, address = server, port = '53'] =
      /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(server) ?? /^([^:]+):(\d{1,5})$/.exec(server) ?? []
    const version = isIP(address)
    if (version === 0 || address.includes('%') || Number(port) < 1 || Number(port) > 65535) {
      throw new Error(`contains "${server}", which is not the address of a resolver`)
    }
    return version === 6 ? `[${address}]:${port}` : `${address}:${port}`
  })
}

export function metricsPort(text: string): number | 'off' {
  return text === 'off' ? 'off' : integer(0, 65535)(text)
}

/** At least 2: refunds that are owed find their charge. */
export function monthsOrNever(text: string): number {
  const months = integer(0, 600)(text)
  if (months === 1) throw new Error('must be 0, or between 2 and 600')
  return months
}

export function filePath(text: string): string {
  if (text.trim() === '') throw new Error('is empty')
  return resolve(text)
}

export function feedKey(text: string): string {
  if (!/^[\x21-\x7e]{4,200}$/.test(text)) throw new Error('must be 4 to 200 visible characters without blanks')
  return text
}

/** Text for a document. `\\n` in it means a new line, because many unit files cannot hold a real one. */
export function documentText(charactersMax: number) {
  return (text: string): string => {
    const lines = text.replaceAll('\\n', '\n').split(/\r?\n/)
    const trimmed = lines.map((line) => line.trim())
    const value = trimmed.join('\n').trim()
    if (value === '') throw new Error('is empty')
    if (value.length > charactersMax) throw new Error(`is longer than ${charactersMax} characters`)
    if (/[^\P{Cc}\n]/u.test(value)) throw new Error('contains a control character')
    return value
  }
}

export function documentLine(charactersMax: number) {
  return (text: string): string => {
    const value = documentText(charactersMax)(text)
    if (value.includes('\n')) throw new Error('must be one line')
    return value
  }
}

export function planIds(text: string): readonly string[] | 'all' {
  if (text.trim() === 'all') return 'all'
  const ids = text.split(',').map((id) => id.trim())
  if (ids.includes('')) throw new Error('has an empty entry between two commas')
  return ids
}

const PAIRS_MAX = 64

/** `key=value` pairs with commas between them and percent-encoded values, as in the OpenTelemetry specification. */
export function pairs(text: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const pair of text.split(',')) {
    const [, name, value] = /^\s*([!-+\--<>-~]+)\s*=\s*([ -~]*?)\s*$/.exec(pair) ?? []
    if (name === undefined || value === undefined) throw new Error('must be key=value pairs with commas between them')
    try {
      found[name] = decodeURIComponent(value)
    } catch {
      throw new Error('contains a value with a wrong percent sign')
    }
  }
  if (Object.keys(found).length > PAIRS_MAX) throw new Error(`contains more than ${PAIRS_MAX} pairs`)
  return found
}

export function ratio(text: string): number {
  const value = Number(text)
  if (!/^[\d.]+$/.test(text) || !(value >= 0 && value <= 1)) throw new Error('is not a number from 0 to 1')
  return value
}
