import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DAY_MS, isoDay } from '../lib/clock.ts'
import { isRecord } from '../lib/json-text.ts'
import { TAG_NAMES } from '../snapshot/format.ts'
import { TAGS, type Tag } from '../snapshot/types.ts'
import type { AsnTableOptions } from './parse/asn.ts'
import type { CsvOptions } from './parse/csv.ts'
import { VALUE_KINDS, type ValueKind } from './parse/indicators.ts'
import type { JsonLinesOptions, JsonOptions } from './parse/json.ts'
import { LIST_MS_MIN } from './parse/list-date.ts'
import type { CountsOptions } from './parse/lists.ts'
import type { MmdbOptions } from './parse/mmdb.ts'
import { FEED_KINDS } from './parse/report.ts'

/** The catalogue of feeds: `feeds.json` in the form below, validated as a whole before anything is fetched. */

export type FeedFormat =
  | { readonly type: 'list' | 'netset'; readonly values: ValueKind; readonly strip_www?: boolean | undefined }
  | { readonly type: 'hosts' }
  | ({ readonly type: 'csv'; readonly values: ValueKind; readonly strip_www?: boolean | undefined } & CsvOptions)
  | ({ readonly type: 'counts'; readonly values: ValueKind } & CountsOptions)
  | ({ readonly type: 'json'; readonly values: ValueKind } & JsonOptions)
  | ({ readonly type: 'json-lines'; readonly values: ValueKind } & JsonLinesOptions)
  | { readonly type: 'misp-warninglist' }
  | { readonly type: 'misp-feed'; readonly events_max?: number | undefined }
  | { readonly type: 'stix' }
  | { readonly type: 'taxii'; readonly pages_max?: number | undefined }
  | { readonly type: 'maltrail'; readonly prefixes?: boolean | undefined }
  | ({ readonly type: 'mmdb' } & MmdbOptions)
  | ({ readonly type: 'asn-table' } & AsnTableOptions)

export type Feed = Readonly<Extract<ReturnType<typeof checkFeed>, { readonly feed: unknown }>['feed']>

