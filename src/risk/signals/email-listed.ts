import { type Signal, taggedAny } from '../signal.ts'
import { THREATS } from './threats.ts'

export const emailListed = {
  code: 'email.listed',
  description: 'This very address is listed by a threat feed',
  group: 'listing',
  detect: ({ own }) => taggedAny(own, THREATS),
} satisfies Signal<'email'>
