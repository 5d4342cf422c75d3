import { hostParts } from '../../lib/domain.ts'
import type { Evidence, Tag } from '../../snapshot/types.ts'
import type { DomainSubject } from '../look-up/domain.ts'
import { hasTag, isRelay, joined, NO_EVIDENCE, tagged } from '../look-up/evidence.ts'
import { domainAcademic, domainGovernment } from './domain-known.ts'
import { type EvidenceSignal, explained, type Finding, NOTHING, rule, type Signal } from './signal.ts'

export const domainDisposable = {
  code: 'domain.disposable',
  description: 'Provides throw-away mailboxes',
  group: 'mailbox',
  detect: (subject): readonly Finding<Sureness>[] =>
    throwAway(subject, NO_EVIDENCE, 'Provides throw-away mailboxes', 'it'),
} satisfies Signal<'domain'>

export const emailDisposable = {
  code: 'email.disposable',
  description: 'A throw-away mailbox',
  group: 'mailbox',
  detect: ({ own, host }): readonly Finding<Sureness>[] => throwAway(host, own, 'A throw-away mailbox', 'its provider'),
} satisfies EvidenceSignal

/**
 * How sure it is that a domain gives out throw-away mailboxes:
 *
 * - `listed`: a list that people check names it, or several independent ones do.
 * - `one_list`: only a list gathered from others names it, or only one list a popular site.
 * - `doubted`: one list alone names a university, an authority, a bank or a brand, or a gathered list a popular site.
 * - `by_name`: no list names it, but its own name offers throw-away mail.
 */
type Sureness = 'listed' | 'one_list' | 'doubted' | 'by_name'

/** `what` and `whom` are words of the sentence: the mailbox or its domain, and the listed thing. */
function throwAway(host: DomainSubject, ownAddress: readonly Evidence[], what: string, whom: string) {
  if (isRelay(host)) return NOTHING
  const offered = offeredBy(host)
  const listed = joined(joined(ownAddress, host.own), joined(host.above, host.onPlatform))
  const found = tagged(listed, 'disposable')
  const strongest = strongestOf(found)
  if (strongest === undefined) {
    if (offered === undefined) return NOTHING
    return rule(`The name of the provider offers throw-away mail: ${offered}`, 'by_name')
  }
  const variant = surenessOf(found, host, offered !== undefined)
  const say = () => {
    const lists = [...new Set([strongest, ...found].map(({ source }) => nameOf(source, host)))]
    if (variant === 'doubted') {
      return `Named by one list of throw-away providers (${lists[0]}); the reputation of the domain contradicts it`
    }
    if (variant === 'one_list') {
      return `${what}, according to ${lists[0]} ${lists.length > 1 ? 'and lists that repeat it' : 'and no other list'}`
    }
    const more = lists.length - 2
    const others =
      lists.length === 1 ? ' lists' : more === 0 ? ` and ${lists[1]} list` : `, ${lists[1]} and ${more} more list`
    return `${what}: ${lists[0]}${others} ${whom}`
  }
  const { source, confidence } = strongest
  const lastSeenMs = Math.max(...found.map((item) => item.lastSeenMs))
  return [explained({ source, tag: 'disposable', confidence, firstSeenMs: earliest(found), lastSeenMs }, say, variant)]
}

function earliest(found: readonly Evidence[]): number | undefined {
  const dates = found.flatMap(({ firstSeenMs }) => firstSeenMs ?? [])
  return dates.length === 0 ? undefined : Math.min(...dates)
}

function strongestOf(found: readonly Evidence[]): Evidence | undefined {
  let strongest = found[0]
  for (const evidence of found) if (strongest && evidence.confidence > strongest.confidence) strongest = evidence
  return strongest
}

/** Sources that publish the same list. A source that is not here is independent. */
const SAME_LIST: ReadonlyMap<string, string> = new Map([
  ['disposable-email', 'disposable-email-domains'],
  ['misp-disposable-email', 'disposable-email-domains'],
  ['fakefilter-feed', 'fakefilter'],
])

