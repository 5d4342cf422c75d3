import type { NotIndicator } from '@assay/reader/indicator'
import { ValidationError } from '@assay/sdk'

/** What the service would answer to a text that is no indicator, told without asking it. */
export function notRead({ kind, problem }: NotIndicator): ValidationError {
  return new ValidationError(`invalid_${kind ?? 'indicator'}`, problem)
}
