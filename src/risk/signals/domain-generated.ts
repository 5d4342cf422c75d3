import { type Finding, NOTHING, type Signal } from '../signal.ts'

const LABEL_LENGTH_MIN = 5

export const domainGenerated = {
  code: 'domain.generated_name',
  description: 'The name looks made up by a program',
  group: 'name',
  detect: ({ label, shape, unicodeLabel, brand, models }): readonly Finding[] => {
    if (unicodeLabel !== undefined || label.length < LABEL_LENGTH_MIN || brand?.how === 'official') return NOTHING
    const logOdds = models.generated.logOdds(label, shape)
    if (logOdds <= 0) return NOTHING
    return [
      {
        source: 'model',
        confidence: logOdds,
        ...(shape.words >= 4 && shape.digits === 0
          ? { sentence: 'The name looks strung together from words by a program' }
          : {}),
      },
    ]
  },
} satisfies Signal<'domain'>
