import Type from 'typebox'
import { Problem } from '../errors.ts'

/** A point in time as a query parameter: a day, or a time with its zone. */
export const Moment = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,3})?)?(Z|[+-]\\d{2}:\\d{2}))?$',
      description: `${description} A day (UTC midnight) or an RFC 3339 time.`,
      examples: ['2026-03-01', '2026-03-01T09:00:00Z'],
    }),
  )

/** A time in milliseconds; 400 for an invalid one, such as the 32nd of a month. */
export function momentOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const timeMs = Date.parse(text)
  if (Number.isFinite(timeMs)) return timeMs
  throw new Problem('invalid_query', { detail: `${name} is not a time of the calendar.` })
}
