import { scriptsOf } from '../model/confusables.ts'
import { type Finding, NOTHING, type Signal } from '../signal.ts'

export const domainMixedScript = {
  code: 'domain.mixed_script',
  description: 'Mixes letters of several alphabets in one name',
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
    const scripts = scriptsOf(unicodeLabel)
    if (scripts.length < 2) return NOTHING
    return [
      {
        source: 'rules',
        confidence: 1,
        variant: 'mixed',
        sentence: `Mixes ${scripts.join(' and ')} letters in one name`,
      },
    ]
  },
} satisfies Signal<'domain'>
