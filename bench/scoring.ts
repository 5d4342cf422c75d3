import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileBundled } from '../src/feeds/bundled.ts'
import { formatIp, ipv4 } from '../src/lib/ip.ts'
import { KIND_NAMES, type Kind } from '../src/lib/kinds.ts'
import { type Indicator, isProblem, parseIndicator } from '../src/risk/indicator.ts'
import { loadModels } from '../src/risk/model/load.ts'
import { createScorer } from '../src/risk/score.ts'
import { openSnapshot } from '../src/snapshot/read.ts'

/** Indicators scored a second on one core, all distinct, without explanations. */

const COUNT = 60_000
// The best of them: in the first ones the engine still compiles what it meets.
const ROUNDS = 8
const TARGETS: Readonly<Record<Kind, number>> = { domain: 60_000, email: 80_000, ip: 300_000 }

/** A snapshot file given as the last word on the command line is measured in place of the bundled one. */
export async function run(given?: string): Promise<string[]> {
  const lines: string[] = []
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  try {
    const file = given ?? join(folder, 'bundled.snapshot')
    if (!given) compileBundled({ file, nowMs: Date.UTC(2026, 5, 1) })
    const scorer = createScorer(openSnapshot(file), loadModels())
    for (const kind of KIND_NAMES) {
      let best = 0
      for (let round = 0; round < ROUNDS; round++) {
        const indicators = make(kind, round)
        const before = process.cpuUsage()
        scorer.evaluate(kind, indicators, { explain: false })
        const { user, system } = process.cpuUsage(before)
        best = Math.max(best, (indicators.length * 1e6) / (user + system))
      }
      const rate = Math.round(best)
      lines.push(
        `${kind}: ${rate.toLocaleString('en-GB')}/s on one core, ${(rate / TARGETS[kind]).toFixed(1)} times the target`,
      )
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  return lines
}

const WORDS =
  'harbour oak green pay secure data cloud garden north river smart home auto tech art solar blue stone'.split(' ')
const SUFFIXES = ['com', 'net', 'org', 'co.uk', 'de', 'top', 'xyz', 'io', 'com.au', 'shop']
const PROVIDERS = ['gmail.com', 'outlook.com', 'yahoo.com', 'mailinator.com', 'web.de']

/** As a request brings them: out of JSON, and read. */
function make(kind: Kind, round: number): Indicator[] {
  const texts = JSON.parse(JSON.stringify(Array.from({ length: COUNT }, (_, i) => textOf(kind, i, round)))) as string[]
  return texts.map((text) => {
    const indicator = parseIndicator(kind, text)
    if (isProblem(indicator)) throw new Error(`${text}: ${indicator.detail}`)
    return indicator
  })
}

function textOf(kind: Kind, i: number, round: number): string {
  const seed = Math.imul(i + 1 + round * COUNT, 0x9e3779b1) >>> 0
  if (kind === 'ip') return formatIp(ipv4(seed))
  const name = `${WORDS[seed % 18]}${i % 3 === 0 ? '-' : ''}${WORDS[(seed >>> 8) % 18]}${(seed >>> 16).toString(36)}`
  const domain = `${name}.${SUFFIXES[(seed >>> 4) % 10]}`
  if (kind === 'domain') return i % 4 === 0 ? `www.${domain}` : domain
  // Half of mail goes to the large providers.
  const at = i % 2 === 0 ? (PROVIDERS[seed % 5] as string) : domain
  return `${WORDS[(seed >>> 12) % 18]}.${WORDS[(seed >>> 20) % 18]}${seed % 1000}@${at}`
}

if (import.meta.main) for (const line of await run(process.argv[2])) console.log(line)
