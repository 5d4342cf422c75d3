import type { Counterparty } from '../api/organisation.ts'

export const STATE_LOOKS = { active: 'active', former: 'inactive', blocked: 'disabled' } as const

/** Only its end is on record. */
export const accountWords = ({ last4 }: Counterparty['accounts'][number]) => `…${last4}`

const SHOWN_MAX = 3

export const some = (names: readonly string[]): string =>
  names.length > SHOWN_MAX
    ? `${names.slice(0, SHOWN_MAX).join(', ')} and ${names.length - SHOWN_MAX} more`
    : names.join(', ')

/** One on each line, or with blanks, commas or semicolons between them. */
export const listed = (text: string): string[] => text.split(/[\s,;]+/).filter((one) => one !== '')

/** Accounts contain blanks: one on each line. */
export const lines = (text: string): string[] => text.split(/\n/).flatMap((line) => line.trim() || [])
