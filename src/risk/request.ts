import { type FieldError, Problem } from '../errors.ts'
import { KINDS, type Kind } from '../lib/kinds.ts'
import { type Indicator, isProblem, parseIndicator } from './indicator.ts'

/** Bodies of the six risk endpoints, read strictly: whatever is wrong is named by its place. */

export const RECORDS_MAX = 10_000
const ERRORS_MAX = 100

export interface Submitted {
  /** As submitted, to be echoed. */
  readonly text: string
  readonly indicator: Indicator
}

export function readSingle(kind: Kind, body: unknown): Submitted {
  const value = onlyField(body, kind)
  if (typeof value !== 'string') refuse(wrongType(`/${kind}`, 'a string'))
  const indicator = parseIndicator(kind, value)
  if (isProblem(indicator)) refuse({ pointer: `/${kind}`, ...indicator })
  return { text: value, indicator }
}

export function readBulk(kind: Kind, body: unknown): readonly Submitted[] {
  const field = KINDS[kind].plural
  const list = onlyField(body, field)
  if (!Array.isArray(list)) refuse(wrongType(`/${field}`, 'an array of strings'))
  if (list.length === 0) {
    throw new Problem('no_records', {
      detail: `Send 1 to ${RECORDS_MAX} records in "${field}".`,
      errors: [{ pointer: `/${field}`, code: 'no_records', detail: 'The array is empty.' }],
    })
  }
  if (list.length > RECORDS_MAX) {
    throw new Problem('too_many_records', {
      detail: `${list.length} records were sent; one request takes at most ${RECORDS_MAX}. Split the list.`,
      errors: [{ pointer: `/${field}`, code: 'too_many_records', detail: `More than ${RECORDS_MAX} records.` }],
    })
  }
  const records: Submitted[] = []
  const errors: FieldError[] = []
  let bad = 0
  for (const [i, value] of list.entries()) {
    const pointer = `/${field}/${i}`
    const parsed = typeof value === 'string' ? parseIndicator(kind, value) : wrongType(pointer, 'a string')
    if ('code' in parsed) {
      bad++
      if (errors.length < ERRORS_MAX) errors.push({ pointer, code: parsed.code, detail: parsed.detail })
    } else {
      records.push({ text: value as string, indicator: parsed })
    }
  }
  if (bad > 0) {
    const more = bad > errors.length ? ` The first ${errors.length} are named.` : ''
    throw new Problem('validation_failed', {
      detail: `${bad} of ${list.length} records are not valid. Nothing was evaluated or charged.${more}`,
      errors,
    })
  }
  return records
}

/** The one field a body must have, and no other. */
function onlyField(body: unknown, field: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    refuse({ pointer: '', code: 'wrong_type', detail: `The body must be a JSON object with the field "${field}".` })
  }
  const names = Object.keys(body)
  const unknown = names.filter((name) => name !== field)
  const errors: FieldError[] = unknown.slice(0, ERRORS_MAX).map((name) => ({
    pointer: `/${pointerSegment(name)}`,
    code: 'unknown_field',
    detail: `There is no such field; "${field}" is the only one.`,
  }))
  if (names.length === unknown.length) {
    errors.unshift({ pointer: `/${field}`, code: 'missing_field', detail: `The field "${field}" is required.` })
  }
  if (errors.length > 0) refuse(...errors)
  return (body as Record<string, unknown>)[field]
}

/** RFC 6901, with a length bound: a field name may be as long as the body, or hold an address by mistake. */
function pointerSegment(name: string): string {
  const shown = name.length > 64 || name.includes('@') ? `${name.slice(0, 16).split('@')[0]}…` : name
  return shown.replaceAll('~', '~0').replaceAll('/', '~1')
}

function wrongType(pointer: string, wanted: string): FieldError {
  return { pointer, code: 'wrong_type', detail: `This must be ${wanted}.` }
}

function refuse(...errors: readonly FieldError[]): never {
  throw new Problem('validation_failed', { detail: errors[0]?.detail ?? 'The body is not valid.', errors })
}