/** Collects other lists, unchecked: beside them it adds nothing, alone it is sometimes wrong. */
const GATHERED = 'disposable-domains'

function voicesOf(found: readonly Evidence[]): Set<string> {
  return new Set(found.map(({ source }) => SAME_LIST.get(source) ?? source))
}

function surenessOf(found: readonly Evidence[], host: DomainSubject, offered: boolean): Sureness {
  const voices = voicesOf(found)
  const gatheredOnly = voices.size === 1 && voices.has(GATHERED)
  voices.delete(GATHERED)
  if (voices.size >= 2 || offered) return 'listed'
  if (isInstitution(host)) return 'doubted'
  if (gatheredOnly) return isPopular(host) ? 'doubted' : 'one_list'
  // Throw-away providers are popular themselves: fame refutes a checked list only if nothing indicates mail.
  return isPopular(host) && !speaksOfMail(host.label) && host.suffix !== 'email' ? 'one_list' : 'listed'
}

/**
 * A provider takes new names every day, faster than lists follow, and points them to the servers it has: the server of
 * a name that several lists know as a throw-away provider. Undefined if there is none.
 */
export function throwAwayServer(servers: readonly string[], { parts, snapshot }: DomainSubject): string | undefined {
  return servers.find((server) => {
    const { registrable } = hostParts(server)
    if (registrable === undefined || registrable === parts.registrable) return false
    const evidence = snapshot.domain(registrable)
    const voices = voicesOf(tagged(evidence, 'disposable'))
    voices.delete(GATHERED)
    // A relay forwards mail to its owner, and mail providers serve anybody.
    return voices.size >= 2 && !SERVES_OTHERS.some((tag) => hasTag(evidence, tag))
  })
}

const SERVES_OTHERS: readonly Tag[] = ['relay', 'freemail', 'mail_provider', 'big_provider', 'known_good']

const INSTITUTIONS: readonly Tag[] = ['academic', 'government', 'bank', 'known_good', 'mail_provider', 'big_provider']

function isInstitution(host: DomainSubject): boolean {
  for (const tag of INSTITUTIONS) if (hasTag(host.own, tag) || hasTag(host.above, tag)) return true
  return (
    host.brand?.how === 'official' || domainAcademic.detect(host).length > 0 || domainGovernment.detect(host).length > 0
  )
}

function isPopular({ own, above, platform }: DomainSubject): boolean {
  const isFame = ({ tag }: Evidence) => tag.startsWith('popular_')
  return own.some(isFame) || (platform === undefined && above.some(isFame))
}

// `temp-mail`, `10minutemail`, `trash-inbox`, `mail-temp`: these providers name their trade.
const PASSING =
  'te?mp|temporary|trash|fake|throw-?away|disposable|burner|guerr?illa|one-?time|\\d+-?min(?:ute)?s?|minute|anonymous'
const BOX = 'e-?mails?|mail-?box|mails?|inbox'
const OFFERS = new RegExp(`(?:^|[-.\\d])(${PASSING})-?(${BOX})(?![a-df-z])|(?:^|[-.])(${BOX})-?(te?mp|trash|fake)$`)

/** The words in a provider's name that offer throw-away mail, such as "temp mail". */
function offeredBy({ label, own, platform }: DomainSubject): string | undefined {
  if (platform !== undefined || !speaksOfMail(label) || hasTag(own, 'mail_provider')) return undefined
  const match = OFFERS.exec(label)
  return match ? match.slice(1).filter(Boolean).join(' ') : undefined
}

function speaksOfMail(label: string): boolean {
  return label.includes('mail') || label.includes('inbox')
}

/** `FakeFilter` of `FakeFilter: disposable mail domains`. */
function nameOf(source: string, { snapshot }: DomainSubject): string {
  const name = snapshot.info.sources.find(({ id }) => id === source)?.name
  return name?.split(/[:,]/, 1)[0] ?? source
}
