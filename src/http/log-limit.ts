import Type from 'typebox'
import { Problem } from '../errors.ts'
import { LIMITS } from '../limits.ts'

export const LogLimit = Type.Optional(
  Type.Integer({
    $id: 'LogLimit',
    minimum: 1,
    maximum: LIMITS.pages.csvRowsMax,
    description: `On a page. As JSON: default ${LIMITS.pages.logRowsDefault}, at most ${LIMITS.pages.logRowsMax}. As CSV: default and at most ${LIMITS.pages.csvRowsMax}.`,
  }),
)

export function logLimit(wanted: number | undefined, asCsv: boolean): number {
  if (asCsv) return wanted ?? LIMITS.pages.csvRowsMax
  if (wanted !== undefined && wanted > LIMITS.pages.logRowsMax) {
    throw new Problem('invalid_query', { detail: `limit: at most ${LIMITS.pages.logRowsMax} entries on a page.` })
  }
  return wanted ?? LIMITS.pages.logRowsDefault
}
