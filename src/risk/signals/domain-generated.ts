import { assignsNames, isHomeSuffix } from '../model/suffixes.ts'
import { type Finding, NOTHING, type Signal } from '../signal.ts'

const LABEL_LENGTH_MIN = 5
const LOG_ODDS_MIN = 0

export const domainGenerated = {
  code: 'domain.generated_name',
  description: 'The name looks made up by a program',
  group: 'name',
  detect: ({ label, suffix, platform, shape, unicodeLabel, brand, models }): readonly Finding[] => {
    if (unicodeLabel !== undefined || label.length < LABEL_LENGTH_MIN || brand?.how === 'official') return NOTHING
    if (assignsNames(platform)) return NOTHING
    const logOdds = models.generated.logOdds(label, shape)
    if (logOdds <= LOG_ODDS_MIN) return NOTHING
    const ofWords = shape.words >= 3 && shape.covered >= 0.8 * shape.length
    // The model knows the letters of names the world over; under a country's own suffix its language is the rule.
    const variant = platform === undefined && isHomeSuffix(suffix) ? 'country' : ofWords ? 'words' : 'letters'
    const sentence = ofWords ? 'The name looks strung together from words by a program' : undefined
    return [{ source: 'model', confidence: logOdds, variant, ...(sentence ? { sentence } : {}) }]
  },
} satisfies Signal<'domain'>
