import { CliError } from './context.ts'
import { harmless } from './terminal/paint.ts'

/** How a verb answers a program: `--json` prints all of an answer, `--field` one part of it. */
export interface AnswerOptions {
  readonly json?: boolean
  /** Names on the way to the part, with dots between them: `facts.registered.value`. */
  readonly field?: string
}

/** Undefined when a person reads. */
export function answerText(value: unknown, { json, field }: AnswerOptions): string | undefined {
  if (field !== undefined) return `${plain(partOf(value, field))}\n`
  return json ? `${JSON.stringify(value)}\n` : undefined
}

function partOf(value: unknown, field: string): unknown {
  let part = value
  for (const name of field.split('.')) {
    // What is not known is null, and so is everything below it.
    if (part === null) return null
    const names = typeof part === 'object' ? Object.keys(part as object) : []
    if (!names.includes(name)) {
      const known = names.length > 0 ? ` Fields there: ${names.join(', ')}.` : ''
      throw new CliError(`The answer has no field ${JSON.stringify(field)}.${known}`)
    }
    part = (part as Record<string, unknown>)[name]
  }
  return part
}

function plain(part: unknown): string {
  return typeof part === 'string' ? harmless(part) : JSON.stringify(part)
}
