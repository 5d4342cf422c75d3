import type { Evidence, Tag } from '../../snapshot/types.ts'
import { hasTag, isRelay, NO_EVIDENCE, tagged } from '../look-up/evidence.ts'
import type { DomainSubject } from '../look-up/subject.ts'
import { domainAcademic, domainGovernment } from './domain-institution.ts'
import { explained } from './explained.ts'
import type { Finding } from './signal.ts'

/**
 * How sure it is that a domain gives out throw-away mailboxes:
 *
 * - `listed`: a list that people check names it, or several independent ones do.
 * - `one_list`: only a list gathered from others names it, or only one list a popular site.
 * - `doubted`: one list alone names a university, an authority, a bank or a brand, or a gathered list a popular site.
 * - `by_name`: no list names it, but its own name offers throw-away mail.
 */
export type Sureness = 'listed' | 'one_list' | 'doubted' | 'by_name'

/** `what` and `whom` are words of the sentence: the mailbox or its domain, and the listed thing. */
export function throwAway(
  host: DomainSubject,
  ownAddress: readonly Evidence[],
  what: string,
  whom: string,
): Finding<Sureness> | undefined {
  if (isRelay(host)) return undefined
  const places = [ownAddress, host.own, host.above, host.onPlatform]
  const offered = offeredBy(host)
  const found = places.some((place) => hasTag(place, 'disposable'))
    ? places.flatMap((place) => tagged(place, 'disposable'))
    : NO_EVIDENCE
  const strongest = strongestOf(found)
  if (strongest === undefined) {
    return offered === undefined
      ? undefined
      : {
          source: 'rules',
          confidence: 1,
          variant: 'by_name',
          sentence: `The name of the provider offers throw-away mail: ${offered}`,
        }
  }
  const variant = surenessOf(found, host, offered !== undefined)
  const say = () => {
    const lists = [...new Set([strongest, ...found].map(({ source }) => nameOf(source, host)))]
    if (variant === 'doubted') {
      return `Named by one list of throw-away providers (${lists[0]}); the standing of the domain speaks against it`
    }
    if (variant === 'one_list') {
      return `${what}, according to ${lists[0]} ${lists.length > 1 ? 'and lists that repeat it' : 'and no other list'}`
    }
    const more = lists.length - 2
    const others =
      lists.length === 1 ? ' lists' : more === 0 ? ` and ${lists[1]} list` : `, ${lists[1]} and ${more} more list`
    return `${what}: ${lists[0]}${others} ${whom}`
  }
  return explained(
    {
      source: strongest.source,
      tag: 'disposable',
      confidence: strongest.confidence,
      firstSeenMs: earliest(found),
      lastSeenMs: Math.max(...found.map(({ lastSeenMs }) => lastSeenMs)),
    },
    say,
    variant,
  )
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

function surenessOf(found: readonly Evidence[], host: DomainSubject, offered: boolean): Sureness {
  const voices = new Set<string>()
  for (const { source } of found) voices.add(listOf(source))
  const gatheredOnly = voices.size === 1 && voices.has(GATHERED)
  voices.delete(GATHERED)
  if (voices.size >= 2 || offered) return 'listed'
  if (isInstitution(host)) return 'doubted'
  if (gatheredOnly) return isPopular(host) ? 'doubted' : 'one_list'
  // Throw-away providers are popular themselves: fame refutes a checked list only if nothing indicates mail.
  return isPopular(host) && !isAboutMail(host) ? 'one_list' : 'listed'
}

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

function isAboutMail({ label, suffix }: DomainSubject): boolean {
  return speaksOfMail(label) || suffix === 'email'
}

function listOf(source: string): string {
  return SAME_LIST.get(source) ?? source
}

/** `FakeFilter` of `FakeFilter: disposable mail domains`. */
function nameOf(source: string, { snapshot }: DomainSubject): string {
  const name = snapshot.info.sources.find(({ id }) => id === source)?.name
  return name?.split(/[:,]/, 1)[0] ?? source
}
