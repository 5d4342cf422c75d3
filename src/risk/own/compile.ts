import { hostParts } from '../../lib/domain.ts'
import { parseCidr } from '../../lib/ip.ts'
import { Skeleton } from '../../lib/look.ts'
import { hashBetween, hashBytes, hashText, PREFIXES, readBytes, readText } from '../../lib/text-index.ts'
import { hashAround, REMAINDERS, remaindersOf, STRETCHES } from '../model/brand-typos.ts'
import { FIELDS, type OwnKnowledge } from './knowledge.ts'
import { Line } from './line.ts'
import { KEY, nameKeysOf, writeNameKey } from './names.ts'
import { EDGE_LENGTHS, OWNERS, OwnIndexBuilder, type PlacedName, SECTIONS } from './own-index.ts'

/** Compiles what an organisation knows. Yields every few counterparties, so that the caller can let others work. */
export function* compileOwn(knowledge: OwnKnowledge): Generator<void, Uint8Array> {
  const index = new OwnIndexBuilder()
  if (knowledge.rules !== undefined) index.key(SECTIONS.rules, 0, index.add([knowledge.rules]))
  for (const domain of knowledge.domains) {
    const named = namedDomain(domain, 0)
    LINE.read(domain)
    addDomain(index, named, LINE.bytes, index.addDomains('own', [named], LINE.bytes))
    yield
  }
  for (const line of knowledge.counterparties) {
    const item = addCounterparty(index, line, knowledge.domainsOf)
    if (item === 0) break
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

const LINE = new Line()
const AT = 0x40

/** Returns the number of the item of its domains; 0 if there is no room for more. */
function addCounterparty(index: OwnIndexBuilder, line: string, domainsOf: OwnKnowledge['domainsOf']): number {
  LINE.read(line)
  const { bytes } = LINE
  const named: PlacedName[] = []
  LINE.eachWord(FIELDS.domains, (from, to) => named.push(namedDomain(LINE.text(from, to), from)))
  // A supplier's mail often has another domain than its website, and fraud imitates that of the mail.
  const elsewhere: string[] = []
  LINE.eachWord(FIELDS.emails, (from, to) => {
    const host = LINE.text(bytes.lastIndexOf(AT, to) + 1, to)
    if (!named.some(({ domain }) => domain === host)) elsewhere.push(LINE.text(from, to))
  })
  if (elsewhere.length > 0) {
    for (const domain of domainsOf(elsewhere)) named.push(namedDomain(domain, LINE.append(domain)))
  }
  const state = OWNERS.find((owner) => owner.charCodeAt(0) === bytes[LINE.begin(FIELDS.state)])
  const item = index.addDomains(state!, named, bytes)
  if (index.addBytes(bytes, LINE.begin(FIELDS.id), LINE.end(FIELDS.emails)) === 0) return 0
  for (const domain of named) addDomain(index, domain, bytes, item)
  LINE.eachWord(FIELDS.emails, (from, to) => index.key(SECTIONS.email, LINE.hash(from, to), item))
  LINE.eachWord(FIELDS.networks, (from, to) => {
    const range = parseCidr(LINE.text(from, to))
    if (range) index.networkKey(SECTIONS.network, range.first, range.prefix, item)
  })
  const from = LINE.begin(FIELDS.name)
  const to = LINE.end(FIELDS.name)
  if (LINE.isAscii) {
    const length = writeNameKey(bytes, from, to)
    if (length > 0) index.key(SECTIONS.name, hashBytes(KEY, 0, length), item)
  } else {
    for (const key of nameKeysOf(LINE.text(from, to))) index.key(SECTIONS.name, hashText(key), item)
  }
  return item
}

/** The chosen name of a domain, and its suffix or platform. */
function namedDomain(domain: string, at: number): PlacedName {
  const { tenant, platform, registrable, suffix: ofRegistry } = hostParts(domain)
  const base = tenant ?? registrable ?? domain
  const suffix = tenant === undefined ? ofRegistry : (platform ?? ofRegistry)
  return { domain, label: base.slice(0, Math.max(0, base.length - suffix.length - 1)), suffix, at }
}

function addDomain(
  index: OwnIndexBuilder,
  { domain, label, suffix, at }: PlacedName,
  bytes: Uint8Array,
  item: number,
): void {
  readBytes(domain, bytes, at)
  index.key(SECTIONS.domain, PREFIXES[domain.length] as number, item)
  const labelAt = at + domain.length - suffix.length - 1 - label.length
  // The other names of the same owner are no strangers.
  if (labelAt > at) index.key(SECTIONS.domain, hashBetween(PREFIXES, labelAt - at, domain.length), item)
  const joined = label.includes('-') ? label.replaceAll('-', '') : label
  // Shorter names are everybody's: only their whole address is recognised.
  if (joined.length < NAME_LENGTH_MIN) return
  readBytes(label, bytes, labelAt)
  addLook(index, label, item)
  // `c-l` does not look like `d`, as `cl` does: a name may be written with its hyphens or without.
  if (label !== joined) addLook(index, joined, item)
  markStretches(index, joined)
  const count = remaindersOf(joined)
  for (let i = 0; i < count; i++) index.key(SECTIONS.typo, REMAINDERS[i] as number, item)
  index.key(SECTIONS.name, PREFIXES[joined.length] as number, item)
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
