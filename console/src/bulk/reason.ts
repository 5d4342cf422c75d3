import type { Outcome, Signal } from '@assay/sdk'
import { capitalised } from '../shell/money.ts'
import type { Standing } from './list.ts'

/** An answer in one row of a table: how it stands, and the one reason that says most. */
export function gist(outcome: Outcome): {
  readonly standing: Standing
  readonly score: number
  readonly reason: string
} {
  if ('invalid' in outcome) return { standing: 'refused', score: 0, reason: outcome.invalid.detail }
  const { risk, risk_score: score, signals = [] } = outcome
  const notPublic = risk === 'low' ? signals.find(({ code }) => code.endsWith('.not_public')) : undefined
  if (notPublic) return { standing: 'nothing', score, reason: withoutPrefix(notPublic.description) }
  return { standing: risk, score, reason: mainReason(risk === 'low' ? -1 : 1, signals) }
}

/** The level says so already. */
const withoutPrefix = (description: string) => capitalised(description.replace(/^Nothing to check: /, ''))

/** The signal that pulls most to the side of the level. A low score may have none, and little against it. */
function mainReason(side: 1 | -1, signals: readonly Signal[]): string {
  const most = strongest(signals.filter(({ effect }) => effect * side > 0))
  if (most) return most.description
  const against = strongest(signals.filter(({ effect }) => effect > 0))
  return against ? `Little against it. ${against.description}` : 'Nothing known against it'
}

function strongest(signals: readonly Signal[]): Signal | undefined {
  return signals.toSorted((a, b) => Math.abs(b.effect) - Math.abs(a.effect))[0]
}
