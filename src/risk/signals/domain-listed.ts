import { type Signal, tagged } from '../signal.ts'
import { THREATS } from './threats.ts'

export const domainListed = {
  code: 'domain.listed',
  description: 'Listed by a threat feed',
  group: 'listing',
  detect: ({ own }) => tagged(own, ...THREATS),
} satisfies Signal<'domain'>
