/** Compile, open and look-up figures of the snapshot, from ten thousand to ten million entries. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileBundled } from '../src/feeds/bundled.ts'
import { DAY_MS } from '../src/lib/clock.ts'
import { type Ip, ipv4 } from '../src/lib/ip.ts'
import { createCompiler } from '../src/snapshot/compile.ts'
import { openSnapshot } from '../src/snapshot/read.ts'

export interface SnapshotFigures {
  readonly entries: number
  readonly compileSeconds: number
  readonly bytesPerEntry: number
  readonly openSeconds: number
  readonly domainsPerSecond: number
  readonly ipsPerSecond: number
}

const NOW = Date.UTC(2026, 5, 1)
const SOURCES = 10
const LOOKUPS = 1_000_000

// A full-period generator: addresses spread over the whole space, the same on every run.
const addressOf = (i: number): Ip => ipv4(Math.imul(i, 2654435761))
const nameOf = (i: number): string => `host${i}.example${i % 1000}.com`

function measure(folder: string, entries: number): SnapshotFigures {
  const file = join(folder, `${entries}.snapshot`)
  const started = performance.now()
  const compiler = createCompiler({ nowMs: NOW })
  for (let s = 0; s < SOURCES; s++) {
    compiler.source({ id: `s${s}`, name: 'Feed', licence: 'MIT', asOfMs: NOW, halfLifeDays: 30, expiryDays: 365 })
  }
  for (let i = 0; i < entries; i++) {
    const evidence = {
      source: `s${i % SOURCES}`,
      tag: 'phishing',
      firstSeenMs: NOW - (i % 90) * DAY_MS,
      lastSeenMs: NOW - (i % 30) * DAY_MS,
      confidence: 0.8,
    } as const
    // Two thirds names, one third addresses, as in the feeds.
    if (i % 3 !== 0) compiler.add({ kind: 'domain', value: nameOf(i), ...evidence })
    else compiler.addRange({ first: addressOf(i), last: addressOf(i) }, evidence)
  }
  const { bytes } = compiler.writeTo(file)
  const compileSeconds = (performance.now() - started) / 1000

  const opening = performance.now()
  const snapshot = openSnapshot(file)
  const openSeconds = (performance.now() - opening) / 1000

  const names = Array.from({ length: LOOKUPS }, (_, i) => nameOf((Math.imul(i, 7919) >>> 0) % entries))
  const perSecond = (look: (i: number) => number): number => {
    const from = performance.now()
    let hits = 0
    for (let i = 0; i < LOOKUPS; i++) hits += look(i)
    if (hits < 0) throw new Error('unreachable')
    return LOOKUPS / ((performance.now() - from) / 1000)
  }
  const domainsPerSecond = perSecond((i) => snapshot.domain(names[i]!).length)
  const ipsPerSecond = perSecond((i) => snapshot.ip(addressOf(i)).length)
  return { entries, compileSeconds, bytesPerEntry: bytes / entries, openSeconds, domainsPerSecond, ipsPerSecond }
}

export async function run(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  try {
    const bundledStarted = performance.now()
    const bundled = compileBundled({ file: join(folder, 'bundled.snapshot'), nowMs: NOW })
    const bundledSeconds = (performance.now() - bundledStarted) / 1000
    const { domains } = bundled.info.counts
    const lines = [`bundled: compiled in ${bundledSeconds.toFixed(1)} s, ${domains} domains, ${bundled.bytes} bytes`]
    const figures: SnapshotFigures[] = []
    for (const entries of [10_000, 1_000_000, 10_000_000]) {
      const figure = measure(folder, entries)
      figures.push(figure)
      const first = figures[0]!
      lines.push(
        `${entries} entries: compiled in ${figure.compileSeconds.toFixed(1)} s, ` +
          `opened in ${(figure.openSeconds * 1000).toFixed(0)} ms, ${figure.bytesPerEntry.toFixed(1)} bytes an entry, ` +
          `${Math.round(figure.domainsPerSecond)} names/s (${(figure.domainsPerSecond / first.domainsPerSecond).toFixed(2)} of the rate at 10,000), ` +
          `${Math.round(figure.ipsPerSecond)} addresses/s (${(figure.ipsPerSecond / first.ipsPerSecond).toFixed(2)}), ` +
          `peak memory so far ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`,
      )
    }
    return lines
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
