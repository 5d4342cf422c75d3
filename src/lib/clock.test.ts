import { expect, it } from 'vitest'
import { iso, isoDay, isoOrNull } from './clock.ts'

it('writes a moment in UTC, with milliseconds', () => {
  expect(iso(0)).toBe('1970-01-01T00:00:00.000Z')
  expect(iso(Date.parse('2026-11-15T12:00:00+01:00'))).toBe('2026-11-15T11:00:00.000Z')
})

it('writes null for a moment that is not known, and the epoch for 0', () => {
  expect([isoOrNull(null), isoOrNull(undefined)]).toEqual([null, null])
  expect(isoOrNull(0)).toBe(iso(0))
})

it('a day begins at midnight UTC', () => {
  expect(isoDay(Date.parse('2026-11-14T23:59:59.999Z'))).toBe('2026-11-14')
  expect(isoDay(Date.parse('2026-11-15T00:00:00Z'))).toBe('2026-11-15')
})
