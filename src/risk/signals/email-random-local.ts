import { shapeOf } from '../model/name.ts'
import { type Finding, NOTHING, type Signal, withoutPlus } from '../signal.ts'

const LENGTH_MIN = 7

export const emailRandomLocal = {
  code: 'email.random_local',
  description: 'The part before the @ looks made up by a program',
  group: 'person',
  detect: ({ local, models }): readonly Finding[] => {
    const base = withoutPlus(local)
    if (base.length < LENGTH_MIN || !/^[a-z0-9]+$/.test(base)) return NOTHING
    const shape = shapeOf(base, models.lexicon)
    // Names followed by a year or a number are how people name mailboxes; letters and digits by turns are not.
    if (shape.digits > 0 && shape.turns <= 1 && shape.digits <= 4) return NOTHING
    const logOdds = models.generated.logOdds(base, shape)
    return logOdds > 0 ? [{ source: 'model', confidence: logOdds }] : NOTHING
  },
} satisfies Signal<'email'>
