import { parseIp } from '../../lib/ip.ts'
import type { Indicators } from './indicators.ts'
import { eachLine } from './text.ts'

/**
 * Maltrail trails: `#` begins a comment (references there name benign hosts), one trail per line: a name, an address,
 * address:port, a URL or a URL path. `1.2.3.4/8` is a path on that address, never a prefix; only files marked for it
 * (`mass_scanner_cidr`, catalogue option `prefixes`) contain prefixes.
 */
export async function parseMaltrail(
  input: AsyncIterable<Uint8Array>,
  options: { readonly prefixes?: boolean | undefined },
  indicators: Indicators,
): Promise<void> {
  await eachLine(input, indicators.report, (line) => {
    if (line.startsWith('#')) return
    const trail = line.split(/\s+#|\s/, 1)[0]!
    if (trail.startsWith('/')) {
      indicators.report.reject('path_only', trail)
      return
    }
    if (options.prefixes) {
      indicators.ip(trail)
      return
    }
    // A bare address may be IPv6, whose colons do not begin a port.
    if (parseIp(trail)) indicators.ip(trail)
    else if (/[/:?]/.test(trail)) indicators.url(trail)
    // `.xyz` and the like match a whole suffix: not an indicator. Regular expressions are not indicators either.
    else indicators.domain(trail)
  })
}
