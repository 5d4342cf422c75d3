import { isStrungOfWords } from '../model/dga.ts'
import { isHomeSuffix } from '../model/suffixes.ts'
import { explained } from './explained.ts'
import { type Finding, NOTHING, type Signal } from './signal.ts'

export const domainGenerated = {
  code: 'domain.generated_name',
  description: 'The name looks made up by a program',
  group: 'name',
  detect: ({
    label,
    suffix,
    platform,
    shape,
    looksMadeUp,
    madeUpLogOdds,
    models,
  }): readonly Finding<'country' | 'words' | 'letters'>[] => {
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
} satisfies Signal<'domain'>