export class CatalogueInvalid extends Error {
  readonly problems: readonly string[]
  constructor(file: string, problems: readonly string[]) {
    super(`The catalogue ${file} is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.name = 'CatalogueInvalid'
    this.problems = problems
  }
}

export function readCatalogue(file: string): Feed[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw new CatalogueInvalid(file, [`It cannot be read (${(cause as Error).message}).`])
  }
  const copies = parseCopies(text, file)
  return copies ? copiesOf(copies, file) : parseCatalogue(text, file)
}

// A catalogue of copies in a folder: `{ "catalogue": "../feeds.json", "files": { "feed-id": "path" } }`. It only says
// where the copies are; everything else about them comes from the catalogue of feeds.
interface Copies {
  readonly catalogue: string
  readonly files: Readonly<Record<string, unknown>>
}

function parseCopies(text: string, file: string): Copies | undefined {
  const document = parseDocument(text, file)
  if (!isRecord(document) || !('files' in document)) return undefined
  const { catalogue, files, ...others } = document
  if (typeof catalogue !== 'string' || !isRecord(files) || Object.keys(others).length > 0) {
    throw new CatalogueInvalid(file, ['It needs the form { "catalogue": "feeds.json", "files": { "id": "path" } }.'])
  }
  return { catalogue, files }
}

/** The feeds that have a copy, all switched on: a listed copy is meant to be read. */
function copiesOf({ catalogue, files }: Copies, file: string): Feed[] {
  const feeds = new Map(readCatalogue(resolve(dirname(file), catalogue)).map((feed) => [feed.id, feed]))
  const problems: string[] = []
  const found: Feed[] = []
  for (const [id, paths] of Object.entries(files)) {
    const feed = feeds.get(id)
    const address = Array.isArray(paths) ? paths : [paths]
    if (!feed) problems.push(`feed ${id}: ${catalogue} has no such feed`)
    else if (address.length === 0 || !address.every((path) => typeof path === 'string' && isRelativePath(path))) {
      problems.push(`feed ${id}: its files must be relative paths`)
    } else found.push({ ...feed, address, enabled: true, headers: {}, key: undefined, sha256_address: undefined })
  }
  if (problems.length > 0) throw new CatalogueInvalid(file, problems)
  return found
}

function isRelativePath(path: string): boolean {
  return addressProblem(path) === undefined && !path.startsWith('https:') && !path.startsWith('file:')
}

function parseDocument(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new CatalogueInvalid(file, [`It is not valid JSON: ${(cause as Error).message}.`])
  }
}

export function parseCatalogue(text: string, file = 'given'): Feed[] {
  const document = parseDocument(text, file)
  const list = isRecord(document) ? document.feeds : undefined
  if (!Array.isArray(list)) throw new CatalogueInvalid(file, ['It needs the form { "feeds": [ … ] }.'])
  const problems: string[] = []
  const feeds: Feed[] = []
  const ids = new Set<string>()
  for (const [i, entry] of list.entries()) {
    const where = isRecord(entry) && typeof entry.id === 'string' ? `feed ${entry.id}` : `feed number ${i + 1}`
    const checked = checkFeed(entry)
    if ('problems' in checked) problems.push(...checked.problems.map((problem) => `${where}: ${problem}`))
    else if (ids.has(checked.feed.id)) problems.push(`${where}: another feed has this id`)
    else {
      ids.add(checked.feed.id)
      feeds.push(checked.feed)
    }
  }
  if (problems.length > 0) throw new CatalogueInvalid(file, problems)
  return feeds
}

export const KEY_PLACE = '{key}'
/** The placeholder for the day in a publisher's file names. It is the day before: today's file is not complete yet. */
const DAY_PLACE = '{day}'

export function addressesOn(feed: Pick<Feed, 'address'>, nowMs: number): string[] {
  return feed.address.map((address) => address.replaceAll(DAY_PLACE, isoDay(nowMs - DAY_MS)))
}

/** A name does not count as newly registered for longer. */
const NEW_DAYS_MAX = 30

/** True if a list's statement about an entry remains valid after the entry left the list. */
function outlastsItsList(tag: Tag): boolean {
  return TAGS[tag] === 'threat' || tag === 'newly_registered'
}

export function checkFeed(entry: unknown) {
  if (!isRecord(entry)) return { problems: ['it is not an object'] }
  const problems: string[] = []
  const wrong = (field: string, expected: string) => problems.push(`"${field}" must be ${expected}`)

  const text = (field: string, lengthMax = 200): string => {
    const value = entry[field]
    if (typeof value === 'string' && value.trim() !== '' && value.length <= lengthMax) return value
    wrong(field, `a text of 1 to ${lengthMax} characters`)
    return ''
  }
  const number = (field: string, min: number, max: number): number => {
    const value = entry[field]
    if (typeof value === 'number' && value >= min && value <= max) return value
    wrong(field, `a number from ${min} to ${max}`)
    return min
  }
  const maybe = <T>(field: string, read: () => T): T | undefined =>
    entry[field] === undefined || entry[field] === null ? undefined : read()
  const flag = (field: string): boolean => {
    if (typeof entry[field] === 'boolean') return entry[field]
    wrong(field, 'true or false')
    return false
  }
  const listOf = <T extends string>(field: string, allowed: readonly T[], emptyAllowed: boolean): readonly T[] => {
    const value = entry[field]
    if (Array.isArray(value) && (emptyAllowed || value.length > 0) && value.every((item) => allowed.includes(item))) {
      return value
    }
    wrong(field, `a list of ${allowed.join(', ')}`)
    return []
  }

  const id = text('id', 64)
  if (id !== '' && !/^[a-z0-9][a-z0-9-]*$/.test(id)) wrong('id', 'lower-case letters, digits and hyphens')
  const addresses = Array.isArray(entry.address) ? entry.address : [entry.address]
  const address = addresses.filter((item): item is string => typeof item === 'string' && item !== '')
  if (address.length === 0 || address.length !== addresses.length) wrong('address', 'an address or a list of addresses')
  for (const item of address) {
    const problem = addressProblem(item)
    if (problem) problems.push(`the address ${item} ${problem}`)
  }
  const kinds = listOf('kinds', FEED_KINDS, false)
  const tags = listOf('tags', TAG_NAMES, kinds.includes('asn_range'))
  const format = checkFormat(entry.format, problems)
  const headers = maybe('headers', () => {
    const value = entry.headers
    if (isRecord(value) && Object.values(value).every((item) => typeof item === 'string')) {
      return value as Record<string, string>
    }
    wrong('headers', 'an object of texts')
    return {}
  })
  const key = maybe('key', () => text('key', 64))
  if (key !== undefined && !/^ASSAY_FEED_KEY_[A-Z0-9_]+$/.test(key)) {
    wrong('key', 'the name of an environment variable that begins with ASSAY_FEED_KEY_')
  }
  const placed = [...address, ...Object.values(headers ?? {})].some((item) => item.includes(KEY_PLACE))
  if (placed !== (key !== undefined)) problems.push(`"key" and ${KEY_PLACE} in an address or header need each other`)
  const replaces = typeof entry.replaces === 'string' ? [entry.replaces] : (entry.replaces ?? [])
  if (!isTexts(replaces)) wrong('replaces', 'the id of a bundled source, or a list of ids')
  const asOf = maybe('as_of', () => text('as_of', 10))
  if (asOf !== undefined && Number.isNaN(Date.parse(asOf))) wrong('as_of', 'a date such as 2026-05-31')
  const expiry = maybe('expiry_days', () => number('expiry_days', 0.1, 36_500))
  if (tags.includes('newly_registered') && !(expiry !== undefined && expiry <= NEW_DAYS_MAX)) {
    wrong('expiry_days', `at most ${NEW_DAYS_MAX} for newly registered names`)
  }
  const feed = {
    id,
    name: text('name'),
    /** `https:` or `file:`, or paths below `--from`. Paths may contain `*`, addresses `{day}` for the day before. */
    address,
    format: format ?? ({ type: 'hosts' } satisfies FeedFormat),
    kinds,
    /** Every row is evidence of each of these tags, unless the row says otherwise. Empty only for AS ranges. */
    tags,
    confidence: number('confidence', 0, 1),
    half_life_days: maybe('half_life_days', () => number('half_life_days', 0.1, 36_500)),
    expiry_days: expiry,
    licence: text('licence'),
    commercial_use: flag('commercial_use'),
    refresh_hours: number('refresh_hours', 0.1, 24 * 366),
    enabled: flag('enabled'),
    /** Feeds that copy from one another share an origin and do not corroborate each other. */
    origin: maybe('origin', () => text('origin', 64)),
    /** The date of a copy that does not change; absent: the list states its date, or its server or its rows have one. */
    as_of: asOf,
    /** True if rows that left the feed stay until they expire. */
    retain:
      maybe('retain', () => flag('retain')) ?? (tags.length > 0 && tags.every(outlastsItsList) && expiry !== undefined),
    /** True if a list without entries is valid. Other feeds fail then, because an empty list is usually broken. */
    may_be_empty: maybe('may_be_empty', () => flag('may_be_empty')) ?? false,
    /** The address of the publisher's SHA-256 of the file, as hex with or without a name after it. */
    sha256_address: maybe('sha256_address', () => text('sha256_address', 2000)),
    /** Sent with each request, for collections that require credentials. */
    headers: headers ?? {},
    /** The environment variable that replaces `{key}` and is never stored or shown. Without its value the feed is off. */
    key,
    replaces: isTexts(replaces) ? replaces : [],
    /** A note for the operator: why the feed is off, or that it is no longer maintained. */
    note: maybe('note', () => text('note', 500)),
  }
  for (const field of Object.keys(entry))
    if (!Object.hasOwn(feed, field)) problems.push(`"${field}" is not a field of a feed`)
  return problems.length > 0 ? { problems } : { feed }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '')
}

function addressProblem(address: string): string | undefined {
  if (/^(https:\/\/|file:)/.test(address)) return URL.canParse(address) ? undefined : 'is not a valid URL'
  if (/^[a-z][a-z0-9+.-]*:/i.test(address)) return 'must begin with https: or file:, or be a relative path'
  if (address.startsWith('/') || address.startsWith('\\')) return 'must be a relative path, or begin with file:'
  if (address.split(/[/\\]/).includes('..')) return 'must not leave its folder with ..'
  return undefined
}

const FORMAT_FIELDS: Readonly<Record<FeedFormat['type'], readonly string[]>> = {
  list: ['values', 'strip_www'],
  netset: ['values', 'strip_www'],
  hosts: [],
  csv: ['values', 'strip_www', 'delimiter', 'header', 'columns', 'tag_values'],
  counts: ['values', 'min', 'per_list'],
  json: ['values', 'path', 'value', 'first_seen', 'last_seen'],
  'json-lines': ['values', 'value', 'first_seen', 'last_seen'],
  'misp-warninglist': [],
  'misp-feed': ['events_max'],
  stix: [],
  taxii: ['pages_max'],
  maltrail: ['prefixes'],
  mmdb: ['asn', 'asn_name', 'where'],
  'asn-table': ['delimiter', 'name_column', 'country_column'],
}

function checkFormat(format: unknown, problems: string[]): FeedFormat | undefined {
  if (!isRecord(format) || typeof format.type !== 'string' || !Object.hasOwn(FORMAT_FIELDS, format.type)) {
    problems.push(`"format" must be an object whose "type" is one of ${Object.keys(FORMAT_FIELDS).join(', ')}`)
    return undefined
  }
  const fields = FORMAT_FIELDS[format.type as FeedFormat['type']]
  for (const field of Object.keys(format)) {
    if (field !== 'type' && !fields.includes(field))
      problems.push(`"format.${field}" is not an option of ${format.type}`)
  }
  if (fields.includes('values') && !VALUE_KINDS.includes(format.values as ValueKind)) {
    problems.push(`"format.values" must be one of ${VALUE_KINDS.join(', ')}`)
  }
  if (format.type === 'json-lines' && typeof format.value !== 'string') {
    problems.push('"format.value" must be the name of the field with the indicator')
  }
  if (format.type === 'csv') {
    const columns = format.columns
    const place = (value: unknown) => typeof value === 'string' || (Number.isInteger(value) && Number(value) >= 0)
    if (!isRecord(columns) || !place(columns.value)) {
      problems.push('"format.columns.value" must be the name or number of the column with the indicator')
    } else if (format.header !== true && Object.values(columns).some((value) => typeof value === 'string')) {
      problems.push('"format.columns" may use names only where "format.header" is true')
    }
    if (isRecord(format.tag_values)) {
      for (const tag of Object.values(format.tag_values)) {
        if (!TAG_NAMES.includes(tag as Tag)) problems.push(`"format.tag_values" names the unknown tag ${String(tag)}`)
      }
    }
  }
  return format as unknown as FeedFormat
}

/** The date of a copy: the day in the catalogue, else the newest date of its documents, else the time of the fetch. */
export function asOfMs(
  feed: Pick<Feed, 'as_of'>,
  fetchedAtMs: number,
  documents: Iterable<{ readonly as_of?: string; readonly last_modified?: string }> = [],
): number {
  if (feed.as_of !== undefined) return Math.min(fetchedAtMs, Date.parse(feed.as_of))
  let newest = Number.NEGATIVE_INFINITY
  for (const { last_modified, as_of } of documents)
    newest = Math.max(newest, Date.parse(as_of ?? last_modified ?? '') || 0)
  return newest < LIST_MS_MIN ? fetchedAtMs : Math.min(fetchedAtMs, newest)
}

export function expiryMs(feed: Feed): number {
  return feed.expiry_days === undefined ? Number.POSITIVE_INFINITY : feed.expiry_days * DAY_MS
}
