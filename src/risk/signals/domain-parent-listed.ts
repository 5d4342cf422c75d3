import { type Signal, taggedAny } from '../signal.ts'
import { THREATS } from './threats.ts'

export const domainParentListed = {
  code: 'domain.parent_listed',
  description: 'A domain above this name, of the same owner, is listed by a threat feed',
  group: 'listing',
  detect: ({ above }) => taggedAny(above, THREATS),
} satisfies Signal<'domain'>
