import type { NotIndicator } from '@assay/reader/indicator'
import { ValidationError } from '@assay/sdk'

/** The error that the service would answer to a text that is no indicator, made without asking the service. */
export function notRead({ kind, problem }: NotIndicator): ValidationError {
  return new ValidationError(`invalid_${kind ?? 'indicator'}`, problem)
}
