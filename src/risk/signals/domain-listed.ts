import { type Signal, taggedAny } from '../signal.ts'
import { THREATS } from './threats.ts'

export const domainListed = {
  code: 'domain.listed',
  description: 'Listed by a threat feed',
  group: 'listing',
  detect: ({ own }) => taggedAny(own, THREATS),
} satisfies Signal<'domain'>
