/** The date of a list as the list itself states it: in its name, in its head, or in its archive. */

/** A date before this is not the date of a list: a server, an archive or a row without a date gives such. */
export const LIST_MS_MIN = Date.parse('2000-01-01')

/** The facts about a document that its own text does not contain. */
export interface ListDocument {
  /** Identifies it among the documents of its feed. */
  readonly key?: string
  /** When its server says that it was changed; a date in the document itself counts before it. */
  readonly modifiedMs?: number | undefined
  /** When this copy was first found: its date if nothing else has one. */
  readonly foundMs?: number | undefined
  readonly sha256?: string | undefined
}

/** The dates of one document while it is read. */
export interface ListDate {
  readonly document: ListDocument
  /** The date that the document states about itself, or its server about it; undefined if neither does. */
  statedMs: number | undefined
  /** The date of its newest row; undefined if its rows have none. */
  newestRowMs: number | undefined
}

/** Notes the date of a row. A future date is a publisher's wrong clock and says nothing. */
export function noteRow(list: ListDate, seenMs: number | undefined, nowMs: number): void {
  if (seenMs === undefined || seenMs < LIST_MS_MIN || seenMs > nowMs) return
  list.newestRowMs = Math.max(list.newestRowMs ?? 0, seenMs)
}

/** A day such as `2026-11-14`, `2026_11_14` or `20261114` in a name of a file or folder. */
export function dayInName(name: string): number | undefined {
  // WhoisDS writes `2026-11-14.zip` into its addresses as base64.
  const decoded = Buffer.from(name, 'base64').toString('latin1')
  const match = DAY.exec(name) ?? DAY.exec(/^[\d-]{10}\.zip$/.test(decoded) ? decoded : '')
  return match ? dayOf(match[1], match[2], match[3]) : undefined
}

const DAY = /(?<!\d)(20\d\d)[-_.]?([01]\d)[-_.]?([0-3]\d)(?!\d)/

/** The newest date in a comment at the head that says when the list was made. */
export function dayInHead(head: string): number | undefined {
  let newest: number | undefined
  for (const line of head.split(/[\r\n]+/)) {
    if (!/^\s*(?:[#;!]|\/\/)/.test(line) || !SAYS_WHEN.test(line)) continue
    const day = dayIn(line)
    if (day !== undefined) newest = Math.max(newest ?? 0, day)
  }
  return newest
}

const SAYS_WHEN = /updat|modif|generat|compil|refresh|publish|date|as of|version/i

/** `2026-05-31`, `2026/05/31`, `31 May 2026` or `May 31 02:21:05 UTC 2026`. */
function dayIn(text: string): number | undefined {
  const [, year, month, day] = /(20\d\d)[-/.](\d\d)[-/.](\d\d)/.exec(text) ?? []
  if (year !== undefined) return dayOf(year, month, day)
  const before = /(\d{1,2})[ -]([A-Z][a-z]{2})[a-z]*[ -](20\d\d)/.exec(text)
  if (before) return dayOf(before[3], monthOf(before[2]), before[1])
  const after = /([A-Z][a-z]{2})[a-z]* +(\d{1,2})\b.*?(20\d\d)/.exec(text)
  return after ? dayOf(after[3], monthOf(after[1]), after[2]) : undefined
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function monthOf(name = ''): number {
  return MONTHS.indexOf(name) + 1
}

function dayOf(year: unknown, month: unknown, day: unknown): number | undefined {
  const midnight = dateOf(`${year}-${month}-${day}`) ?? 0
  return midnight >= LIST_MS_MIN ? midnight : undefined
}

/** Milliseconds of an ISO or slashed date (UTC by default) or of a Unix time; undefined for anything else. */
export function dateOf(value: unknown): number | undefined {
  if (typeof value === 'number') return unixMs(value)
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const text = value.trim()
  if (/^\d{9,13}(\.\d+)?$/.test(text)) return unixMs(Number(text))
  const match = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?)?/.exec(text)
  if (!match) return undefined
  if (/[zZ]$|[+-]\d{2}:?\d{2}$/.test(text)) {
    const exact = Date.parse(text)
    if (!Number.isNaN(exact)) return exact
  }
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = match
  const midnight = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  // The 31st of a month with 30 days would become the first of the next.
  if (midnight.getUTCMonth() !== Number(month) - 1 || midnight.getUTCDate() !== Number(day)) return undefined
  return midnight.getTime() + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000
}

function unixMs(value: number): number | undefined {
  if (!Number.isFinite(value) || value <= 0) return undefined
  return value > 1e11 ? value : value * 1000
}

/** The date in a JSON document's own fields: `"version": 20260520`, `"updated_at": "2026-05-31"`, or below `meta`. */
export function dateInJson(document: Readonly<Record<string, unknown>>): number | undefined {
  let newest: number | undefined
  for (const [name, value] of Object.entries(document)) {
    let dateMs: number | undefined
    if (/^meta(data)?$/i.test(name) && typeof value === 'object' && value !== null) dateMs = dateInJson({ ...value })
    else if (JSON_DATES.test(name)) dateMs = dateOfField(value)
    if (dateMs !== undefined) newest = Math.max(newest ?? 0, dateMs)
  }
  return newest
}

const JSON_DATES =
  /^(version|t|date|time|timestamp|(last[_-]?)?(updated?|modified|generated|refreshed|published)([_-]?(at|on|date|time))?)$/i

function dateOfField(value: unknown): number | undefined {
  const text = String(value)
  const [, year, month, day] = /^(20\d\d)(\d\d)(\d\d)$/.exec(text) ?? []
  if (year !== undefined) return dayOf(year, month, day)
  const unix = /^\d{10}(\d{3})?$/.test(text) ? Number(text) * (text.length === 10 ? 1000 : 1) : Number.NaN
  const dateMs = Number.isNaN(unix) && typeof value === 'string' ? (dayIn(value) ?? Number.NaN) : unix
  return dateMs >= LIST_MS_MIN ? dateMs : undefined
}
