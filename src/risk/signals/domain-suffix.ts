import { displaySuffix } from '../model/suffixes.ts'
import { type Finding, NOTHING, type Signal } from './signal.ts'

export const domainSuffix = {
  code: 'domain.suffix_risk',
  description: 'Names like it are fraud more often under this ending than under most: a hint, not a verdict',
  group: 'wording',
  detect: ({ suffix, suffixLogOdds }): readonly Finding[] =>
    suffixLogOdds > 0
      ? [
          finding(
            suffixLogOdds,
            `Names like this are fraud more often under .${displaySuffix(suffix)} than under most endings: a hint, not a verdict`,
          ),
        ]
      : NOTHING,
} satisfies Signal<'domain'>

export const domainTrustedSuffix = {
  code: 'domain.trusted_suffix',
  description: 'Names like it are fraud less often under this ending than under most',
  group: 'wording',
  detect: ({ suffix, suffixLogOdds, mayVouch }): readonly Finding[] =>
    suffixLogOdds < 0 && mayVouch
      ? [
          finding(
            -suffixLogOdds,
            `Names like this are fraud less often under .${displaySuffix(suffix)} than under most endings`,
          ),
        ]
      : NOTHING,
} satisfies Signal<'domain'>

function finding(confidence: number, sentence: string): Finding {
  return { source: 'model', confidence, sentence }
}
