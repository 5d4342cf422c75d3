import { lettersApart, scriptsOf } from '../model/confusables.ts'
import { isStrungOfWords } from '../model/dga.ts'
import { luresIn } from '../model/lures.ts'
import type { NameShape } from '../model/name.ts'
import { displaySuffix, isHomeSuffix } from '../model/suffixes.ts'
import { explained, type Finding, NOTHING, rule, type Signal } from './signal.ts'

export const NAME_SIGNALS = [
  {
    code: 'domain.mixed_script',
    description: 'Mixes letters of several alphabets in one word',
    group: 'name',
    detect: ({ unicodeLabel, label }): readonly Finding<'mixed' | 'undecodable'>[] => {
      if (unicodeLabel === undefined) {
        if (!label.includes('xn--')) return NOTHING
        return rule('The name is encoded as international but does not decode', 'undecodable')
      }
      // `web-студия` has one word of each alphabet; only a single word of two alphabets deceives.
      const word = unicodeLabel.split('-').find((part) => scriptsOf(part).length > 1)
      if (word === undefined) return NOTHING
      return rule(`Mixes ${scriptsOf(word).join(' and ')} letters in one word: ${lettersApart(word)}`, 'mixed')
    },
  },
  {
    code: 'domain.generated_name',
    description: 'The name looks made up by a program',
    group: 'name',
    detect: (subject): readonly Finding<'country' | 'words' | 'letters'>[] => {
      const { label, suffix, platform, shape, looksMadeUp, madeUpLogOdds, models } = subject
      if (!looksMadeUp) return NOTHING
      const ofWords = isStrungOfWords(shape)
      // The model knows the letters of names worldwide; under a country's own suffix its language is normal.
      const variant = platform === undefined && isHomeSuffix(suffix) ? 'country' : ofWords ? 'words' : 'letters'
      const say = () =>
        ofWords
          ? `The name looks strung together from ${shape.words} words by a program`
          : `The name looks made up by a program: letters such as “${models.generated.oddest(label)}” are rare in names people choose`
      return [explained({ source: 'model', confidence: Math.max(0, madeUpLogOdds) }, say, variant)]
    },
  },
  {
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
      return rule(sentence, COUNTS[Math.min(COUNTS.length, count) - 1])
    },
  },
  {
    code: 'domain.lexical',
    description: 'The name is built like names registered for fraud',
    group: 'wording',
    detect: ({ nameLogOdds, worded, label, shape, suffix, platform, models: { lexical } }): readonly Finding[] => {
      if (nameLogOdds <= NAME_SILENCE) return NOTHING
      const say = () => {
        const sentence = sentenceOf(nameLogOdds, lexical.telling(worded))
        const isForm = platform === undefined && lexical.isFormListed(label, suffix)
        return isForm ? `${sentence}; lists name many of ${formOf(shape)} under .${displaySuffix(suffix)}` : sentence
      }
      return [explained({ source: 'model', confidence: nameLogOdds }, say)]
    },
  },
  {
    code: 'domain.ordinary_name',
    description: 'The name is built like those of ordinary organisations',
    group: 'wording',
    detect: ({ nameLogOdds, mayVouch }): readonly Finding[] =>
      nameLogOdds < -NAME_SILENCE && mayVouch ? [{ source: 'model', confidence: -nameLogOdds }] : NOTHING,
  },
  {
    code: 'domain.suffix_risk',
    description: 'Names like it are fraud more often under this ending than under most: a hint, not a verdict',
    group: 'wording',
    detect: ({ suffix, suffixLogOdds }): readonly Finding[] => {
      if (suffixLogOdds <= 0) return NOTHING
      const sentence = `Names like this are fraud more often under .${displaySuffix(suffix)} than under most endings: a hint, not a verdict`
      return [{ source: 'model', confidence: suffixLogOdds, sentence }]
    },
  },
  {
    code: 'domain.trusted_suffix',
    description: 'Names like it are fraud less often under this ending than under most',
    group: 'wording',
    detect: ({ suffix, suffixLogOdds, mayVouch }): readonly Finding[] => {
      if (suffixLogOdds >= 0 || !mayVouch) return NOTHING
      const sentence = `Names like this are fraud less often under .${displaySuffix(suffix)} than under most endings`
      return [{ source: 'model', confidence: -suffixLogOdds, sentence }]
    },
  },
] as const satisfies readonly Signal<'domain'>[]

/** More lures than the last of these add nothing. */
const COUNTS = ['1', '2', '3', '4'] as const

/** Around the average of all names by this much, the model says nothing. */
const NAME_SILENCE = 0.1
const STRONG = 1.2
const FAINT = 0.5

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
