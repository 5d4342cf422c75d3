import { parseMailbox } from '../../lib/address-text.ts'
import { HOST_PROBLEMS, hostParts, normaliseHost } from '../../lib/domain.ts'
import { formatIp, parseCidr } from '../../lib/ip.ts'
import type { Kind } from '../../lib/kinds.ts'
import { isPublicMail } from '../counterparties/content.ts'

/** An indicator of an own list in normal form: an address, a domain with everything below it, an IP or a network. */
export interface Listed {
  readonly kind: Kind
  readonly indicator: string
}

export const LISTS = ['allow', 'block', 'review'] as const
export type ListName = (typeof LISTS)[number]

/** A wider network would be a large part of the internet. */
const PREFIX_MIN = { 4: 8, 6: 16 } as const

export function parseListed(input: string): Listed | { readonly problem: string } {
  // As mail filters write it: `*@acme.com` is every mailbox there.
  const text = input.trim().replace(/^\*?[.@]/, '')
  // A mailbox may have an asterisk in its name. Nobody means one: such an entry would never have an effect.
  if (text.includes('*')) {
    return { problem: 'Leave out the asterisk: a domain includes its mailboxes and everything below it.' }
  }
  if (text.includes('@')) {
    const mailbox = parseMailbox(text)
    return 'problem' in mailbox ? mailbox : { kind: 'email', indicator: mailbox.address }
  }
  const network = parseCidr(text)
  if (network) {
    const { first, prefix } = network
    const [bits, prefixMin] = [first.version === 4 ? 32 : 128, PREFIX_MIN[first.version]]
    if (prefix < prefixMin) return { problem: `The network is too wide: /${prefixMin} is the widest.` }
    return { kind: 'ip', indicator: prefix === bits ? formatIp(first) : `${formatIp(first)}/${prefix}` }
  }
  if (/^[\d.:a-f]+\/\d+$/i.test(text)) {
    return { problem: 'The network is not valid. Write it like 192.0.2.0/24 or 2001:db8::/32.' }
  }
  return parseName(text)
}

/** Also one label, if it is an ending of the public internet: everything under `.zip`. */
function parseName(text: string): Listed | { readonly problem: string } {
  const name = text.toLowerCase()
  if (/^[a-z0-9-]+$/.test(name) && hostParts(name).isRegistered) return { kind: 'domain', indicator: name }
  const host = normaliseHost(text)
  if ('name' in host) return { kind: 'domain', indicator: host.name }
  return { problem: `The domain ${HOST_PROBLEMS[host.problem]}.` }
}

export const WARNINGS = ['own_domain_blocked', 'public_mail_allowed', 'ending_allowed', 'also_blocked'] as const

export interface Warning {
  readonly code: (typeof WARNINGS)[number]
  readonly detail: string
}

/** Entries that are probably a mistake. They are kept: an organisation may mean them. */
export function warningsOf(
  list: ListName,
  { kind, indicator }: Listed,
  known: { readonly ownDomains: readonly string[]; readonly blocked: ReadonlySet<string> },
): Warning[] {
  const found: Warning[] = []
  const warn = (code: Warning['code'], detail: string) => found.push({ code, detail })
  if (list === 'block' && kind === 'domain') {
    const own = known.ownDomains.find((one) => isWithin(one, indicator) || isWithin(indicator, one))
    const part = own && isWithin(own, indicator) ? `${own} is` : `${indicator} is part of`
    if (own) warn('own_domain_blocked', `${part} your own domain: checks of it and of names below it will be high.`)
  }
  if (list !== 'allow') return found
  if (known.blocked.has(indicator)) warn('also_blocked', 'It is on your block list too, which comes first.')
  if (kind !== 'domain') return found
  if (isPublicMail(indicator)) {
    warn('public_mail_allowed', `Anyone can open a mailbox under ${indicator}. Allow single addresses instead.`)
  }
  const { registrable, platform } = hostParts(indicator)
  if (registrable === undefined || platform === indicator) {
    warn('ending_allowed', `Anyone can register a name under .${indicator}: all of them are allowed now.`)
  }
  return found
}

const isWithin = (name: string, above: string): boolean => name === above || name.endsWith(`.${above}`)
