import type { Tag } from '../../snapshot/types.ts'
import { tagged } from '../look-up/evidence.ts'
import { type Finding, NOTHING, type Signal } from './signal.ts'

const BEST_FIRST: readonly Tag[] = ['popular_1k', 'popular_10k', 'popular_100k', 'popular_1m']

export const domainPopular = {
  code: 'domain.popular',
  description: 'Among the most visited sites',
  group: 'standing',
  repeats: true,
  detect: ({ own, above, platform }): readonly Finding[] => {
    // On shared hosting only the customer's own fame counts, never the platform's.
    const evidence = platform === undefined ? [...own, ...above] : own
    for (const tag of BEST_FIRST) {
      const found = tagged(evidence, tag)
      if (found.length > 0) return found
    }
    return NOTHING
  },
} satisfies Signal<'domain'>
