import { AssayError } from '@assay/sdk'
import { expect, it } from 'vitest'
import { PROBLEMS } from '../../../src/errors.ts'
import { errorWords } from './words.ts'

it('an error is told in words for people, with the label of its field', () => {
  const say = (code: string, message: string) => errorWords(new AssayError(code, message))
  expect(say('validation_failed', 'overage_limit_pence: This must be at least 0.')).toBe(
    'Overage limit: This must be at least 0.',
  )
  expect(say('precondition_required', 'Send If-Match with the ETag of the version you read.')).toMatch(/Load it again/)
  expect(say('not_found', 'There is no organisation org_nobody.')).toBe('There is no organisation org_nobody.')
  for (const code of Object.keys(PROBLEMS)) expect(say(code, 'Plain.'), code).not.toMatch(/header|JSON|credential/)
})
