import { compareIp, formatIp, type Ip, parseCidr, parseIp } from '../../lib/ip.ts'
import { CHARACTERS, hashBetween, hashText, PREFIXES, readLonger } from '../../lib/text-index.ts'
import type { Indicator } from '../indicator.ts'
import type { DomainSubject } from '../look-up/domain.ts'
import { isFreeMail, joined } from '../look-up/evidence.ts'
import type { EmailSubject, LiveDomain, LookedUp } from '../look-up/look-up.ts'
import { lureOf } from '../model/brand.ts'
import { isMadeOfLures } from '../model/brand-beside.ts'
import { withoutPlus } from '../signals/signal.ts'
import { type Counterparty, type EntryItem, type KnownDomain, type OwnIndex, SECTIONS } from './own-index.ts'
import { beginsWithName, type Resemblance, resemblanceOf } from './resemblance.ts'

/** An indicator with everything that the organisation itself knows about it. */
export interface OwnSubject {
  /** The domain or the IP address; an email address is not repeated in an answer. */
  readonly shown: string
  readonly entries: readonly EntryItem[]
  readonly relation: Relation | undefined
  readonly resemblance: Resemblance | undefined
  /** A free mailbox that carries the name of a counterparty, or of the organisation itself. */
  readonly claim: { readonly name: string; readonly counterparty: Counterparty | undefined } | undefined
  /** Addresses of a counterparty's domain that are in none of its networks. */
  readonly outside: readonly string[]
}

/** How the indicator belongs to a counterparty, or to the organisation itself: then there is no counterparty. */
export interface Relation {
  /** `mailbox` is an address that the register does not have, on a known domain. */
  readonly how: 'domain' | 'email' | 'mailbox' | 'network'
  /** The known domain or network; empty for an address. */
  readonly by: string
  readonly counterparty: Counterparty | undefined
}

const NO_ENTRIES: readonly EntryItem[] = []
const NO_TEXTS: readonly string[] = []

/** Undefined if the organisation knows nothing about the indicator: nearly always. */
export function lookUpOwn(index: OwnIndex, indicator: Indicator, found: LookedUp<unknown>, nowMs: number) {
  const known = indicator.kind === 'ip' ? ofAddress(index, indicator.ip) : ofName(index, indicator, found)
  if (known === undefined || known.entries.length === 0) return known
  const entries = known.entries.filter(([, , , , expiresAtMs]) => expiresAtMs === null || expiresAtMs > nowMs)
  const { relation, resemblance, claim } = known
  return entries.length > 0 || relation || resemblance || claim ? { ...known, entries } : undefined
}

function ofAddress(index: OwnIndex, ip: Ip): OwnSubject | undefined {
  const { entries, owners } = index.networks(ip)
  if (entries.length + owners.length === 0) return undefined
  const [network = '', counterparty] = firstBy(owners, ([, owner]) => owner) ?? []
  const relation = counterparty && { how: 'network' as const, by: network, counterparty }
  const shown = formatIp(ip)
  return { shown, entries, relation, resemblance: undefined, claim: undefined, outside: NO_TEXTS }
}

type NameIndicator = Exclude<Indicator, { kind: 'ip' }>

function ofName(index: OwnIndex, indicator: NameIndicator, found: LookedUp<unknown>): OwnSubject | undefined {
  const { domain } = indicator
  const subject = found.kind === 'email' ? found.host.subject : (found.subject as DomainSubject)
  const address = indicator.kind === 'email' ? indicator.address : undefined
  let entries = address === undefined ? NO_ENTRIES : entriesOf(index, address, 'email')
  let nearest = NO_DOMAINS
  // The models have just read the name.
  const beginning = beginsWithName(subject) ? subject.label : domain
  // Another name of the same owner is no stranger, such as www.acme.com where the register has mail.acme.com.
  let isRelative = false
  for (let start = 0, next = 0; start < domain.length; start = next) {
    readLonger(domain, beginning)
    next = afterDot(domain.length, start)
    // An ending alone may be listed, and is nobody's domain.
    const isEnding = next === domain.length
    if (isEnding && !index.hasEntries) break
    const hash = hashBetween(PREFIXES, start, domain.length)
    if (index.hasEntries && index.mayHold(SECTIONS.entry, hash))
      entries = joined(entries, entriesOf(index, domain.slice(start), 'domain'))
    if (isEnding || nearest.length > 0 || !index.mayHold(SECTIONS.domain, hash)) continue
    const name = domain.slice(start)
    nearest = index.domains(SECTIONS.domain, hash, (known) => {
      if (known.domain === name) return true
      isRelative ||= `${known.label}.${known.suffix}` === name
      return false
    })
  }
  const relation = relationOf(index, nearest, address)
  const resemblance = relation || isRelative ? undefined : resemblanceOf(subject, index)
  const claim = relation || found.kind !== 'email' ? undefined : claimOf(index, found.subject)
  if (entries.length === 0 && !relation && !resemblance && !claim) return undefined
  const outside = relation ? outsideOf(relation, found.live as LiveDomain | undefined) : NO_TEXTS
  return { shown: domain, entries, relation, resemblance, claim, outside }
}

