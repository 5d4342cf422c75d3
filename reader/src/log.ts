import type { RowReader } from './csv.ts'
import type { Indicator } from './indicator.ts'
import { counted, Tally } from './tally.ts'
import { readToken } from './token.ts'
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

const SOURCE = /\b(?:src|source|saddr|shost|sender|client|c-ip|remote|from\b|rhost|orig|attacker|ip_?address)/gi
const DESTINATION = /\b(?:dst|dest|daddr|dhost|target|s-ip|resp|to\b|recipient)/gi
/** A field whose value is a host. Elsewhere a word with dots in it may be a program, a file or a version. */
const OF_HOST = /(?:^|[._-])(?:[ds]?host|hostname|domain|query|qname|rrname|sni|server_?name|fqdn|ur[il]|referr?er)$/i

// `Chrome/1.2.3.4` is a version, but a proxy writes `HIER_DIRECT/1.2.3.4`. A link in brackets or behind a plus is in the
// name of a program, and one behind `xmlns=` is in the head of every event of Windows.
const IPV4 = '(?<![\\w.@-]|(?<!_direct|_parent)(?<=[a-z])/)(?<v4>\\d{1,3}(?:\\.\\d{1,3}){3})(?![\\w-]|\\.\\d)'
const IPV6 = '(?<![\\w:.])(?<v6>(?:[\\da-f]{0,4}:){2,7}(?:\\d{1,3}(?:\\.\\d{1,3}){3}|[\\da-f]{0,4}))(?![\\w:.])'
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
  const text = line.slice(0, LINE_LENGTH_MAX)
  return findIn(fieldsOf(text) ?? [['', text]]).slice(0, FOUND_IN_LINE_MAX)
}

/** The named values of a line in JSON or in Palo Alto's CSV; undefined for any other line. */
function fieldsOf(line: string): Field[] | undefined {
  const start = line.search(/\{\s*"/)
  if (start >= 0 && line.trimEnd().endsWith('}')) {
    try {
      return leavesOf(JSON.parse(line.slice(start)))
    } catch {
      return undefined
    }
  }
  const [head] = /^.{0,200}?\d{4}\/\d\d\/\d\d [\d:]{8},[^,]*,(?:TRAFFIC|THREAT),/.exec(line) ?? []
  if (head === undefined) return undefined
  const [, , , source = '', destination = '', ...others] = line.slice(head.length).split(',')
  return [['src', source], ['dst', destination], ...others.map((value): Field => ['', value])]
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
    const found = findInText(value).map((one) => ({ ...one, direction: direction || one.direction }))
    return found.length > 0 || !OF_HOST.test(name) ? found : hostIn(value, direction)
  })
}

/** A name of a field and its value stand within this many characters. */
const LABEL_LENGTH_MAX = 48

function findInText(text: string): Finding[] {
  const found: Finding[] = []
  let end = 0
  for (const { 0: value, index, groups: { v4, v6 } = {} } of text.matchAll(FOUND)) {
    if ((v4 !== undefined && !isIpv4(v4)) || (v6 !== undefined && !isIpv6(v6))) continue
    const label = text.slice(Math.max(end, index - LABEL_LENGTH_MAX), index)
    // A web server's line begins with the client.
    const isFirst = index === 0 && value.length < text.length
    found.push(...hostIn(value, isFirst ? 'source' : directionOf(label)))
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

function directionOf(label: string): Direction {
  const last = (words: RegExp) => [...label.matchAll(words)].at(-1)?.index ?? -1
  const source = last(SOURCE)
  const destination = last(DESTINATION)
  return source === destination ? '' : source > destination ? 'source' : 'destination'
}

/** Lines of a log begin with a time or a priority, or consist of named values. */
const LOG_LINE =
  /^(?:<\d{1,3}>|\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{9,10}\.\d+\s|\S+ \S+ \S+ \[\d\d\/[A-Z][a-z]{2}\/|CEF:|\{\s*")|%ASA-\d|,(?:TRAFFIC|THREAT),|(?:(?<![\w.-])[\w.-]{1,40}=[^\s,;|]{1,200}[ ,;|]+){2}|\bSource (?:Network )?Address:/
const FIELDS_LINE = /^#fields(?:\t|:\s)/i
const LINES_TESTED = 200
const TESTED_LENGTH = 1000

/** True if the first lines of a text are those of a log. A table with a column of times is a table: ask for that first. */
export function looksLikeLog(head: string): boolean {
  const lines = head.split(/\r\n|\r|\n/, LINES_TESTED).filter((line) => line.trim() !== '')
  if (lines.some((line) => FIELDS_LINE.test(line))) return true
  const alike = lines.filter((line) => LOG_LINE.test(line.slice(0, TESTED_LENGTH))).length
  return alike * 2 > lines.length && lines.some((line) => findInLogLine(line).length > 0)
}

/** Accepts the text in pieces of any size; all rows come at the end, titles first. */
export function createLogReader(): RowReader {
  const found = new Tally('Side')
  let rest = ''
  let lines = 0
  let without = 0
  let names: { readonly of: readonly string[]; readonly separator: RegExp } | undefined

  const add = (line: string) => {
    lines++
    if (line.trim() === '') return
    const [fieldsLine] = FIELDS_LINE.exec(line) ?? []
    if (fieldsLine !== undefined) {
      const separator = line.includes('\t') ? /\t/ : / +/
      names = { of: line.slice(fieldsLine.length).trim().split(separator), separator }
    }
    if (names && line.startsWith('#')) return
    const values = names && line.split(names.separator)
    const all = values ? findIn(values.map((value, at): Field => [names?.of[at] ?? '', value])) : findInLogLine(line)
    if (all.length === 0) without++
    for (const { indicator, direction } of all) found.add(indicator, direction, lines)
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
      return found.rows()
    },
    notes: () => [
      `Read as a log of ${lines === 1 ? '1 line' : `${counted(lines)} lines`}: each address stands here once.`,
      ...(without === 0 ? [] : [`Lines without an address: ${counted(without)}.`]),
      ...found.notes(),
    ],
  }
}
