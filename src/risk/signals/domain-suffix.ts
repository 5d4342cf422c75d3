import { type Finding, NOTHING, type Signal } from '../signal.ts'

// What the commonest suffix is worth, and how far around it nothing is said.
export const SUFFIX_CENTRE = -0.35
export const SUFFIX_SILENCE = 0.2
export const domainSuffix = {
  code: 'domain.suffix_risk',
  description: 'Registered under an ending that fraud prefers',
  group: 'wording',
  detect: ({ suffix, suffixLogOdds, platform }): readonly Finding[] => {
    if (platform !== undefined) return NOTHING
    const beyond = suffixLogOdds - SUFFIX_CENTRE - SUFFIX_SILENCE
    if (beyond <= 0) return NOTHING
    return [
      {
        source: 'model',
        confidence: beyond,
        sentence: `Registered under .${suffix}, an ending that fraud prefers`,
      },
    ]
  },
} satisfies Signal<'domain'>

export const domainTrustedSuffix = {
  code: 'domain.trusted_suffix',
  description: 'Registered under an ending that fraud seldom uses',
  group: 'wording',
  detect: ({ suffix, suffixLogOdds, platform, imitates }): readonly Finding[] => {
    const beyond = SUFFIX_CENTRE - SUFFIX_SILENCE - suffixLogOdds
    if (beyond <= 0 || platform !== undefined || imitates) return NOTHING
    return [
      {
        source: 'model',
        confidence: beyond,
        sentence: `Registered under .${suffix}, an ending that fraud seldom uses`,
      },
    ]
  },
} satisfies Signal<'domain'>
