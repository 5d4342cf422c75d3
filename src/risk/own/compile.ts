import { hostParts } from '../../lib/domain.ts'
import { parseCidr } from '../../lib/ip.ts'
import { hashText } from '../../lib/text-index.ts'
import { remaindersOf } from '../model/brand-typos.ts'
import { skeletonHash } from '../model/confusables.ts'
import type { OwnKnowledge } from './knowledge.ts'
import { nameKeyOf } from './names.ts'
import { OwnIndexBuilder } from './own-index.ts'

/** Compiles what an organisation knows. Yields after every counterparty, so that the caller can let others work. */
export function* compileOwn(knowledge: OwnKnowledge): Generator<void, Uint8Array> {
  const index = new OwnIndexBuilder()
  if (knowledge.rules !== undefined) index.key('rules', 0, index.add([knowledge.rules]))
  for (const domain of knowledge.domains) {
    addDomain(index, domain, 0)
    yield
  }
  for (const { id, name, reference, since, state, domains, emails, networks } of knowledge.counterparties) {
    const of = index.add([id, name, reference, since, state, networks])
    if (of === 0) break
    for (const domain of domains) addDomain(index, domain, of)
    for (const email of emails) index.key('email', hashText(email), index.add([email, of]))
    for (const network of networks) {
      const range = parseCidr(network)
      if (range) index.networkKey('network', range.first, range.prefix, index.add([network, of]))
    }
    const key = nameKeyOf(name)
    if (key !== undefined) index.key('name', hashText(key), index.add([key, of]))
    yield
  }
  for (const { kind, indicator, list, reason, expiresAtMs } of knowledge.entries) {
    const item = index.add([kind, indicator, list, reason, expiresAtMs])
    const range = kind === 'ip' ? parseCidr(indicator) : undefined
    if (range) index.networkKey('entry_network', range.first, range.prefix, item)
    else index.key('entry', hashText(indicator), item)
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
  index.key('domain', hashText(domain), item)
  // The other names of the same owner are no strangers.
  if (base !== domain) index.key('domain', hashText(base), item)
  // Shorter names are everybody's: only their whole address is recognised.
  if (joined.length < NAME_LENGTH_MIN) return
  index.key('look', skeletonHash(joined), item)
  for (const hash of remaindersOf(joined)) index.key('typo', hash, item)
  index.key('name', hashText(joined), index.add([joined, of]))
}
