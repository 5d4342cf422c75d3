import { createCsvReader, type Row, type RowReader } from './csv.ts'
import { findIndicators } from './find.ts'
import type { Indicator } from './indicator.ts'
import { counted, Tally } from './tally.ts'
import { readToken, refang } from './token.ts'
import { isIpv4, isIpv6 } from './valid.ts'

/**
 * Reads logs of firewalls, servers and sensors: lines with addresses in them, with or without names of fields. A log
 * becomes a table of its distinct indicators: how often each occurs, and on which side of the traffic.
 */

type Direction = 'source' | 'destination' | ''

interface Finding {
  readonly indicator: Indicator
  readonly direction: Direction
}

type Field = readonly [name: string, value: string]

const LINE_LENGTH_MAX = 65_536
const FOUND_IN_LINE_MAX = 200

const SOURCE = /\b(?:src|source|saddr|shost|sender|client|c-ip|remote|from\b|rhost|orig|attacker|ip_?address|quell)/gi
const DESTINATION = /\b(?:hier_\w+\/|\w+_parent\/|dst|dest|daddr|dhost|target|s-ip|resp|to\b|recipient|ziel)/gi
/** A field whose value is a host. Elsewhere a word with dots in it may be a program, a file or a version. */
const OF_HOST =
  /(?:host|hostname|domain|query|(?:query_?|question\.|q|rr|server_?)name|sni|fqdn|(?:^|[._-])ur[il]|referr?er)$/i

/** `1.2.3.4.443 > ` has its port behind a dot. */
const PORT = '(?=\\.\\d{1,5}(?: >|: ))'
// `Chrome/1.2.3.4` is a version, but a proxy writes `HIER_DIRECT/1.2.3.4`. A link in brackets or behind a plus is in the
// name of a program, and one behind `xmlns=` is in the head of every event of Windows.
const IPV4 = `(?<![\\w.@-]|(?<!_direct|_parent)(?<=[a-z])/)(?<v4>\\d{1,3}(?:\\.\\d{1,3}){3})(?:(?![\\w-]|\\.\\w)|${PORT})`
const IPV6 = `(?<![\\w:.])(?<v6>(?:[\\da-f]{0,4}:){2,7}(?:\\d{1,3}(?:\\.\\d{1,3}){3}|[\\da-f]{0,4}))(?:(?![\\w:]|\\.\\w)|${PORT})`
const EMAIL = "(?<![\\w.+-])(?<email>[\\w.+'-]{1,64}@[\\w.-]{1,253}\\.[a-z]{2,63})\\b"
const LINK = '(?<![+(;]|; |xmlns=["\'])(?<link>\\bhttps?://[^\\s"\'<>\\\\]{1,2000})'
/** Names that a proxy was asked for (`CONNECT name:443`), or a server of names (`query[A] name`). */
const ASKED =
  '(?<=\\b(?:connect|query(?:\\[\\w{1,9}\\])?:?) )(?<name>[\\w-]{1,63}(?:\\.[\\w-]{1,63}){1,9}(?::\\d{1,5})?)'
const FOUND = new RegExp([LINK, EMAIL, IPV4, IPV6, ASKED].join('|'), 'gi')
/** `name=value` and `name="value"`. */
const NAMED = /(?<![\w.-])([\w.-]{1,40})=(?:"([^"]{1,2000})"|([^\s",;]{1,2000}))/g

