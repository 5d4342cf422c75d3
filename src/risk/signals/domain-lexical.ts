import type { NameShape } from '../model/name.ts'
import { displaySuffix } from '../model/suffixes.ts'
import { explained } from './explained.ts'
import { type Finding, NOTHING, type Signal } from './signal.ts'

/** Around the average of all names by this much, the model says nothing. */
const NAME_SILENCE = 0.1
const STRONG = 1.2
const FAINT = 0.5

export const domainLexical = {
  code: 'domain.lexical',
  description: 'The name is built like names registered for fraud',
  group: 'wording',
  detect: ({ nameLogOdds, worded, label, shape, suffix, platform, models: { lexical } }): readonly Finding[] =>
    nameLogOdds > NAME_SILENCE
      ? [
          explained({ source: 'model', confidence: nameLogOdds }, () => {
            const sentence = sentenceOf(nameLogOdds, lexical.telling(worded))
            return platform === undefined && lexical.isFormListed(label, suffix)
              ? `${sentence}; lists name many of ${formOf(shape)} under .${displaySuffix(suffix)}`
              : sentence
          }),
        ]
      : NOTHING,
} satisfies Signal<'domain'>

function sentenceOf(logOdds: number, telling: readonly string[]): string {
  // A name close to the average has no part that stands out.
  const parts = (logOdds < FAINT ? [] : telling).map((part) => `“${part}”`).join(' and ')
  if (logOdds < STRONG) {
    return `The name is somewhat more like names registered for fraud than like others${parts === '' ? '' : `, by its ${parts}`}`
  }
  return `The name is built like names registered for fraud${parts === '' ? '' : `: ${parts} stand${telling.length === 1 ? 's' : ''} out`}`
}

function formOf({ length, digits, hyphens }: NameShape): string {
  if (digits === length) return `${digits} digits`
  const parts = [
    ...(digits > 0 ? [`${digits} ${digits === 1 ? 'digit' : 'digits'}`] : []),
    ...(hyphens > 0 ? [`${hyphens} ${hyphens === 1 ? 'hyphen' : 'hyphens'}`] : []),
  ]
  return parts.length === 0 ? `${length} letters` : `${length} characters with ${parts.join(' and ')}`
}

export const domainOrdinaryName = {
  code: 'domain.ordinary_name',
  description: 'The name is built like those of ordinary organisations',
  group: 'wording',
  detect: ({ nameLogOdds, mayVouch }): readonly Finding[] =>
    nameLogOdds < -NAME_SILENCE && mayVouch ? [{ source: 'model', confidence: -nameLogOdds }] : NOTHING,
} satisfies Signal<'domain'>
