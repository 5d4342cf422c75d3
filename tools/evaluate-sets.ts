import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Kind } from '../src/lib/kinds.ts'
import { type Level, levelOf } from '../src/risk/engine.ts'
import { type Indicator, isProblem, parseIndicator } from '../src/risk/indicator.ts'
import type { Scorer } from '../src/risk/score.ts'
import { auc } from './fit-data.ts'

/** Labelled sets: reading them, scoring them, and what is measured on the scores. */

export interface LabelledRow {
  readonly text: string
  readonly kind: Kind
  readonly bad: boolean
  readonly stratum: string
}

interface LabelledFile {
  readonly file: string
  readonly kind: Kind
  readonly bad: boolean
  readonly column: string
  readonly stratum: string
  /** Put before the stratum, to keep sets of the same kind apart. */
  readonly prefix?: string
}

const FILES: readonly LabelledFile[] = [
  { file: 'domains_bad.csv', kind: 'domain', bad: true, column: 'domain', stratum: 'stratum' },
  { file: 'domains_good.csv', kind: 'domain', bad: false, column: 'domain', stratum: 'stratum' },
  { file: 'domains_bad_hosted.csv', kind: 'domain', bad: true, column: 'host', stratum: 'stratum' },
  {
    file: 'domains_lookalike.csv',
    kind: 'domain',
    bad: true,
    column: 'domain',
    stratum: 'mutation',
    prefix: 'lookalike ',
  },
  { file: 'dga.csv', kind: 'domain', bad: true, column: 'domain', stratum: 'family', prefix: 'dga ' },
  { file: 'ips_bad.csv', kind: 'ip', bad: true, column: 'ip', stratum: 'stratum' },
  { file: 'ips_good.csv', kind: 'ip', bad: false, column: 'ip', stratum: 'stratum' },
  { file: 'emails_bad.csv', kind: 'email', bad: true, column: 'email', stratum: 'stratum' },
  { file: 'emails_good.csv', kind: 'email', bad: false, column: 'email', stratum: 'stratum' },
]

/** Bad strata that stand apart: they are measured on their own, not in the headline figure of their kind. */
export function isHeadline({ kind, stratum }: { readonly kind: Kind; readonly stratum: string }): boolean {
  if (kind !== 'domain') return true
  return stratum !== 'hosted_on_platform' && !stratum.startsWith('lookalike ') && !stratum.startsWith('dga ')
}

export function readLabelled(folder: string): LabelledRow[] {
  const rows: LabelledRow[] = []
  for (const { file, kind, bad, column, stratum, prefix } of FILES) {
    const path = join(folder, file)
    if (!existsSync(path)) throw new Error(`${path} is missing: is this the folder with the labelled sets?`)
    const [head = '', ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n')
    const names = head.split(',')
    const at = names.indexOf(column)
    const stratumAt = names.indexOf(stratum)
    for (const line of lines) {
      const cells = line.split(',')
      rows.push({ text: cells[at] ?? '', kind, bad, stratum: `${prefix ?? ''}${cells[stratumAt] ?? ''}` })
    }
  }
  return rows
}

export interface ScoredRow extends LabelledRow {
  readonly score: number
}

/** Scores what the service accepts; names it refuses (an underscore in a host) are left out. */
export function scoreRows(rows: readonly LabelledRow[], scorer: Scorer): ScoredRow[] {
  const scored: ScoredRow[] = []
  for (const row of rows) {
    const indicator = parseIndicator(row.kind, row.text)
    if (isProblem(indicator)) continue
    const indicators: Indicator[] = [indicator]
    const [evaluation] = scorer.evaluate(row.kind, indicators, { explain: false })
    scored.push({ ...row, score: evaluation?.score ?? 0 })
  }
  return scored
}

export interface Headline {
  readonly name: string
  readonly bad: number
  readonly good: number
  readonly auc: number
  readonly tprAt1: number
  readonly tprAt5: number
  readonly curve: readonly (readonly [fpr: number, tpr: number])[]
}

export function headline(name: string, rows: readonly ScoredRow[]): Headline {
  const bad = rows.filter((row) => row.bad).map(({ score }) => score)
  const good = rows.filter((row) => !row.bad).map(({ score }) => score)
  const curve = rocCurve(bad, good)
  return {
    name,
    bad: bad.length,
    good: good.length,
    auc: auc(bad, good),
    tprAt1: tprAt(curve, 0.01),
    tprAt5: tprAt(curve, 0.05),
    curve,
  }
}

/** One point a distinct score, from (0,0) to (1,1). */
function rocCurve(bad: readonly number[], good: readonly number[]): [number, number][] {
  const curve: [number, number][] = [[0, 0]]
  for (let cut = 100; cut >= 0; cut--) {
    const fpr = good.filter((score) => score >= cut).length / good.length
    const tpr = bad.filter((score) => score >= cut).length / bad.length
    const [lastFpr, lastTpr] = curve.at(-1) as [number, number]
    if (fpr !== lastFpr || tpr !== lastTpr) curve.push([fpr, tpr])
  }
  return curve
}

/** The true-positive rate of the strictest usable cut: no interpolation between two scores. */
function tprAt(curve: readonly (readonly [number, number])[], fprMax: number): number {
  let best = 0
  for (const [fpr, tpr] of curve) if (fpr <= fprMax) best = Math.max(best, tpr)
  return best
}

export interface StratumReport {
  readonly kind: Kind
  readonly stratum: string
  readonly bad: boolean
  readonly count: number
  readonly shares: Readonly<Record<Level, number>>
  readonly median: number
  /** Against all good (or, for a good stratum, all headline bad) of the kind. */
  readonly auc: number
}

export function strata(rows: readonly ScoredRow[]): StratumReport[] {
  const groups = Map.groupBy(rows, ({ kind, bad, stratum }) => `${kind}\t${bad}\t${stratum}`)
  return [...groups.values()].map((group) => {
    const { kind, bad, stratum } = group[0] as ScoredRow
    const scores = group.map(({ score }) => score).sort((a, b) => a - b)
    const others = rows
      .filter((row) => row.kind === kind && row.bad !== bad && (bad || isHeadline(row)))
      .map(({ score }) => score)
    const share = (level: Level) => scores.filter((score) => levelOf(score) === level).length / scores.length
    return {
      kind,
      stratum,
      bad,
      count: scores.length,
      shares: { low: share('low'), medium: share('medium'), high: share('high') },
      median: scores[scores.length >> 1] ?? 0,
      auc: bad ? auc(scores, others) : auc(others, scores),
    }
  })
}

export function headlines(rows: readonly ScoredRow[]): Headline[] {
  const of = (kind: Kind, keep: (row: ScoredRow) => boolean = () => true) =>
    rows.filter((row) => row.kind === kind && isHeadline(row) && keep(row))
  return [
    headline('domains', of('domain')),
    headline(
      'domains, .com alone',
      of('domain', ({ text }) => text.endsWith('.com')),
    ),
    headline('IP addresses', of('ip')),
    headline('e-mail addresses', of('email')),
  ]
}
