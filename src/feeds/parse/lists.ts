import { parseIp } from '../../lib/ip.ts'
import type { Parser, Valued } from './indicators.ts'
import { eachLine } from './text.ts'

/** Formats with one indicator per line: plain lists, netsets, hosts files, lists with a count. */

/** One value per line; `#`, `;` or `//` begin a comment, a blank begins a remark. Covers netset and ipset too. */
export const parseList: Parser<Valued> = (input, indicators, { values }) =>
  eachLine(input, indicators.report, (line) => {
    if (!isComment(line)) indicators.take(values, firstWord(line))
  })

/** `0.0.0.0 name [name …]`: the address is the target that the name is sent to, not an indicator. */
export const parseHosts: Parser = (input, indicators) =>
  eachLine(input, indicators.report, (line) => {
    if (isComment(line)) return
    const words = line.split('#', 1)[0]!.trim().split(/\s+/)
    const names = /^[0-9a-f.:]+$/i.test(words[0]!) && words.length > 1 ? words.slice(1) : words
    for (const name of names) {
      if (!LOCAL_NAME.test(name)) indicators.domain(name)
    }
  })

const LOCAL_NAME =
  /^(localhost(\.localdomain)?|local|broadcasthost|ip6-(localhost|loopback|localnet|mcastprefix|all(nodes|routers|hosts))|0\.0\.0\.0)$/i

export interface CountsOptions {
  readonly min?: number | undefined
  /** The weight of each list: confidence is 1 − (1 − perList)^count. */
  readonly per_list?: number | undefined
}

/** `address<TAB>number of lists`, the format of ipsum. */
export const parseCounts: Parser<CountsOptions & Valued> = (input, indicators, options) =>
  eachLine(input, indicators.report, (line) => {
    if (isComment(line)) return
    const [value, countText] = line.split(/[\t ,;]+/)
    const count = Number(countText)
    if (value === undefined || !Number.isInteger(count) || count < 1)
      return indicators.report.reject('missing_field', line)
    if (count < (options.min ?? 1)) return
    indicators.take(options.values, value, { confidence: 1 - (1 - (options.per_list ?? 0.35)) ** count })
  })

function isComment(line: string): boolean {
  const first = line.charCodeAt(0)
  return first === 35 || first === 59 || line.startsWith('//')
}

function firstWord(line: string): string {
  const end = line.search(/[\s,#]/)
  // A # inside a URL begins its fragment; in a list of URLs a remark needs a blank before it.
  return end < 0 || line.charCodeAt(end) === 35 ? line.split(/\s/, 1)[0]! : line.slice(0, end)
}

/**
 * Maltrail trails: `#` begins a comment (references there name benign hosts), one trail per line: a name, an address,
 * address:port, a URL or a URL path. `1.2.3.4/8` is a path on that address, never a prefix; only files marked for it
 * (`mass_scanner_cidr`, catalogue option `prefixes`) contain prefixes.
 */
export const parseMaltrail: Parser<{ readonly prefixes?: boolean | undefined }> = (input, indicators, { prefixes }) =>
  eachLine(input, indicators.report, (line) => {
    if (line.startsWith('#')) return
    const trail = line.split(/\s+#|\s/, 1)[0]!
    if (trail.startsWith('/')) return indicators.report.reject('path_only', trail)
    if (prefixes) return indicators.ip(trail)
    // A bare address may be IPv6, whose colons do not begin a port.
    if (parseIp(trail)) indicators.ip(trail)
    else if (/[/:?]/.test(trail)) indicators.url(trail)
    // `.xyz` and the like match a whole suffix: not an indicator. Regular expressions are not indicators either.
    else indicators.domain(trail)
  })
