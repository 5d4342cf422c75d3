import { hostParts } from '../../lib/domain.ts'
import { parseCidr } from '../../lib/ip.ts'
import { Skeleton } from '../../lib/look.ts'
import { hashBetween, hashText, readText } from '../../lib/text-index.ts'
import { hashAround, REMAINDERS, remaindersOf, STRETCHES } from '../model/brand-typos.ts'
import type { OwnKnowledge } from './knowledge.ts'
import { nameKeysOf } from './names.ts'
import { EDGE_LENGTHS, type KnownName, OwnIndexBuilder, SECTIONS } from './own-index.ts'

/** Compiles what an organisation knows. Yields every few counterparties, so that the caller can let others work. */
export function* compileOwn(knowledge: OwnKnowledge): Generator<void, Uint8Array> {
  const index = new OwnIndexBuilder()
  if (knowledge.rules !== undefined) index.key(SECTIONS.rules, 0, index.add([knowledge.rules]))
  for (const domain of knowledge.domains) {
    const named = namedDomain(domain)
    addDomain(index, named, index.addDomains('own', [named]))
    yield
  }
  for (const { id, name, reference, since, state, domains, emails, networks } of knowledge.counterparties) {
    const named = domains.map(namedDomain)
    const item = index.addDomains(state, named)
    if (index.add([id, name, reference, since, networks, emails]) === 0) break
    for (const domain of named) addDomain(index, domain, item)
    for (const email of emails) index.key(SECTIONS.email, hashText(email), item)
    for (const network of networks) {
      const range = parseCidr(network)
      if (range) index.networkKey(SECTIONS.network, range.first, range.prefix, item)
    }
    for (const key of nameKeysOf(name)) index.key(SECTIONS.name, hashText(key), item)
    if (item % ITEMS_A_TURN < 2) yield
  }
  for (const { kind, indicator, list, reason, expiresAtMs } of knowledge.entries) {
    const item = index.add([kind, indicator, list, reason, expiresAtMs])
    const range = kind === 'ip' ? parseCidr(indicator) : undefined
    if (range) index.networkKey(SECTIONS.entryNetwork, range.first, range.prefix, item)
    else index.key(SECTIONS.entry, hashText(indicator), item)
    yield
  }
  return yield* index.finish(knowledge.version)
}

const ITEMS_A_TURN = 16
const NAME_LENGTH_MIN = 4
const LABEL_LENGTH_MAX = 63

/** The chosen name of a domain, and its suffix or platform. */
function namedDomain(domain: string): KnownName {
  const { tenant, platform, registrable, suffix: ofRegistry } = hostParts(domain)
  const base = tenant ?? registrable ?? domain
  const suffix = tenant === undefined ? ofRegistry : (platform ?? ofRegistry)
  return { domain, label: base.slice(0, Math.max(0, base.length - suffix.length - 1)), suffix }
}

function addDomain(index: OwnIndexBuilder, { domain, label, suffix }: KnownName, item: number): void {
  index.key(SECTIONS.domain, hashText(domain), item)
  // The other names of the same owner are no strangers.
  if (domain.length > label.length + suffix.length + 1) {
    index.key(SECTIONS.domain, hashText(`${label}.${suffix}`), item)
  }
  const joined = label.includes('-') ? label.replaceAll('-', '') : label
  // Shorter names are everybody's: only their whole address is recognised.
  if (joined.length < NAME_LENGTH_MIN) return
  addLook(index, joined, item)
  // `c-l` does not look like `d`, as `cl` does: a name may be written with its hyphens or without.
  if (label !== joined) addLook(index, label, item)
  markStretches(index, joined)
  const count = remaindersOf(joined)
  for (let i = 0; i < count; i++) index.key(SECTIONS.typo, REMAINDERS[i] as number, item)
  index.key(SECTIONS.name, hashText(joined), item)
}

/** For a label with a letter less, with as many, and with one more: two of them are cut alike. */
function markStretches(index: OwnIndexBuilder, joined: string): void {
  readText(joined)
  const own = joined.length
  for (const length of [own - 1, own + 1]) {
    for (let i = 0; i < STRETCHES; i++) index.mark(SECTIONS.around, hashAround(own, length, i))
  }
}

const SEEN = new Skeleton(LABEL_LENGTH_MAX)

function addLook(index: OwnIndexBuilder, label: string, item: number): void {
  SEEN.of(label)
  const { count, barePrefixes: prefixes } = SEEN
  index.key(SECTIONS.look, prefixes[count] as number, item)
  const edge = EDGE_LENGTHS.findLast((length) => length <= count)
  if (edge === undefined) return
  index.mark(SECTIONS.first, prefixes[edge] as number)
  index.mark(SECTIONS.last, hashBetween(prefixes, count - edge, count))
}
