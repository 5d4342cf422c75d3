import { type Kind, LEVELS, type Risk } from '@assay/sdk'
import NEXT_STEPS from './next-steps.json' with { type: 'json' }

/** Steps that put the service's handling sentence (`recommended_action`) into practice. */
export function nextSteps(kind: Kind, level: Risk): { readonly short: string; readonly steps: readonly string[] } {
  return NEXT_STEPS[kind][level]
}

export type Level = Risk

export function levelOf(score: number): Level {
  return score >= LEVELS.high.from ? 'high' : score >= LEVELS.medium.from ? 'medium' : 'low'
}

/** Shows invisible characters, and those that change the writing direction, as their code points. */
export function visible(text: string): string {
  return text.replace(/[\p{Cf}\p{Cc}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
  })
}
