import { lettersApart, scriptsOf } from '../model/confusables.ts'
import { type Finding, NOTHING, type Signal } from './signal.ts'

export const domainMixedScript = {
  code: 'domain.mixed_script',
  description: 'Mixes letters of several alphabets in one word',
  group: 'name',
  detect: ({ unicodeLabel, label }): readonly Finding<'mixed' | 'undecodable'>[] => {
    if (unicodeLabel === undefined) {
      if (!label.includes('xn--')) return NOTHING
      return [
        {
          source: 'rules',
          confidence: 1,
          variant: 'undecodable',
          sentence: 'The name is encoded as international but does not decode',
        },
      ]
    }
    // `web-студия` has one word of each alphabet; only a single word of two alphabets deceives.
    const word = unicodeLabel.split('-').find((part) => scriptsOf(part).length > 1)
    if (word === undefined) return NOTHING
    return [
      {
        source: 'rules',
        confidence: 1,
        variant: 'mixed',
        sentence: `Mixes ${scriptsOf(word).join(' and ')} letters in one word: ${lettersApart(word)}`,
      },
    ]
  },
} satisfies Signal<'domain'>
