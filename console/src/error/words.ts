import { type AssayError, ConnectionError, TimeoutError } from '@assay/sdk'
import { capitalised } from '../shell/format.ts'

/** Their texts are right for programs; a person can only load the page again. */
const FOR_PROGRAMS =
  /^(ambiguous_credentials|credentials_missing|form_outdated|headers_too_large|idempotency_key_reused|invalid_header|malformed_json|method_not_allowed|precondition_required|unsupported_media_type)$/

/** An error as a page shows it. The client's own messages are for developers. */
export function errorWords(error: AssayError): string {
  if (error instanceof ConnectionError || error instanceof TimeoutError) {
    return 'The server cannot be reached. Check the connection and try again.'
  }
  if (error.code === 'unexpected_response') return 'The server could not answer. Try again in a moment.'
  if (FOR_PROGRAMS.test(error.code)) return 'This page and the server do not understand each other. Load it again.'
  // The API names the field in front; here it reads as its label.
  return error.message.replace(/^([a-z][a-z_]*)(?:\/\S*)?: /, (_, field: string) => `${labelOf(field)}: `)
}

const labelOf = (field: string) => capitalised(field.replace(/_(pence|id)$/, '').replaceAll('_', ' '))
