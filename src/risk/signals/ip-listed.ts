import { type Signal, taggedAny } from '../signal.ts'
import { THREATS } from './threats.ts'

const LISTED = new Set([...THREATS].filter((tag) => tag !== 'hijacked'))

export const ipListed = {
  code: 'ip.listed',
  description: 'Listed by a threat feed',
  group: 'listing',
  detect: ({ own }) => taggedAny(own, LISTED),
} satisfies Signal<'ip'>