/** The indicators of one line in their order. Never throws. */
export function findInLogLine(line: string): Finding[] {
  const text = /\[[.:@d]|hxx/i.test(line) ? refang(line.slice(0, LINE_LENGTH_MAX)) : line.slice(0, LINE_LENGTH_MAX)
  return findIn(fieldsOf(text) ?? [['', text]]).slice(0, FOUND_IN_LINE_MAX)
}

/** The named values of a line in JSON; undefined for any other line. */
function fieldsOf(line: string): Field[] | undefined {
  const start = line.search(/\{\s*"/)
  if (start < 0 || !line.trimEnd().endsWith('}')) return undefined
  try {
    return leavesOf(JSON.parse(line.slice(start)))
  } catch {
    return undefined
  }
}

const DEPTH_MAX = 12

function leavesOf(value: unknown, name = '', depth = 0): Field[] {
  if (typeof value === 'string') return [[name, value]]
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return []
  const inner = (key: string) => (Array.isArray(value) ? name : `${name}.${key}`)
  return Object.entries(value).flatMap(([key, one]) => leavesOf(one, inner(key), depth + 1))
}

function findIn(fields: readonly Field[]): Finding[] {
  return fields.flatMap(([name, value]) => {
    if (name === '') return findInText(value)
    const direction = directionOf(name)
    const found = findInText(value, true).map((one) => ({ ...one, direction: direction || one.direction }))
    return found.length > 0 || !OF_HOST.test(name) ? found : hostIn(value, direction)
  })
}

/** A name of a field and its value stand within this many characters. */
const LABEL_LENGTH_MAX = 48
/** Between the two sides of a packet: `1.2.3.4,5.6.7.8`, `1.2.3.4 5.6.7.8`, `1.2.3.4:443 -> 5.6.7.8:5022`. */
const TO = /^(?:[, \t]|(?:[:.]\d{1,5})? ?-?> ?)$/
/** Behind the client in the log of a web server, or of a proxy. */
const BEHIND_CLIENT = /^ (?:\S+ \S+ \[\d|(?:TCP|UDP|NONE)_\w+\/\d)/

/** The value of a field may be a list: its addresses are not the sides of a packet. */
function findInText(text: string, isField = false): Finding[] {
  const found: Finding[] = []
  let end = 0
  let isSide = false
  for (const { 0: value, index, groups: { v4, v6 } = {} } of text.matchAll(FOUND)) {
    if ((v4 !== undefined && !isIpv4(v4)) || (v6 !== undefined && !isIpv6(v6))) continue
    const between = text.slice(end, index)
    const previous = found.at(-1)
    const before = end > 0 && !isField && TO.test(between) ? previous : undefined
    const isClient = BEHIND_CLIENT.test(text.slice(index + value.length, index + value.length + LABEL_LENGTH_MAX))
    const own = isClient ? 'source' : before && !isSide ? 'destination' : directionOf(between.slice(-LABEL_LENGTH_MAX))
    if (before?.direction === '' && !isSide) found.splice(-1, 1, { ...before, direction: 'source' })
    isSide = before !== undefined
    // Programs that speak both protocols write an IPv4 address in this form.
    found.push(...hostIn(value.replace(/^::ffff:(?=\d+\.)/i, ''), own))
    end = index + value.length
  }
  for (const [, name = '', quoted, plain] of text.matchAll(NAMED)) {
    if (OF_HOST.test(name)) found.push(...hostIn(quoted ?? plain ?? '', directionOf(name)))
  }
  return found
}

function hostIn(text: string, direction: Direction): Finding[] {
  const read = readToken(text.trim())
  return read && !('problem' in read) ? [{ indicator: { ...read, readFrom: text }, direction }] : []
}

/** The side that the name of a field tells. */
export function directionOf(label: string): Direction {
  const last = (words: RegExp) => [...label.matchAll(words)].at(-1)?.index ?? -1
  const source = last(SOURCE)
  const destination = last(DESTINATION)
  return source === destination ? '' : source > destination ? 'source' : 'destination'
}

/** Lines of a program begin with a time, or consist of named values. */
const OF_PROGRAM =
  /^\{\s*"|^.{0,100}?(?:\d:\d\d:\d\d(?![\d:])|\b1\d{9}\b)|(?:(?<![\w.-])[\w.-]{1,40}=[^\s,;|]{1,200}[ ,;|]+){2}/
const FIELDS_LINE = /^#fields(?:\t|:\s)/i
const LINES_TESTED = 200
const TESTED_LENGTH = 1000

const linesIn = (head: string) => head.split(/\r\n|\r|\n/, LINES_TESTED)

/** True if the lines name their fields, as Zeek and IIS do. */
export const namesFields = (head: string): boolean => linesIn(head).some((line) => FIELDS_LINE.test(line))

export const isLog = (head: string): boolean =>
  linesIn(head).some((line) => OF_PROGRAM.test(line.slice(0, TESTED_LENGTH)))

/** The reader for a text with this beginning that is no table; undefined if no address is found there. */
export function logReaderFor(head: string): RowReader | undefined {
  const [what, find] = isLog(head) ? (['a log', findInLogLine] as const) : (['a text', findInWords] as const)
  return linesIn(head).some((line) => find(line).length > 0) ? createLogReader(what, find) : undefined
}

/** In a text that a person wrote bare names are addresses, too; in a log they may be programs, files and versions. */
function findInWords(line: string): Finding[] {
  const words = findIndicators(line.slice(0, LINE_LENGTH_MAX))
  return [...findInLogLine(line), ...words.map((indicator): Finding => ({ indicator, direction: '' }))]
}

/** Accepts the text in pieces of any size; all rows come at the end, titles first. */
export function createLogReader(what = 'a log', find = findInLogLine): RowReader {
  const lines = new LineTally(what)
  let rest = ''
  let names: { readonly of: readonly string[]; readonly separator: RegExp } | undefined

  const add = (line: string) => {
    const [fieldsLine] = FIELDS_LINE.exec(line) ?? []
    if (fieldsLine !== undefined) {
      const separator = line.includes('\t') ? /\t/ : / +/
      names = { of: line.slice(fieldsLine.length).trim().split(separator), separator }
    }
    if (line.trim() === '' || (names && line.startsWith('#'))) return lines.skip()
    lines.add(names ? named(names.of, line.split(names.separator)) : find(line))
  }

  return {
    write(text) {
      const parts = (rest + text).split(/\r\n|\n|\r(?!$)/)
      rest = parts.pop() ?? ''
      for (const line of parts) add(line)
      // A line without an end is not kept in memory as a whole.
      if (rest.length > LINE_LENGTH_MAX) rest = rest.slice(0, LINE_LENGTH_MAX)
      return []
    },
    end() {
      if (rest.trim() !== '') add(rest)
      rest = ''
      return lines.rows()
    },
    notes: () => lines.notes(),
  }
}

/** Events in a CSV: the titles, below `heading` rows, are the names of the fields. */
export function createEventReader(heading: number): RowReader {
  const csv = createCsvReader()
  const lines = new LineTally('a log')
  let titles: readonly string[] = []
  let above = heading
  const add = (rows: readonly Row[]) => {
    for (const { cells, line } of rows) {
      if (above < 0) lines.add(named(titles, cells), line)
      else if (above-- === 0) titles = cells
    }
    return []
  }
  return {
    write: (text) => add(csv.write(text)),
    end: () => {
      add(csv.end())
      return lines.rows()
    },
    notes: () => lines.notes(),
  }
}

const named = (names: readonly string[], values: readonly string[]) =>
  findIn(values.map((value, at): Field => [names[at] ?? '', value]))

class LineTally {
  readonly #found = new Tally('Side')
  readonly #what: string
  #lines = 0
  #without = 0

  constructor(what: string) {
    this.#what = what
  }

  skip(): void {
    this.#lines++
  }

  add(all: readonly Finding[], line = this.#lines + 1): void {
    this.#lines++
    if (all.length === 0) this.#without++
    for (const { indicator, direction } of all) this.#found.add(indicator, direction, line)
  }

  rows = () => this.#found.rows()

  notes = () => [
    `Read as ${this.#what} of ${this.#lines === 1 ? '1 line' : `${counted(this.#lines)} lines`}: each address stands here once.`,
    ...(this.#without === 0 ? [] : [`Lines without an address: ${counted(this.#without)}.`]),
    ...this.#found.notes(),
  ]
}
