import { type Finding, NOTHING, type Signal } from '../signal.ts'

// The middle of honest names, and how far around it the model has nothing to say and says nothing.
export const NAME_CENTRE = -0.5
export const NAME_SILENCE = 0.2

export const domainLexical = {
  code: 'domain.lexical',
  description: 'The name is built like names registered for fraud',
  group: 'wording',
  detect: ({ nameLogOdds }): readonly Finding[] => {
    const beyond = nameLogOdds - NAME_CENTRE - NAME_SILENCE
    return beyond > 0 ? [{ source: 'model', confidence: beyond }] : NOTHING
  },
} satisfies Signal<'domain'>

export const domainOrdinaryName = {
  code: 'domain.ordinary_name',
  description: 'The name is built like those of ordinary organisations',
  group: 'wording',
  detect: ({ nameLogOdds, imitates }): readonly Finding[] => {
    const beyond = NAME_CENTRE - NAME_SILENCE - nameLogOdds
    return beyond > 0 && !imitates ? [{ source: 'model', confidence: beyond }] : NOTHING
  },
} satisfies Signal<'domain'>
