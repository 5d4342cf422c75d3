import type { Evidence } from '../../snapshot/types.ts'
import { tagged } from '../look-up/evidence.ts'
import { type Finding, NOTHING, type Signal } from './signal.ts'
import { THREATS_OF_ADDRESSES } from './tagged.ts'

export const ipListed = {
  code: 'ip.listed',
  description: 'Listed by a threat feed',
  group: 'listing',
  detect: ({ own }): readonly Finding<'corroborated' | 'alone'>[] => {
    const found = tagged(own, THREATS_OF_ADDRESSES)
    if (found.length === 0) return NOTHING
    const variant = isCorroborated(found) ? 'corroborated' : 'alone'
    return found.map((item) => ({ ...item, variant }))
  },
} satisfies Signal<'ip'>

// A source that counts lists has this confidence only if five or more lists name the address.
const SURE_FROM = 0.78

/** True if two publishers name the address, or one that is as sure as several lists together. */
function isCorroborated(found: readonly Evidence[]): boolean {
  const first = found[0] as Evidence
  const publisher = publisherOf(first.source)
  for (let i = 0; i < found.length; i++) {
    const { source, confidence } = found[i] as Evidence
    if (confidence >= SURE_FROM || publisherOf(source) !== publisher) return true
  }
  return false
}

/** Sources of one publisher begin alike (`maltrail-c2`, `maltrail-malware`) and do not corroborate each other. */
function publisherOf(source: string): string {
  const dash = source.indexOf('-')
  return dash < 0 ? source : source.slice(0, dash)
}
