import { type Signal, tagged } from '../signal.ts'
import { THREATS } from './threats.ts'

export const emailListed = {
  code: 'email.listed',
  description: 'This very address is listed by a threat feed',
  group: 'listing',
  detect: ({ own }) => tagged(own, ...THREATS),
} satisfies Signal<'email'>
