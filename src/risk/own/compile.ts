import { hostParts } from '../../lib/domain.ts'
import { parseCidr } from '../../lib/ip.ts'
import { asciiSkeleton } from '../../lib/look.ts'
import { hashText } from '../../lib/text-index.ts'
import { REMAINDERS, remaindersOf } from '../model/brand-typos.ts'
import type { OwnKnowledge } from './knowledge.ts'
import { nameKeyOf } from './names.ts'
import { EDGE_LENGTH, OwnIndexBuilder, SECTIONS } from './own-index.ts'
import { PARTS, typoParts } from './typo-parts.ts'

/** Compiles what an organisation knows. Yields after every counterparty, so that the caller can let others work. */
export function* compileOwn(knowledge: OwnKnowledge): Generator<void, Uint8Array> {
  const index = new OwnIndexBuilder()
  if (knowledge.rules !== undefined) index.key(SECTIONS.rules, 0, index.add([knowledge.rules]))
  for (const domain of knowledge.domains) {
    addDomain(index, domain, 0)
    yield
  }
  for (const { id, name, reference, since, state, domains, emails, networks } of knowledge.counterparties) {
    const of = index.add([id, name, reference, since, state, networks])
    if (of === 0) break
    for (const domain of domains) addDomain(index, domain, of)
    for (const email of emails) index.key(SECTIONS.email, hashText(email), index.add([email, of]))
    for (const network of networks) {
      const range = parseCidr(network)
      if (range) index.networkKey(SECTIONS.network, range.first, range.prefix, index.add([network, of]))
    }
    const key = nameKeyOf(name)
    if (key !== undefined) index.key(SECTIONS.name, hashText(key), index.add([key, of]))
    yield
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

const NAME_LENGTH_MIN = 4

function addDomain(index: OwnIndexBuilder, domain: string, of: number): void {
  const { tenant, platform, registrable, suffix: ofRegistry } = hostParts(domain)
  const base = tenant ?? registrable ?? domain
  const suffix = tenant === undefined ? ofRegistry : (platform ?? ofRegistry)
  const label = base.slice(0, Math.max(0, base.length - suffix.length - 1))
  const joined = label.replaceAll('-', '')
  const item = index.add([domain, label, suffix, of])
  index.key(SECTIONS.domain, hashText(domain), item)
  // The other names of the same owner are no strangers.
  if (base !== domain) index.key(SECTIONS.domain, hashText(base), item)
  // Shorter names are everybody's: only their whole address is recognised.
  if (joined.length < NAME_LENGTH_MIN) return
  // `c-l` does not look like `d`, as `cl` does: a name may be written with its hyphens or without.
  for (const skeleton of new Set([asciiSkeleton(joined), asciiSkeleton(label).replaceAll('-', '')])) {
    index.key(SECTIONS.look, hashText(skeleton), item)
    if (skeleton.length < EDGE_LENGTH) continue
    index.mark(SECTIONS.first, hashText(skeleton.slice(0, EDGE_LENGTH)))
    index.mark(SECTIONS.last, hashText(skeleton.slice(-EDGE_LENGTH)))
  }
  for (let length = joined.length - 1; length <= joined.length + 1; length++) {
    typoParts(joined, length)
    for (const hash of PARTS) index.mark(SECTIONS.typoPart, hash)
  }
  const count = remaindersOf(joined)
  for (let i = 0; i < count; i++) index.key(SECTIONS.typo, REMAINDERS[i] as number, item)
  index.key(SECTIONS.name, hashText(joined), index.add([joined, of]))
}
