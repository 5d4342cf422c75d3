import { DAY_MS } from '../../lib/clock.ts'
import type { Registration } from '../facts.ts'

/** Parses an RDAP answer about a domain (RFC 9083). Strangers wrote it: all of it is validated and limited. */
const DEPTH_MAX = 3
const LIST_MAX = 100
const STATUSES_MAX = 20
const STATUS_LENGTH_MAX = 60
const REGISTRAR_LENGTH_MAX = 200

/** No registry stored dates before the DNS existed; typing errors and `9999-12-31` lie outside. */
const EARLIEST_MS = Date.UTC(1980, 0)
const AHEAD_MAX_MS = 100 * 365 * DAY_MS
/** A registry's clock or time zone may be wrong by this much. */
const CLOCK_ERROR_MS = 2 * DAY_MS

/** The facts in an answer; undefined if it is not an answer about this name. */
export function readRegistration(
  answer: unknown,
  { name, server, nowMs }: { readonly name: string; readonly server: string; readonly nowMs: number },
): Registration | undefined {
  const about = text(field(answer, 'ldhName'))?.toLowerCase().replace(/\.$/, '')
  if (about !== name) return undefined
  const events = list(field(answer, 'events'))
  const registeredMs = eventMs(events, 'registration', nowMs, CLOCK_ERROR_MS)
  const changedMs = eventMs(events, 'last changed', nowMs, CLOCK_ERROR_MS)
  const expiresMs = eventMs(events, 'expiration', nowMs, AHEAD_MAX_MS)
  const registrar = findRegistrar(list(field(answer, 'entities')), DEPTH_MAX)
  const signed = field(field(answer, 'secureDNS'), 'delegationSigned')
  return {
    found: true,
    ...(registeredMs !== undefined && { registeredMs }),
    ...(changedMs !== undefined && { changedMs }),
    ...(expiresMs !== undefined && { expiresMs }),
    ...(registrar !== undefined && { registrar }),
    statuses: readStatuses(field(answer, 'status')),
    ...(typeof signed === 'boolean' && { signed }),
    server,
  }
}

function eventMs(events: readonly unknown[], action: string, nowMs: number, aheadMaxMs: number): number | undefined {
  for (const event of events) {
    if (text(field(event, 'eventAction'))?.toLowerCase() !== action) continue
    const timeMs = parseTime(text(field(event, 'eventDate')) ?? '')
    if (timeMs !== undefined && timeMs >= EARLIEST_MS && timeMs <= nowMs + aheadMaxMs) return timeMs
  }
  return undefined
}

const YEAR_FIRST = /^(\d{4})([-/.]?)(\d{2})\2(\d{2})(?:[T ]+(\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?)?\s*(\S*)$/i
const MONTH_BY_NAME = /^(\d{1,2})[- ]([a-z]{3})[- ](\d{4})$/i
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const ZONE = /^([+-])(\d{2}):?(\d{2})?$/
const ZONE_MINUTES_MAX = 14 * 60

/** RFC 3339, or without time, zone (UTC), T or separators, or `14-Aug-1995`; no form with an ambiguous month. */
export function parseTime(written: string): number | undefined {
  const trimmed = written.length > 64 ? '' : written.trim()
  const named = MONTH_BY_NAME.exec(trimmed)
  if (named) {
    const [, day, month = '', year] = named
    return moment(Number(year), MONTHS.indexOf(month.toLowerCase()), Number(day), 0, 0, 0)
  }
  const found = YEAR_FIRST.exec(trimmed)
  if (!found) return undefined
  const [, year, , month, day, hour = '0', minute = '0', second = '0', zone = ''] = found
  const offsetMinutes = zoneMinutes(zone)
  if (offsetMinutes === undefined) return undefined
  const local = moment(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    // Every clock here treats a leap second as the last second of its minute.
    Math.min(Number(second), 59),
  )
  return local === undefined ? undefined : local - offsetMinutes * 60_000
}

function moment(year: number, month: number, day: number, hour: number, minute: number, second: number) {
  const date = new Date(Date.UTC(year, month, day, hour, minute, second))
  const isReal =
    // Date maps the years 0 to 99 to the twentieth century.
    date.getUTCFullYear() === year &&
    date.getUTCMonth() === month &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute
  return isReal ? date.getTime() : undefined
}

function zoneMinutes(zone: string): number | undefined {
  if (/^(z|utc|gmt)?$/i.test(zone)) return 0
  const found = ZONE.exec(zone)
  if (!found) return undefined
  const minutes = Number(found[2]) * 60 + Number(found[3] ?? 0)
  if (minutes > ZONE_MINUTES_MAX) return undefined
  return found[1] === '-' ? -minutes : minutes
}

function findRegistrar(entities: readonly unknown[], depthLeft: number): string | undefined {
  if (depthLeft === 0) return undefined
  for (const entity of entities) {
    const isRegistrar = list(field(entity, 'roles')).some((role) => text(role)?.toLowerCase() === 'registrar')
    const found =
      (isRegistrar ? nameOf(entity) : undefined) ?? findRegistrar(list(field(entity, 'entities')), depthLeft - 1)
    if (found !== undefined) return found
  }
  return undefined
}

function nameOf(entity: unknown): string | undefined {
  const properties = list(list(field(entity, 'vcardArray'))[1]).map(list)
  for (const wanted of ['fn', 'org']) {
    for (const [property, , , value] of properties) {
      if (text(property)?.toLowerCase() !== wanted) continue
      // An organisation with departments is a list, the organisation first.
      const name = cleanText(text(value) ?? text(list(value)[0]) ?? '', REGISTRAR_LENGTH_MAX)
      if (name !== '') return name
    }
  }
  for (const id of list(field(entity, 'publicIds'))) {
    const number = text(field(id, 'identifier')) ?? ''
    if (/^iana registrar id$/i.test(text(field(id, 'type')) ?? '') && /^\d{1,6}$/.test(number)) {
      return `IANA registrar ${number}`
    }
  }
  return undefined
}

/** Some servers write EPP's `clientHold` where RDAP says `client hold`. */
function readStatuses(value: unknown): string[] {
  const statuses = list(value).map((status) =>
    cleanText(text(status) ?? '', STATUS_LENGTH_MAX)
      .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
      .toLowerCase(),
  )
  return [...new Set(statuses)].filter((status) => status !== '').slice(0, STATUSES_MAX)
}

/** One line without characters that control a terminal, hide text, or change the reading direction. */
function cleanText(raw: string, lengthMax: number): string {
  const line = raw
    .slice(0, 4 * lengthMax)
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Co}]+/gu, '')
    .trim()
  // Cutting may have left half of a character.
  return line
    .slice(0, lengthMax)
    .replace(/\p{Cs}/gu, '')
    .trim()
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, LIST_MAX) : []
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

const KEEP_SETTLED_MS = 30 * DAY_MS
const KEEP_UNKNOWN_AGE_MS = 7 * DAY_MS
const KEEP_CHANGING_MS = DAY_MS

/** How long facts about a registered name may be cached: long where no change is near. */
export function keepMs({ registeredMs, expiresMs, statuses }: Registration, nowMs: number): number {
  const endsSoon = expiresMs !== undefined && expiresMs < nowMs + 30 * DAY_MS
  if (endsSoon || statuses.some((status) => /hold|pending|redemption/.test(status))) return KEEP_CHANGING_MS
  if (registeredMs === undefined) return KEEP_UNKNOWN_AGE_MS
  return registeredMs < nowMs - 365 * DAY_MS ? KEEP_SETTLED_MS : KEEP_CHANGING_MS
}
