import { luresIn } from '../model/lures.ts'
import { type Finding, NOTHING, type Signal } from './signal.ts'

/** More lures than the last of these add nothing. */
const COUNTS = ['1', '2', '3', '4'] as const

export const domainLure = {
  code: 'domain.lure',
  description: 'Strings together words that fraud puts into names',
  group: 'wording',
  detect: ({ label, isJudgedByName, unicodeLabel, brand, models }): readonly Finding<'1' | '2' | '3' | '4'>[] => {
    if (!isJudgedByName || unicodeLabel !== undefined || brand?.how === 'official') return NOTHING
    const { words, count } = luresIn(label, models.lexicon)
    if (count === 0) return NOTHING
    const quoted = words.map((word) => `“${word}”`)
    const sentence =
      words.length === 1
        ? `Has the word ${quoted[0]} in it, as many names registered for fraud do`
        : `Strings together ${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}, words that fraud puts into names`
    return [{ source: 'rules', confidence: 1, variant: COUNTS[Math.min(COUNTS.length, count) - 1], sentence }]
  },
} satisfies Signal<'domain'>
