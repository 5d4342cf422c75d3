import { type Family, KIND_NAMES, KINDS, type Kind } from '@assay/sdk'

/** What somebody typed, as an indicator, or what is wrong with it. The server has the last word on both. */
export type Recognised =
  | { readonly kind: Kind; readonly value: string }
  | { readonly kind: Kind | undefined; readonly problem: string }

export const KIND_WORDS: Readonly<Record<Kind, { readonly one: string; readonly many: string }>> = {
  email: { one: 'email address', many: 'email addresses' },
  domain: { one: 'domain', many: 'domains' },
  ip: { one: 'IP address', many: 'IP addresses' },
}

export const familyOf = (kind: Kind) => KINDS[kind].family
export const kindOfFamily = (family: Family) => KIND_NAMES.find((kind) => familyOf(kind) === family)!

const INDICATOR_CHARACTERS_MAX = 2000

export function recognise(text: string): Recognised {
  const value = unwrap(text)
  if (value === '') return { kind: undefined, problem: 'Enter an email address, a domain or an IP address.' }
  if (value.length > INDICATOR_CHARACTERS_MAX) return { kind: undefined, problem: 'This is too long for an indicator.' }
  const kind = kindOf(value)
  const problem = problemOf(kind, value)
  return problem === undefined ? { kind, value } : { kind, problem }
}

/** Takes `Jane <jane@company.example>`, `mailto:` and web addresses for what they hold. */
function unwrap(text: string): string {
  const trimmed = text.trim()
  const bracketed = /^[^<>]*<([^<>@\s]+@[^<>\s]+)>$/.exec(trimmed)?.[1]
  if (bracketed !== undefined) return bracketed
  if (/^mailto:/i.test(trimmed)) return trimmed.slice('mailto:'.length).split('?')[0] ?? ''
  if (/^https?:\/\//i.test(trimmed)) return URL.parse(trimmed)?.hostname.replace(/^\[|\]$/g, '') ?? trimmed
  return trimmed
}

function kindOf(value: string): Kind {
  if (value.includes('@')) return 'email'
  if (/^[\d.]+(\/\d+)?$/.test(value) || value.includes(':')) return 'ip'
  return 'domain'
}

/** What is wrong with a value of this kind; undefined when nothing is seen to be. */
export function problemOf(kind: Kind, value: string): string | undefined {
  if (kind === 'email') return emailProblem(value)
  return kind === 'ip' ? ipProblem(value) : domainProblem(value)
}

function emailProblem(value: string): string | undefined {
  const at = value.lastIndexOf('@')
  if (at < 0) return 'The email address has no @.'
  const local = value.slice(0, at)
  if (local === '') return 'The email address has nothing before the @.'
  if (local.length > 64 || value.length > 254) return 'The email address is too long.'
  const quoted = local.startsWith('"') && local.endsWith('"') && local.length > 2
  if (!quoted && (/[\s"(),:;<>@[\\\]\p{Cc}]/u.test(local) || /^\.|\.\.|\.$/.test(local))) {
    return 'The part before the @ has a character or a dot that may not stand there.'
  }
  return hostProblem(value.slice(at + 1)) === undefined ? undefined : 'What follows the @ is not a domain.'
}

function ipProblem(value: string): string | undefined {
  if (value.includes('/')) return 'This is a range: enter one IP address.'
  if (value.includes(':')) {
    const valid = /^[\da-f:.]+$/i.test(value) && URL.parse(`http://[${value}]/`) !== null
    return valid ? undefined : 'This is not an IPv6 address.'
  }
  const octets = value.split('.')
  const valid = octets.length === 4 && octets.every((octet) => /^(0|[1-9]\d{0,2})$/.test(octet) && Number(octet) <= 255)
  return valid ? undefined : 'This is not an IPv4 address: it has four numbers from 0 to 255.'
}

function domainProblem(value: string): string | undefined {
  if (/[/?#]/.test(value)) return 'Leave out the path: a domain such as example.com is enough.'
  return hostProblem(value.replace(/\.$/, ''))
}

const PLAIN_HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i

function hostProblem(value: string): string | undefined {
  if (!value.includes('.')) return 'A domain has at least two parts, as in example.com.'
  // Most names are plain; the others go through the browser's own reading of internationalised names.
  const host = /^[\x20-\x7e]*$/.test(value) ? value : (URL.parse(`http://${value}/`)?.hostname ?? '')
  if (host.length > 253 || !PLAIN_HOST.test(host) || /\.\d+$/.test(host)) return 'This is not a domain.'
  return undefined
}
