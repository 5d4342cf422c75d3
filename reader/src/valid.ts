import type { Kind } from '@assay/sdk'

/** The problem with a bare value of a kind, as a sentence; undefined when none is found. */
export function problemOf(kind: Kind, value: string): string | undefined {
  if (kind === 'email') return emailProblem(value)
  return kind === 'ip' ? ipProblem(value) : hostProblem(value)
}

function emailProblem(value: string): string | undefined {
  const at = value.lastIndexOf('@')
  if (at < 0) return 'The email address has no @.'
  const local = value.slice(0, at)
  if (local === '') return 'The email address has nothing before the @.'
  if (at === value.length - 1) return 'The email address has nothing after the @.'
  if (local.length > 64 || value.length > 254) return 'The email address is too long.'
  const quoted = local.startsWith('"') && local.endsWith('"') && local.length > 2
  if (!quoted && (/[\s"(),:;<>@[\\\]\p{Cc}]/u.test(local) || /^\.|\.\.|\.$/.test(local))) {
    return 'The part before the @ has a character or a dot that is not allowed there.'
  }
  return hostProblem(value.slice(at + 1)) === undefined ? undefined : 'The part after the @ is not a domain.'
}

function ipProblem(value: string): string | undefined {
  if (value.includes('/')) return 'This is a range: enter one IP address.'
  if (value.includes(':')) return isIpv6(value) ? undefined : 'This is not an IPv6 address.'
  return isIpv4(value) ? undefined : 'This is not an IPv4 address: it has four numbers from 0 to 255.'
}

export const isIpv6 = (text: string) => /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`)

export function isIpv4(text: string): boolean {
  const octets = text.split('.')
  return octets.length === 4 && octets.every((octet) => /^(0|[1-9]\d{0,2})$/.test(octet) && Number(octet) <= 255)
}

const PLAIN_HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
/** Letters, two or more: `n.a.`, `2.5kg` and `U.S.A.` do not match. */
const ENDING = /\.(?:[a-z]{2,}|xn--[a-z0-9-]+)$/i
/** Foreign quotation marks and commas, which name mapping leaves unchanged; endings that are a number or one letter. */
const ODD_HOST = /[\p{Pi}\p{Pf}\p{Ps}\p{Pe}、،؛]|\.(?:\p{N}+|\P{ASCII})$/u
/** A name of 253 characters is never longer before it is mapped. The mapping time grows with the length. */
const HOST_UNITS_MAX = 1024

export function hostProblem(value: string): string | undefined {
  if (!value.includes('.')) return 'A domain has at least two parts, as in example.com.'
  const host = asciiHost(value)
  const good = host.length <= 253 && PLAIN_HOST.test(host) && ENDING.test(host) && !ODD_HOST.test(value)
  return good ? undefined : 'This is not a domain.'
}

/** Most names are plain ASCII; the platform parses internationalised names. */
function asciiHost(value: string): string {
  if (/^[\x20-\x7e]*$/.test(value)) return value
  if (value.length > HOST_UNITS_MAX || /[\s/?#@:%\\<>^|[\]]/.test(value)) return ''
  return URL.parse(`http://${value}/`)?.hostname ?? ''
}
