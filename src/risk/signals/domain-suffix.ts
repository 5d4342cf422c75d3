import { type Finding, NOTHING, type Signal } from '../signal.ts'

const SILENT_BELOW = 0.2

export const domainSuffix = {
  code: 'domain.suffix_risk',
  description: 'Registered under an ending that fraud prefers',
  group: 'hosting',
  detect: ({ suffix, suffixLogOdds }): readonly Finding[] => {
    if (suffixLogOdds < SILENT_BELOW) return NOTHING
    return [
      {
        source: 'model',
        confidence: suffixLogOdds,
        sentence: `Registered under .${suffix}, an ending that fraud prefers`,
      },
    ]
  },
} satisfies Signal<'domain'>

export const domainTrustedSuffix = {
  code: 'domain.trusted_suffix',
  description: 'Registered under an ending that fraud seldom uses',
  group: 'hosting',
  detect: ({ suffix, suffixLogOdds }): readonly Finding[] => {
    if (suffixLogOdds > -SILENT_BELOW) return NOTHING
    return [
      {
        source: 'model',
        confidence: -suffixLogOdds,
        sentence: `Registered under .${suffix}, an ending that fraud seldom uses`,
      },
    ]
  },
} satisfies Signal<'domain'>
