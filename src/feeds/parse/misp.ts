import { isRecord } from '../../lib/json-text.ts'
import type { Parser, ValueKind } from './indicators.ts'
import { stateDate } from './json.ts'
import { dateOf } from './list-date.ts'
import { FeedRefused } from './report.ts'
import { readJson } from './text.ts'

/** MISP warning lists: `{ name, type, list: [] }`, names with or without a leading dot, prefixes, addresses. */
export const parseMispWarningList: Parser = async (input, indicators) => {
  const document = await readJson(input)
  if (!isRecord(document) || !Array.isArray(document.list)) {
    throw new FeedRefused('It is not a MISP warning list: it has no "list".')
  }
  stateDate(document, indicators)
  for (const item of document.list) {
    if (typeof item !== 'string') indicators.report.reject('missing_field', JSON.stringify(item))
    // Some lists contain URLs without scheme; a path there names a page, not a host.
    else if (document.type === 'cidr') indicators.ip(item.trim())
    else indicators.any(item.trim())
  }
}

/** The types of attributes that are indicators, by kind. */
const ATTRIBUTES: Readonly<Record<Exclude<ValueKind, 'any'>, string>> = {
  domain: 'domain hostname hostname|port domain|ip',
  url: 'url uri link',
  ip: 'ip-src ip-dst ip-src|port ip-dst|port',
  email: 'email email-src email-dst email-reply-to',
  asn: 'AS',
}
const KIND_OF = new Map(
  Object.entries(ATTRIBUTES).flatMap(([kind, types]) => types.split(' ').map((type) => [type, kind as ValueKind])),
)

/** One event of a MISP feed. Only attributes marked for detection (`to_ids`) are indicators; the rest is context. */
export const parseMispEvent: Parser = async (input, indicators) => {
  const document = await readJson(input)
  const event = isRecord(document) ? document.Event : undefined
  if (!isRecord(event)) throw new FeedRefused('It is not a MISP event: it has no "Event".')
  const eventDate = dateOf(event.date)
  const objects = Array.isArray(event.Object) ? event.Object : []
  const lists = [event.Attribute, ...objects.map((object) => (isRecord(object) ? object.Attribute : undefined))]
  for (const attribute of lists.flatMap((list) => (Array.isArray(list) ? list : []))) {
    if (!isRecord(attribute) || attribute.to_ids !== true || attribute.deleted === true) continue
    const kind = KIND_OF.get(String(attribute.type))
    if (!kind) continue
    if (typeof attribute.value !== 'string') {
      indicators.report.reject('missing_field', JSON.stringify(attribute))
      continue
    }
    const firstSeenMs = dateOf(attribute.first_seen) ?? eventDate
    const lastSeenMs = dateOf(attribute.last_seen) ?? dateOf(Number(attribute.timestamp)) ?? eventDate
    indicators.take(kind, attribute.value.split('|', 1)[0]!.trim(), { firstSeenMs, lastSeenMs })
  }
}

export function mispManifestEvents(manifest: unknown, eventsMax: number): string[] {
  if (!isRecord(manifest)) throw new FeedRefused('It is not the manifest of a MISP feed.')
  const events = Object.entries(manifest).filter(([id]) => /^[0-9a-f-]{36}$/i.test(id))
  if (events.length === 0) throw new FeedRefused('The manifest of the MISP feed names no events.')
  const time = (entry: unknown) => (isRecord(entry) ? Number(entry.timestamp) || 0 : 0)
  return events
    .sort((a, b) => time(b[1]) - time(a[1]))
    .slice(0, eventsMax)
    .map(([id]) => id)
}
