export type Level = 'low' | 'medium' | 'high'

export function levelOf(score: number): Level {
  return score >= 70 ? 'high' : score >= 30 ? 'medium' : 'low'
}
