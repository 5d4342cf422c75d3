import type { NotIndicator } from '@assay/reader/indicator'
import { ValidationError } from '@assay/sdk'

/** The error that the service would return for a text that is not an indicator, created without a request. */
export function notRead({ kind, problem }: NotIndicator): ValidationError {
  return new ValidationError(`invalid_${kind ?? 'indicator'}`, problem)
}
