import { domainToASCII } from 'node:url'
import { getPublicSuffix, parse } from 'tldts'

/** Host names: normal form and the public suffix list. */

/** Each problem of a host name, to be read after "The domain". */
export const HOST_PROBLEMS = {
  empty: 'is empty',
  too_long: 'is longer than 253 characters',
  single_label: 'needs at least two labels, as in example.com',
  bad_label: 'has a label that is not a valid host name: 1 to 63 letters, digits and inner hyphens',
  bad_idn: 'is not a valid internationalised name',
  ip_address: 'is an IP address, not a domain',
  url: 'is not a bare host name: leave out the scheme, path and user',
  port: 'must not have a port',
} as const

type HostProblem = keyof typeof HOST_PROBLEMS

export type HostResult<Problem = HostProblem> = { readonly name: string } | { readonly problem: Problem }

// Names come in normal form: there is no host to extract from an address and nothing to validate.
const ICANN = { extractHostname: false, validateHostname: false, detectIp: false }
const PRIVATE = { ...ICANN, allowPrivateDomains: true }

const PLAIN_LABELS = /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the ASCII range is what is meant
const ASCII = /^[\x00-\x7f]*$/

// A label of at most 63 characters has at most four units for each character before it is mapped. The time that the IDN
// code takes grows with the square of a label's length.
const LABEL_UNITS_MAX = 4 * 63
const LABEL_ENDS = /[.\u3002\uff0e\uff61]/

/** Lower-case A-label form without a trailing dot, at least two labels, at most 253 characters. */
export function normaliseHost(input: string): HostResult {
  let text = input.trim()
  if (text === '') return { problem: 'empty' }
  if (text.length > 1024) return { problem: 'too_long' }
  if (text.includes('/') || text.includes('?') || text.includes('#') || text.includes('@')) return { problem: 'url' }
  if (text.includes(':')) return { problem: /^[^:]*:\d*$/.test(text) ? 'port' : 'ip_address' }
  text = text.toLowerCase()
  // The IDN code is slow: only names that need it (non-ASCII, or punycode to be checked) go through it.
  if (!ASCII.test(text) || text.includes('xn--')) {
    if (/[\s%<>^|\\[\]]/u.test(text)) return { problem: 'bad_label' }
    if (text.split(LABEL_ENDS).some((label) => label.length > LABEL_UNITS_MAX)) return { problem: 'bad_label' }
    const ascii = domainToASCII(text)
    if (ascii === '') return { problem: 'bad_idn' }
    text = ascii
  }
  if (text.endsWith('.')) text = text.slice(0, -1)
  if (text.length > 253) return { problem: 'too_long' }
  if (!PLAIN_LABELS.test(text)) return { problem: 'bad_label' }
  const lastDot = text.lastIndexOf('.')
  if (lastDot < 0) return { problem: 'single_label' }
  // A name that ends in a number can only be meant as an address: 1.2.3.4, 10.1, 127.1.
  if (/^\d+$/.test(text.slice(lastDot + 1))) return { problem: 'ip_address' }
  return { name: text }
}

/**
 * Like normaliseHost, for names in lists: refuses a bare public suffix such as `co.uk`, because a row about it would
 * affect everybody under it. Only the registries' own suffixes count: `github.io` is a suffix for cookies but also a
 * company's domain.
 */
export function normaliseDomain(input: string): HostResult<HostProblem | 'public_suffix'> {
  const result = normaliseHost(input)
  if ('name' in result && getPublicSuffix(result.name, ICANN) === result.name) return { problem: 'public_suffix' }
  return result
}

export interface HostParts {
  /** The registries' suffix: `co.uk`. */
  readonly suffix: string
  /** True if a registry runs that suffix; false for `.example`, `.internal` and the like, where nobody registers. */
  readonly isRegistered: boolean
  /** The name registered below the suffix: `example.co.uk`; undefined for a bare suffix. */
  readonly registrable: string | undefined
  /** The registrable name under the list's private part: `alice.github.io` where the customer is alice. */
  readonly tenant: string | undefined
  /** The platform's suffix when the name lies on shared hosting: `github.io`. */
  readonly platform: string | undefined
}

export function hostParts(name: string): HostParts {
  const full = parse(name, PRIVATE)
  const icann = full.isPrivate ? parse(name, ICANN) : full
  const platform = full.isPrivate ? (full.publicSuffix ?? undefined) : undefined
  return {
    suffix: icann.publicSuffix ?? '',
    isRegistered: icann.isIcann ?? false,
    registrable: icann.domain ?? undefined,
    tenant: full.domain ?? undefined,
    platform,
  }
}

const REVERSE = 'reserved for reverse look-ups of IP addresses'

// Names under which nobody can register: reserved for tests, manuals and private networks (RFC 2606, RFC 6761, RFC
// 8375, RFC 9476, and .internal by ICANN), and endings that private networks use although they are not reserved.
export const RESERVED_NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    (
      'test example invalid localhost local internal alt onion home.arpa ' +
      'corp home lan localdomain intranet private domain workgroup'
    )
      .split(' ')
      .map((ending) => [ending, notPublicEnding(ending)]),
  ),
  ...Object.fromEntries(
    ['com', 'net', 'org'].map((ending) => [`example.${ending}`, 'reserved for examples in documentation']),
  ),
  'in-addr.arpa': REVERSE,
  'ip6.arpa': REVERSE,
}

function notPublicEnding(ending: string): string {
  return `.${ending} is not a public ending`
}

// A Map: an object would first have to turn every requested name into a property name.
const RESERVED = new Map(Object.entries(RESERVED_NAMES))

const RESERVED_LENGTH_MAX = Math.max(...Array.from(RESERVED.keys(), (name) => name.length))

/** Most names are longer than all reserved names, and need no look-up. */
function reservedAs(name: string): string | undefined {
  return name.length > RESERVED_LENGTH_MAX ? undefined : RESERVED.get(name)
}

/** Why nobody can register such a name, in words; undefined for a name that can be registered. */
export function reservedName({ suffix, isRegistered, registrable }: HostParts): string | undefined {
  if (!isRegistered) return notPublicEnding(suffix)
  return reservedAs(suffix) ?? (registrable === undefined ? undefined : reservedAs(registrable))
}