/** The place behind the next dot of the text read last, or its end. */
function afterDot(length: number, start: number): number {
  let at = start
  while (at < length && CHARACTERS[at++] !== DOT);
  return at
}

const DOT = 0x2e

const NO_DOMAINS: readonly KnownDomain[] = []

function entriesOf(index: OwnIndex, text: string, kind: EntryItem[0]): readonly EntryItem[] {
  const hash = hashText(text)
  if (!index.hasEntries || !index.mayHold(SECTIONS.entry, hash)) return NO_ENTRIES
  return index.entries(text, hash).filter((entry) => entry[0] === kind)
}

function relationOf(index: OwnIndex, nearest: readonly KnownDomain[], address?: string): Relation | undefined {
  if (address !== undefined) {
    const owners = index.withEmail(address)
    if (owners.length > 0) return { how: 'email', by: '', counterparty: firstBy(owners, (owner) => owner) }
  }
  const known = nearest.length === 0 ? undefined : firstBy(nearest, ({ counterparty }) => counterparty)
  if (!known) return undefined
  // The register does not list the people of the organisation itself.
  const how = address === undefined || !known.counterparty ? 'domain' : 'mailbox'
  return { how, by: known.domain, counterparty: known.counterparty }
}

const STATES = { blocked: 0, active: 1, former: 2 } as const

/** Several counterparties may have one domain: a blocked one first, then an active one. */
function firstBy<T>(items: readonly T[], counterpartyOf: (item: T) => Counterparty | undefined): T | undefined {
  const rank = (item: T) => STATES[counterpartyOf(item)?.state ?? 'active']
  return items.reduce<T | undefined>(
    (best, item) => (best === undefined || rank(item) < rank(best) ? item : best),
    undefined,
  )
}

/** Addresses that the domain of a counterparty resolves to and that its networks do not contain. */
function outsideOf({ counterparty }: Relation, live: LiveDomain | undefined): readonly string[] {
  const addresses = live?.facts.host?.addresses ?? NO_TEXTS
  if (!counterparty || addresses.length === 0) return NO_TEXTS
  const { networks } = counterparty.details()
  if (networks.length === 0) return NO_TEXTS
  const ranges = networks.flatMap((network) => parseCidr(network) ?? [])
  return addresses.filter((address) => {
    const ip = parseIp(address)
    return ip && !ranges.some(({ first, last }) => compareIp(first, ip) <= 0 && compareIp(ip, last) <= 0)
  })
}

/** Shorter names, and names that are words, need a word of business beside them. */
const NAME_LENGTH_MIN = 6
const SHORT_NAME_LENGTH_MIN = 4
const WORDS_MAX = 6

/** The name of a counterparty in the part before the @ of a free mailbox: acme.invoices@gmail.com. */
function claimOf(index: OwnIndex, { local, host, models }: EmailSubject): OwnSubject['claim'] {
  if (!isFreeMail(host.own)) return undefined
  const words = withoutPlus(local)
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
    .slice(0, WORDS_MAX)
  for (let from = 0; from < words.length; from++) {
    for (let to = from + 1; to <= words.length; to++) {
      const others = [...words.slice(0, from), ...words.slice(to)]
      for (const [name, rest] of namesIn(words.slice(from, to).join(''), to - from === 1)) {
        const isPlain = name.length < NAME_LENGTH_MIN || models.lexicon.isWord(name)
        if (isPlain && ![...others, rest].some((word) => isOfBusiness(word, models.lexicon))) continue
        const owners = index.withName(name)
        if (owners.length > 0) return { name, counterparty: firstBy(owners, (owner) => owner) }
      }
    }
  }
  return undefined
}

/** A word, and the names that may be glued to others at its ends: `acme` of `acmeinvoices`, with the rest. */
function namesIn(text: string, isWord: boolean): (readonly [name: string, rest: string])[] {
  const names: (readonly [string, string])[] = text.length < SHORT_NAME_LENGTH_MIN ? [] : [[text, '']]
  for (let length = SHORT_NAME_LENGTH_MIN; isWord && length < text.length - 1; length++) {
    names.push([text.slice(0, length), text.slice(length)], [text.slice(-length), text.slice(0, -length)])
  }
  return names
}

function isOfBusiness(word: string, lexicon: EmailSubject['models']['lexicon']): boolean {
  if (word === '') return false
  const lure = lureOf(word)
  return lure === 'pressing' || lure === 'business' || isMadeOfLures(word, '', lexicon)
}
