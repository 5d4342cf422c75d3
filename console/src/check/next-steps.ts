import type { Kind, Risk } from '@assay/sdk'
import NEXT_STEPS from './next-steps.json' with { type: 'json' }

/** Steps that put the service's handling sentence (`recommended_action`) into practice. */
export function nextSteps(kind: Kind, level: Risk): { readonly short: string; readonly steps: readonly string[] } {
  return NEXT_STEPS[kind][level]
}
