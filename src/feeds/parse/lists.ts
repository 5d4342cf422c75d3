import type { Indicators, ValueKind } from './indicators.ts'
import { eachLine } from './text.ts'

/** Formats with one indicator per line: plain lists, netsets, hosts files, lists with a count. */

/** One value per line; `#`, `;` or `//` begin a comment, a blank begins a remark. Covers netset and ipset too. */
export async function parseList(
  input: AsyncIterable<Uint8Array>,
  values: ValueKind,
  indicators: Indicators,
): Promise<void> {
  await eachLine(input, indicators.report, (line) => {
    if (isComment(line)) return
    indicators.take(values, firstWord(line))
  })
}

/** `0.0.0.0 name [name …]`: the address is the target that the name is sent to, not an indicator. */
export async function parseHosts(input: AsyncIterable<Uint8Array>, indicators: Indicators): Promise<void> {
  await eachLine(input, indicators.report, (line) => {
    if (isComment(line)) return
    const words = line.split('#', 1)[0]!.trim().split(/\s+/)
    const names = /^[0-9a-f.:]+$/i.test(words[0]!) && words.length > 1 ? words.slice(1) : words
    for (const name of names) {
      if (!LOCAL_NAMES.has(name.toLowerCase())) indicators.domain(name)
    }
  })
}

const LOCAL_NAMES = new Set([
  'localhost',
  'localhost.localdomain',
  'local',
  'broadcasthost',
  'ip6-localhost',
  'ip6-loopback',
  'ip6-localnet',
  'ip6-mcastprefix',
  'ip6-allnodes',
  'ip6-allrouters',
  'ip6-allhosts',
  '0.0.0.0',
])

export interface CountsOptions {
  /** Rows on fewer lists are left out. */
  readonly min?: number | undefined
  /** The weight of each list: confidence is 1 − (1 − perList)^count. */
  readonly per_list?: number | undefined
}

/** `address<TAB>number of lists`, the format of ipsum. */
export async function parseCounts(
  input: AsyncIterable<Uint8Array>,
  values: ValueKind,
  options: CountsOptions,
  indicators: Indicators,
): Promise<void> {
  const perList = options.per_list ?? 0.35
  await eachLine(input, indicators.report, (line) => {
    if (isComment(line)) return
    const [value, countText] = line.split(/[\t ,;]+/)
    const count = Number(countText)
    if (value === undefined || !Number.isInteger(count) || count < 1) {
      indicators.report.reject('missing_field', line)
      return
    }
    if (count < (options.min ?? 1)) return
    indicators.take(values, value, { confidence: 1 - (1 - perList) ** count })
  })
}

function isComment(line: string): boolean {
  const first = line.charCodeAt(0)
  return first === 35 || first === 59 || line.startsWith('//')
}

function firstWord(line: string): string {
  const end = line.search(/[\s,#]/)
  // A # inside a URL begins its fragment; in a list of URLs a remark needs a blank before it.
  return end < 0 || line.charCodeAt(end) === 35 ? line.split(/\s/, 1)[0]! : line.slice(0, end)
}
