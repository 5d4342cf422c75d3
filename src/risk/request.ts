import { type FieldError, malformedJson, Problem } from '../errors.ts'
import { readJsonText } from '../lib/json-text.ts'
import { KINDS, type Kind } from '../lib/kinds.ts'
import { LIMITS } from '../limits.ts'
import type { InvalidRecords } from './engine.ts'
import { type Indicator, isProblem, parseIndicator } from './indicator.ts'
import type { ListRecord } from './list.ts'

/** Bodies of the six risk endpoints, parsed strictly: every error names its place. */

export interface Submitted {
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

/** The records of a bulk request, not yet parsed one by one. */
export function readRecords(kind: Kind, body: Buffer): ListRecord[] {
  const field = KINDS[kind].plural
  const json = readJsonText(body)
  if (!json) throw malformedJson()
  const list = onlyField(json.value, field)
  if (!Array.isArray(list)) refuse(wrongType(`/${field}`, 'an array of strings'))
  if (list.length === 0) {
    throw new Problem('no_records', {
      detail: `Send 1 to ${LIMITS.requests.recordsMax} records in "${field}".`,
      errors: [{ pointer: `/${field}`, code: 'no_records', detail: 'The array is empty.' }],
    })
  }
  if (list.length > LIMITS.requests.recordsMax) throw tooManyRecords(kind, String(list.length))
  return list.map((value) => ({ text: typeof value === 'string' ? value : null, parsed: undefined }))
}

/** The number of records of a valid bulk body: each is a string, with commas between them. */
export function recordsOf(marks: number): number {
  return Math.min(LIMITS.requests.recordsMax, Math.max(0, Math.floor((marks - MARKS_AROUND_LIST) / 2)))
}

/** `{`, the name, `:`, `[`, `]` and `}`, minus the comma that the last record lacks. */
const MARKS_AROUND_LIST = 5

/** The limits of a bulk body: enough to name every invalid record of a list that is not too long. */
export function bulkBounds(kind: Kind) {
  return {
    depthMax: 32,
    marksMax: 4 * LIMITS.requests.recordsMax,
    // Several times the longest valid record in any spelling.
    stretchMax: 16 * 1024,
    list: {
      field: KINDS[kind].plural,
      lengthMax: LIMITS.requests.recordsMax,
      refuse: (length: string) => tooManyRecords(kind, length),
    },
  }
}

function tooManyRecords(kind: Kind, length: string): Problem {
  const pointer = `/${KINDS[kind].plural}`
  return new Problem('too_many_records', {
    detail: `${length} records were sent; one request takes at most ${LIMITS.requests.recordsMax}. Split the list.`,
    errors: [{ pointer, code: 'too_many_records', detail: `More than ${LIMITS.requests.recordsMax} records.` }],
  })
}

export function invalidRecords(kind: Kind, length: number, { count, first }: InvalidRecords): Problem {
  const more = count > first.length ? ` The first ${first.length} are listed.` : ''
  return new Problem('validation_failed', {
    detail: `${count} of ${length} records are not valid. Nothing was evaluated or charged.${more}`,
    errors: first.map(({ index, code, detail }) => ({ pointer: `/${KINDS[kind].plural}/${index}`, code, detail })),
  })
}

/** The one required field of a body, which allows no other. */
function onlyField(body: unknown, field: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    refuse({ pointer: '', code: 'wrong_type', detail: `The body must be a JSON object with the field "${field}".` })
  }
  const names = Object.keys(body)
  const unknown = names.filter((name) => name !== field)
  const errors: FieldError[] = unknown.slice(0, LIMITS.requests.errorsNamedMax).map((name) => ({
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
