import { domainToUnicode } from 'node:url'
import { type Mailbox, parseMailbox } from '../lib/address-text.ts'
import { HOST_PROBLEMS, normaliseHost } from '../lib/domain.ts'
import { sha256Hex } from '../lib/hashing.ts'
import { formatIp, type Ip, parseIp } from '../lib/ip.ts'
import type { Kind } from '../lib/kinds.ts'
import { lettersApart } from './model/confusables.ts'

export interface IndicatorProblem {
  readonly code: string
  readonly detail: string
}

/** Normal form of an indicator: the input of signals. `target` is the form that a result may show. */
export type Indicator =
  | ({ readonly kind: 'email' } & Mailbox)
  | { readonly kind: 'domain'; readonly domain: string }
  | { readonly kind: 'ip'; readonly ip: Ip }

export function parseIndicator(kind: Kind, text: string): Indicator | IndicatorProblem {
  if (kind === 'email') return parseEmail(text)
  if (kind === 'domain') return parseDomain(text)
  return parseAddress(text)
}

export function isProblem(result: Indicator | IndicatorProblem): result is IndicatorProblem {
  return 'code' in result
}

/** The text of `target`: never the email address itself. */
export function targetOf(indicator: Indicator): string {
  return indicator.kind === 'email' ? `sha256:${sha256Hex(indicator.address)}` : indicatorText(indicator)
}

/** The name for live look-ups. The local part of a mailbox is not passed on. */
export function lookedUp(indicator: Indicator): string {
  return indicator.kind === 'ip' ? formatIp(indicator.ip) : indicator.domain
}

/** The normal form as text; parseIndicator turns it into the same indicator again. */
export function indicatorText(indicator: Indicator): string {
  if (indicator.kind === 'email') return indicator.address
  if (indicator.kind === 'domain') return indicator.domain
  return formatIp(indicator.ip)
}

function parseDomain(text: string): Indicator | IndicatorProblem {
  // A registry's suffix of two labels or more counts as a domain: people check gov.uk and nhs.uk.
  const result = normaliseHost(text)
  if ('name' in result) return { kind: 'domain', domain: result.name }
  return { code: 'invalid_domain', detail: `The domain ${HOST_PROBLEMS[result.problem]}.` }
}

function parseEmail(text: string): Indicator | IndicatorProblem {
  const mailbox = parseMailbox(text)
  if ('problem' in mailbox) return { code: 'invalid_email', detail: mailbox.problem }
  const { address, local, domain } = mailbox
  return { kind: 'email', address, local, domain }
}

function parseAddress(text: string): Indicator | IndicatorProblem {
  const trimmed = text.trim()
  const ip = parseIp(trimmed)
  if (ip) return { kind: 'ip', ip }
  return { code: 'invalid_ip', detail: `The IP address ${addressDetail(trimmed)}.` }
}

function addressDetail(text: string): string {
  if (text === '') return 'is empty'
  if (text.includes('/')) return 'must be a single address, not a range'
  if (text.includes('%')) return 'must not have a zone index'
  if (/^\d+\.\d+\.\d+\.\d+:\d+$/.test(text) || text.startsWith('[')) return 'must not have a port or brackets'
  if (/^\d+\.\d+\.\d+\.\d+$/.test(text)) return 'has an octet above 255 or with a leading zero'
  return 'is neither a dotted quad nor an IPv6 address'
}

/** Both forms of a name with non-ASCII letters. For an email address, that of its domain; undefined for an ASCII name, and for one that does not decode. */
export function internationalName(indicator: Indicator) {
  if (indicator.kind === 'ip' || !indicator.domain.includes('xn--')) return undefined
  const unicode = domainToUnicode(indicator.domain)
  if (unicode === '' || unicode === indicator.domain) return undefined
  // The letters of another alphabet in a word; null if no word mixes alphabets.
  const mixed = unicode.split(/[.-]/).map(lettersApart)
  return { ascii: indicator.domain, unicode, mixed: mixed.find((words) => words !== undefined) ?? null }
}
