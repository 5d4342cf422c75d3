import { LEVELS, type Risk } from '@assay/sdk'

export type Level = Risk

export function levelOf(score: number): Level {
  return score >= LEVELS.high.from ? 'high' : score >= LEVELS.medium.from ? 'medium' : 'low'
}
