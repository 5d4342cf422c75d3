import { isRecord } from '../../lib/json-text.ts'
import type { Indicators, Parser, Valued } from './indicators.ts'
import { dateInJson, dateOf } from './list-date.ts'
import { FeedRefused } from './report.ts'
import { eachLine, readJson } from './text.ts'

export interface JsonOptions {
  /** Names separated by dots, `*` for every element; several paths are allowed. Empty: the document itself. */
  readonly path?: string | readonly string[] | undefined
  /** Where the elements are objects: the field with the indicator; `@key` is the property name of the object itself. */
  readonly value?: string | undefined
  readonly first_seen?: string | undefined
  readonly last_seen?: string | undefined
}

export const parseJson: Parser<JsonOptions & Valued> = async (input, indicators, options) => {
  const document = await readJson(input)
  if (isRecord(document)) stateDate(document, indicators)
  const paths = typeof options.path === 'string' || options.path === undefined ? [options.path ?? ''] : options.path
  let found = false
  for (const path of paths) {
    for (const [key, element] of walk(document, path === '' ? [] : path.split('.'))) {
      found = true
      if (Array.isArray(element)) for (const item of element) takeElement('', item, options, indicators)
      else takeElement(key, element, options, indicators)
    }
  }
  if (!found)
    throw new FeedRefused(`The JSON document has nothing at ${paths.map((path) => `"${path}"`).join(' or ')}.`)
}

/** One JSON object per line, as Spamhaus publishes its DROP lists; `value` is the field with the indicator. */
export type JsonLinesOptions = Omit<JsonOptions, 'path' | 'value'> & { readonly value: string }

export const parseJsonLines: Parser<JsonLinesOptions & Valued> = (input, indicators, options) =>
  eachLine(input, indicators.report, (line) => {
    let object: unknown
    try {
      object = JSON.parse(line)
    } catch {
      return indicators.report.reject('not_an_indicator', line)
    }
    // The last line describes the list: its date, length and terms.
    if (isRecord(object) && object.type === 'metadata') return stateDate(object, indicators)
    takeElement('', object, options, indicators)
  })

/** A date in the document itself counts before that of its server. */
export function stateDate(document: Readonly<Record<string, unknown>>, { list }: Indicators): void {
  list.statedMs = dateInJson(document) ?? list.statedMs
}

function takeElement(key: string, element: unknown, options: JsonOptions & Valued, indicators: Indicators) {
  const { values } = options
  if (typeof element === 'string' || typeof element === 'number') return indicators.take(values, String(element).trim())
  if (!isRecord(element) || options.value === undefined)
    return indicators.report.reject('missing_field', JSON.stringify(element) ?? '')
  const value = options.value === '@key' ? key : element[options.value]
  if (typeof value !== 'string' && typeof value !== 'number')
    return indicators.report.reject('missing_field', JSON.stringify(element))
  const firstSeenMs = options.first_seen === undefined ? undefined : dateOf(element[options.first_seen])
  const lastSeenMs = options.last_seen === undefined ? undefined : dateOf(element[options.last_seen])
  indicators.take(values, String(value).trim(), { firstSeenMs, lastSeenMs })
}

function* walk(value: unknown, path: readonly string[], key = ''): Generator<[key: string, value: unknown]> {
  const [name, ...rest] = path
  if (name === undefined) {
    yield [key, value]
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (name === '*') for (const [child, inner] of Object.entries(value)) yield* walk(inner, rest, child)
  else if (Object.hasOwn(value, name)) yield* walk((value as Record<string, unknown>)[name], rest, name)
}
