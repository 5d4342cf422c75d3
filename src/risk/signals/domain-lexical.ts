import { type Finding, NOTHING, type Signal } from '../signal.ts'

// Between these the model has nothing to say, and says nothing.
const SILENT_ABOVE = -0.4
const SILENT_BELOW = 0.4

export const domainLexical = {
  code: 'domain.lexical',
  description: 'The name is built like names registered for fraud',
  group: 'name',
  detect: ({ nameLogOdds }): readonly Finding[] => {
    if (nameLogOdds < SILENT_BELOW) return NOTHING
    return [{ source: 'model', confidence: nameLogOdds - SILENT_BELOW }]
  },
} satisfies Signal<'domain'>

export const domainOrdinaryName = {
  code: 'domain.ordinary_name',
  description: 'The name is built like those of ordinary organisations',
  group: 'name',
  detect: ({ nameLogOdds }): readonly Finding[] => {
    if (nameLogOdds > SILENT_ABOVE) return NOTHING
    return [{ source: 'model', confidence: SILENT_ABOVE - nameLogOdds }]
  },
} satisfies Signal<'domain'>
