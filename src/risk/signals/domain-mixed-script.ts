import { scriptsOf } from '../model/confusables.ts'
import { type Finding, NOTHING, type Signal } from '../signal.ts'

export const domainMixedScript = {
  code: 'domain.mixed_script',
  description: 'Mixes letters of several alphabets in one word',
  group: 'name',
  detect: ({ unicodeLabel, label }): readonly Finding[] => {
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
    // `web-студия` puts a word of each side by side; only a single word of two alphabets deceives.
    const scripts = unicodeLabel
      .split('-')
      .map(scriptsOf)
      .find((found) => found.length > 1)
    if (!scripts) return NOTHING
    return [
      {
        source: 'rules',
        confidence: 1,
        variant: 'mixed',
        sentence: `Mixes ${scripts.join(' and ')} letters in one word`,
      },
    ]
  },
} satisfies Signal<'domain'>
