import { type Signal, tagged } from '../signal.ts'
import { THREATS } from './threats.ts'

const LISTED = THREATS.filter((tag) => tag !== 'hijacked')

export const ipListed = {
  code: 'ip.listed',
  description: 'Listed by a threat feed',
  group: 'listing',
  detect: ({ own }) => tagged(own, ...LISTED),
} satisfies Signal<'ip'>
