import { normaliseAddressText } from '../../lib/address-text.ts'
import { hostParts, normaliseDomain } from '../../lib/domain.ts'
import { formatIp, type IpRange, parseCidr, parseIp, specialPurpose } from '../../lib/ip.ts'
import { giants } from '../giants.ts'
import type { ListDate } from './list-date.ts'
import type { FeedRow, ParseReport, RowSink } from './report.ts'

/**
 * Text to indicators. An indicator is a host or an address: a URL gives its host. A URL on a host where strangers
 * publish under paths (docs.google.com/…) gives nothing, because condemning the host would condemn its other users; a
 * URL on a tenant's own host (evil.pages.dev) gives that host; the platform itself is never given.
 */

/** The kind of a feed's values. `any` decides for each value. */
export const VALUE_KINDS = ['domain', 'url', 'ip', 'asn', 'email', 'any'] as const
export type ValueKind = (typeof VALUE_KINDS)[number]

type Extra = Omit<FeedRow, 'kind' | 'value'>
const NOTHING: Extra = {}

const PREFIX_V4_MIN = 8
const PREFIX_V6_MIN = 19

const sharedExact = new Set(giants('shared_hosts').filter((host) => !host.startsWith('.')))
const sharedBelow = giants('shared_hosts').filter((host) => host.startsWith('.'))

function isSharedHost(host: string): boolean {
  if (sharedExact.has(host) || (host.startsWith('www.') && sharedExact.has(host.slice(4)))) return true
  return sharedBelow.some((suffix) => host.endsWith(suffix))
}

export class Indicators {
  readonly #sink: RowSink
  readonly #stripWww: boolean
  readonly #condemns: boolean
  readonly report: ParseReport
  /** The dates of the document that is being read; its parser may find the stated one. */
  list: ListDate = { document: {}, statedMs: undefined, newestRowMs: undefined }

  /** `stripWww`: `www.example.com` means the site. `condemns` is false for lists of good sites, also of platforms. */
  constructor(sink: RowSink, report: ParseReport, options: Readonly<Record<'stripWww' | 'condemns', boolean>>) {
    this.#sink = sink
    this.#stripWww = options.stripWww
    this.#condemns = options.condemns
    this.report = report
  }

  take(kind: ValueKind, text: string, extra: Extra = NOTHING): void {
    this[kind](text, extra)
  }

  any(text: string, extra: Extra = NOTHING): void {
    if (text.includes('://')) this.url(text, extra)
    else if (parseCidr(text)) this.ip(text, extra)
    else if (text.includes('@')) this.email(text, extra)
    else if (/^AS\d+$/i.test(text)) this.asn(text, extra)
    else if (/[/:?]/.test(text)) this.url(text, extra)
    else this.domain(text, extra)
  }

  domain(text: string, extra: Extra = NOTHING) {
    const name = text.replace(/^\*?\./, '')
    const result = normaliseDomain(name)
    if ('name' in result) return this.#emit({ kind: 'domain', value: result.name, ...extra })
    // Domain lists contain a few bare addresses, which are meant literally.
    if (result.problem === 'ip_address' && parseIp(name)) this.ip(name, extra)
    else this.report.reject(result.problem === 'public_suffix' ? 'public_suffix' : 'bad_name', text)
  }

  url(text: string, extra: Extra = NOTHING) {
    const host = urlHost(text)
    if (host === undefined) return this.report.reject(text.startsWith('/') ? 'path_only' : 'not_an_indicator', text)
    if (parseIp(host)) return this.ip(host, extra)
    const result = normaliseDomain(host)
    if (!('name' in result))
      return this.report.reject(result.problem === 'public_suffix' ? 'public_suffix' : 'bad_name', text)
    if (this.#condemns && (isSharedHost(result.name) || hostParts(result.name).platform === result.name)) {
      this.report.reject('shared_platform', text)
    } else this.#emit({ kind: 'domain', value: result.name, ...extra })
  }

  ip(text: string, extra: Extra = NOTHING) {
    const range = parseCidr(text)
    if (!range) return this.report.reject('not_an_indicator', text)
    if (range.prefix < (range.first.version === 4 ? PREFIX_V4_MIN : PREFIX_V6_MIN))
      return this.report.reject('too_broad', text)
    if (isSpecial(range)) return this.report.reject('special', text)
    const bits = range.first.version === 4 ? 32 : 128
    const address = formatIp(range.first)
    this.#emit({ kind: 'ip', value: range.prefix === bits ? address : `${address}/${range.prefix}`, ...extra })
  }

  asn(text: string, extra: Extra = NOTHING) {
    const number = /^(?:AS)?([0-9]{1,10})$/i.exec(text.trim())?.[1]
    if (number === undefined || Number(number) < 1 || Number(number) > 0xffffffff)
      return this.report.reject('not_an_indicator', text)
    this.#emit({ kind: 'asn', value: String(Number(number)), ...extra })
  }

  email(text: string, extra: Extra = NOTHING) {
    const address = normaliseAddressText(text)
    const at = address.lastIndexOf('@')
    const host = normaliseDomain(address.slice(at + 1))
    if (at < 1 || at > 64 || /\s/u.test(address) || !('name' in host))
      return this.report.reject('not_an_indicator', text)
    this.#emit({ kind: 'email', value: `${address.slice(0, at)}@${host.name}`, ...extra })
  }

  asnRange(range: IpRange, asn: number, asnName: string, country?: string): void {
    const value = `${formatIp(range.first)}-${formatIp(range.last)}`
    this.#emit({ kind: 'asn_range', value, asn, asnName, ...(country !== undefined && { country }) })
  }

  #emit(row: FeedRow): void {
    this.report.rows++
    if (this.#stripWww && row.kind === 'domain' && /^www\.[^.]+\./.test(row.value)) {
      this.#sink({ ...row, value: row.value.slice(4) })
    } else this.#sink(row)
  }
}

function isSpecial({ first, last }: IpRange): boolean {
  return specialPurpose(first) !== undefined || specialPurpose(last) !== undefined
}

/** The host of a URL with or without scheme, without user, port or brackets. */
function urlHost(text: string): string | undefined {
  let rest = text
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(rest)
  if (scheme) rest = rest.slice(scheme[0].length)
  else if (rest.startsWith('//')) rest = rest.slice(2)
  const end = rest.search(/[/?#\\]/)
  if (end >= 0) rest = rest.slice(0, end)
  const at = rest.lastIndexOf('@')
  if (at >= 0) rest = rest.slice(at + 1)
  if (rest.startsWith('[')) {
    const close = rest.indexOf(']')
    return close < 0 ? undefined : rest.slice(1, close)
  }
  const colon = rest.indexOf(':')
  if (colon >= 0 && rest.indexOf(':', colon + 1) < 0) rest = rest.slice(0, colon)
  return rest === '' ? undefined : rest
}

type Bytes = AsyncIterable<Uint8Array>
export type Parser<Options = object> = (input: Bytes, indicators: Indicators, options: Options) => Promise<void>

export interface Valued {
  readonly values: ValueKind
}
