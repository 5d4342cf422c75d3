import { isCountrySuffix, isHomeSuffix } from '../model/suffixes.ts'
import { type Finding, NOTHING, type Signal } from '../signal.ts'
import { Explained } from './explained.ts'

// Under a crowded ending, .com above all, people register any string of letters that is left; under a tidy one a name that
// looks made up stands out sooner. Firms string words together too.
const TIDY_SUFFIX = -0.5
const LOG_ODDS_MIN = { tidy: -0.4, crowded: 0.6, words: 1 }

export const domainGenerated = {
  code: 'domain.generated_name',
  description: 'The name looks made up by a program',
  group: 'name',
  detect: ({ label, suffix, platform, shape, madeUpLogOdds, suffixLogOdds, models }): readonly Finding[] => {
    const ofWords = shape.words >= 3 && shape.covered >= 0.8 * shape.length
    const tidy = suffixLogOdds < TIDY_SUFFIX && !isCountrySuffix(suffix)
    if (madeUpLogOdds < (tidy ? LOG_ODDS_MIN.tidy : ofWords ? LOG_ODDS_MIN.words : LOG_ODDS_MIN.crowded)) return NOTHING
    // The model knows the letters of names the world over; under a country's own suffix its language is the rule.
    const variant = platform === undefined && isHomeSuffix(suffix) ? 'country' : ofWords ? 'words' : 'letters'
    const say = () =>
      ofWords
        ? `The name looks strung together from ${shape.words} words by a program`
        : `The name looks made up by a program: letters such as “${models.generated.oddest(label)}” are rare in names people choose`
    return [new Explained({ source: 'model', confidence: Math.max(0, madeUpLogOdds) }, say, variant)]
  },
} satisfies Signal<'domain'>
