import { displaySuffix } from '../model/suffixes.ts'
import { type Finding, NOTHING, type Signal } from '../signal.ts'

export const domainSuffix = {
  code: 'domain.suffix_risk',
  description: 'Registered under an ending that has more fraud than most: a hint, not a verdict',
  group: 'wording',
  detect: ({ suffix, suffixLogOdds }): readonly Finding[] =>
    suffixLogOdds > 0
      ? [
          finding(
            suffixLogOdds,
            `Registered under .${displaySuffix(suffix)}, which has more fraud than most endings: a hint, not a verdict`,
          ),
        ]
      : NOTHING,
} satisfies Signal<'domain'>

export const domainTrustedSuffix = {
  code: 'domain.trusted_suffix',
  description: 'Registered under an ending with less fraud than most',
  group: 'wording',
  detect: ({ suffix, suffixLogOdds, mayVouch }): readonly Finding[] =>
    suffixLogOdds < 0 && mayVouch
      ? [finding(-suffixLogOdds, `Registered under .${displaySuffix(suffix)}, which has less fraud than most endings`)]
      : NOTHING,
} satisfies Signal<'domain'>

function finding(confidence: number, sentence: string): Finding {
  return { source: 'model', confidence, sentence }
}
