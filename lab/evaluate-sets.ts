import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Kind } from '../src/lib/kinds.ts'
import { type Level, levelOf } from '../src/risk/engine.ts'
import { type Indicator, isProblem, parseIndicator } from '../src/risk/indicator.ts'
import type { Scorer } from '../src/risk/score.ts'
import { isCalibrationHalf, MIXTURE, mixtureWeights } from './fit-calibration.ts'
import { auc } from './fit-data.ts'
import { generatedStyles } from './generated-styles.ts'

/** Labelled sets: reading them, scoring them, and what is measured on the scores. */

export interface LabelledRow {
  readonly text: string
  readonly kind: Kind
  readonly bad: boolean
  readonly stratum: string
}

interface LabelledFile {
  /** Below the folder with the data. */
  readonly file: string
  readonly kind: Kind
  readonly bad: boolean
  readonly column: string
  readonly stratum: string
  /** Put before the stratum, to keep sets of the same kind apart. */
  readonly prefix?: string
  /** One half of it was fitted on; only the other half is measured. */
  readonly halved?: true
}

const FILES: readonly LabelledFile[] = [
  { file: 'labelled/domains_bad.csv', kind: 'domain', bad: true, column: 'domain', stratum: 'stratum', halved: true },
  { file: 'labelled/domains_good.csv', kind: 'domain', bad: false, column: 'domain', stratum: 'stratum', halved: true },
  {
    file: 'labelled/domains_fresh.csv',
    kind: 'domain',
    bad: false,
    column: 'domain',
    stratum: 'stratum',
    halved: true,
  },
  { file: 'labelled/domains_bad_hosted.csv', kind: 'domain', bad: true, column: 'host', stratum: 'stratum' },
  {
    file: 'labelled/domains_lookalike.csv',
    kind: 'domain',
    bad: true,
    column: 'domain',
    stratum: 'mutation',
    prefix: 'lookalike ',
  },
  { file: 'labelled/dga.csv', kind: 'domain', bad: true, column: 'domain', stratum: 'family', prefix: 'dga ' },
  { file: 'labelled/ips_bad.csv', kind: 'ip', bad: true, column: 'ip', stratum: 'stratum' },
  { file: 'labelled/ips_good.csv', kind: 'ip', bad: false, column: 'ip', stratum: 'stratum' },
  { file: 'labelled/emails_bad.csv', kind: 'email', bad: true, column: 'email', stratum: 'stratum' },
  { file: 'labelled/emails_good.csv', kind: 'email', bad: false, column: 'email', stratum: 'stratum' },
]

interface Stratum {
  readonly kind: Kind
  readonly stratum: string
}

/** Names registered lately by anybody: unlabelled, nearly all of them honest. */
function isFresh({ stratum }: Pick<Stratum, 'stratum'>): boolean {
  return stratum.startsWith('fresh_')
}

const APART = ['lookalike ', 'dga ', 'style ']

/** Strata that stand apart are measured on their own, not in the headline figure of their kind. */
function isHeadline(row: Stratum): boolean {
  const { kind, stratum } = row
  if (kind !== 'domain') return true
  if (isFresh(row)) return false
  return stratum !== 'hosted_on_platform' && !APART.some((prefix) => stratum.startsWith(prefix))
}

/** First seen in July: nothing is fitted on them, and each look at them is written down (looks.ts). */
const JULY_FILES: readonly LabelledFile[] = [
  { file: 'feeds/domains/seen_2026-07.csv', kind: 'domain', bad: true, column: 'domain', stratum: 'stratum' },
  { file: 'feeds/domains/seen_hosted_2026-07.csv', kind: 'domain', bad: true, column: 'host', stratum: 'stratum' },
  { file: 'feeds/ips/seen_2026-07.csv', kind: 'ip', bad: true, column: 'ip', stratum: 'stratum' },
  { file: 'feeds/email/seen_2026-07.csv', kind: 'email', bad: true, column: 'email', stratum: 'stratum' },
]

/** `whole` also gives the half that was fitted on. */
export function readLabelled(data: string, whole = false): LabelledRow[] {
  return readFiles(data, FILES, whole)
}

/** Names that a program makes up, in styles that neither the fit nor the labelled sets have. */
export function styleRows(): LabelledRow[] {
  return generatedStyles().flatMap(({ style, domains }) =>
    domains.map((text) => ({ text, kind: 'domain', bad: true, stratum: `style ${style}` }) as const),
  )
}

export function readJuly(data: string): LabelledRow[] {
  return readFiles(data, JULY_FILES)
}

function readFiles(data: string, files: readonly LabelledFile[], whole = false): LabelledRow[] {
  const rows: LabelledRow[] = []
  for (const { file, kind, bad, column, stratum, prefix, halved } of files) {
    const path = join(data, file)
    if (!existsSync(path)) throw new Error(`${path} is missing: is this the folder with the data?`)
    const [head = '', ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n')
    const names = head.split(',')
    const at = names.indexOf(column)
    const stratumAt = names.indexOf(stratum)
    for (const line of lines) {
      const cells = line.split(',')
      if (halved && !whole && isCalibrationHalf(cells[at] ?? '')) continue
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
  const domains = rows.filter((row) => row.kind === 'domain')
  const usual = domains.filter(isHeadline)
  const fresh = domains.filter(isFresh)
  const bad = usual.filter((row) => row.bad)
  const com = (chosen: readonly ScoredRow[]) => chosen.filter(({ text }) => text.endsWith('.com'))
  return [
    headline('domains', usual),
    headline('domains, .com alone', com(usual)),
    headline('domains, fresh names among the good', [...usual, ...fresh]),
    headline('domains, fresh names alone as good', [...bad, ...fresh]),
    headline('domains, fresh .com alone as good', com([...bad, ...fresh])),
    headline(
      'IP addresses',
      rows.filter(({ kind }) => kind === 'ip'),
    ),
    headline(
      'e-mail addresses',
      rows.filter(({ kind }) => kind === 'email'),
    ),
  ]
}

const SAME_SOURCES = 'domains: high; the sources of June in their shares'

/** A figure that is compared between two months. */
export interface MonthlyFigure {
  readonly name: string
  readonly value: number
}

/**
 * The figures of a month. Only the bad indicators are of the month: the good ones are the same in each. Months differ in
 * their sources too, so one figure is of the sources of `first` alone, in the shares that they have there.
 */
export function monthly(
  figures: readonly Headline[],
  groups: readonly StratumReport[],
  first: readonly StratumReport[] = groups,
): MonthlyFigure[] {
  const of = (name: string) => figures.find((figure) => figure.name === name)
  const found = (kind: Kind, chosen: (group: StratumReport) => boolean = isHeadline) =>
    share(groups.filter((group) => group.bad && group.kind === kind && chosen(group)))
  const values: Readonly<Record<string, number | undefined>> = {
    'domains: AUC': of('domains')?.auc,
    'domains: AUC of .com': of('domains, .com alone')?.auc,
    'domains: AUC against fresh names': of('domains, fresh names alone as good')?.auc,
    'domains: true positives at 1 %': of('domains')?.tprAt1,
    'domains: medium or high': found('domain').medium,
    'domains: high': found('domain').high,
    [SAME_SOURCES]: share(
      groups.flatMap((group) => {
        if (!group.bad || group.kind !== 'domain' || !isHeadline(group)) return []
        const there = first.find(({ bad, kind, stratum }) => bad && kind === 'domain' && stratum === group.stratum)
        return there === undefined ? [] : [{ ...group, count: there.count }]
      }),
    ).high,
    'domains on platforms: medium or high': found('domain', ({ stratum }) => stratum === 'hosted_on_platform').medium,
    'e-mails: AUC': of('e-mail addresses')?.auc,
    'e-mails: fresh throw-away ones that are medium or high': found(
      'email',
      ({ stratum }) => stratum === 'disposable_fresh',
    ).medium,
    'IPs: AUC': of('IP addresses')?.auc,
    'IPs: true positives at 1 %': of('IP addresses')?.tprAt1,
    'IPs: medium or high': found('ip').medium,
  }
  return Object.entries(values).map(([name, value]) => ({ name, value: value ?? Number.NaN }))
}

/** One thing the service holds itself to, and what was measured. */
export interface Limit {
  readonly measure: string
  readonly limit: string
  readonly measured: string
  readonly kept: boolean
}

const FRESH_LIMITS: Readonly<Record<string, readonly [medium: number, high: number]>> = {
  fresh_com: [0.092, 0.005],
  fresh_net_org: [0.1, 0.005],
  fresh_cctld: [0.1, 0.005],
  fresh_cheap_gtld: [0.4, 0.02],
  fresh_other_gtld: [0.2, 0.02],
}

/**
 * The least that is found, with all feeds and with the feeds that are on by default: OpenPhish, which is off, knows most
 * phishing on platforms. Limits on honest names are the same for both.
 */
const LEAST = {
  all: { auc: 0.925, com: 0.84, tprAt1: 0.45, fresh: 0.755, high: 0.12, medium: 0.42, hosted: 0.64 },
  default: { auc: 0.92, com: 0.815, tprAt1: 0.43, fresh: 0.75, high: 0.085, medium: 0.38, hosted: 0.45 },
}

export function limits(
  figures: readonly Headline[],
  groups: readonly StratumReport[],
  feeds: keyof typeof LEAST = 'all',
): Limit[] {
  const found = LEAST[feeds]
  const of = (name: string) => figures.find((figure) => figure.name === name)
  const least = (measure: string, value: number | undefined, limit: number, show: (value: number) => string) =>
    value === undefined || Number.isNaN(value)
      ? []
      : [{ measure, limit: `at least ${show(limit)}`, measured: show(value), kept: value >= limit }]
  const most = (measure: string, value: number, limit: number): Limit[] =>
    Number.isNaN(value)
      ? []
      : [{ measure, limit: `at most ${percent(limit)}`, measured: percent(value), kept: value <= limit }]
  const plain = (value: number) => value.toFixed(3)
  const headlineBad = share(groups.filter((group) => group.bad && group.kind === 'domain' && isHeadline(group)))
  const good = groups.filter((group) => !group.bad && group.kind === 'domain' && isHeadline(group))
  const dga = share(groups.filter(({ stratum }) => stratum.startsWith('dga ')))
  const hosted = share(groups.filter(({ stratum }) => stratum === 'hosted_on_platform'))
  const addresses = groups.filter(({ kind }) => kind === 'ip')
  return [
    ...least('domains, AUC', of('domains')?.auc, found.auc, plain),
    ...least('domains, .com alone, AUC', of('domains, .com alone')?.auc, found.com, plain),
    ...least('domains, true positives at 1 % false ones', of('domains')?.tprAt1, found.tprAt1, percent),
    ...least(
      'domains, bad against fresh names, AUC',
      of('domains, fresh names alone as good')?.auc,
      found.fresh,
      plain,
    ),
    ...least('bad domains that are high', headlineBad.high, found.high, percent),
    ...least('bad domains that are medium or high', headlineBad.medium, found.medium, percent),
    ...most(
      'good domains that are high, worst stratum',
      good.length === 0 ? Number.NaN : Math.max(...good.map(({ shares }) => shares.high)),
      0.005,
    ),
    ...groups.filter(isFresh).flatMap((group) => {
      const [medium = 1, high = 1] = FRESH_LIMITS[group.stratum] ?? []
      const accused = share([group])
      return [
        ...most(`${group.stratum}: medium or high`, accused.medium, medium),
        ...most(`${group.stratum}: high`, accused.high, high),
      ]
    }),
    ...least('bad hosts on platforms that are medium or high', hosted.medium, found.hosted, percent),
    ...least('names made up by malware that are medium or high', dga.medium, 0.86, percent),
    ...least('IP addresses, AUC', of('IP addresses')?.auc, 0.92, plain),
    ...least(
      'bad IP addresses that are medium or high',
      share(addresses.filter(({ bad }) => bad)).medium,
      0.45,
      percent,
    ),
    ...addresses
      .filter(({ bad }) => !bad)
      .flatMap((group) => most(`addresses of ${group.stratum} that are medium or high`, share([group]).medium, 0.01)),
    ...least('e-mail addresses, AUC', of('e-mail addresses')?.auc, 0.94, plain),
  ]
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)} %`
}

/** Shares of medium or high, and of high, over several strata. */
function share(groups: readonly StratumReport[]): { readonly medium: number; readonly high: number } {
  const count = groups.reduce((sum, group) => sum + group.count, 0)
  const over = (value: (group: StratumReport) => number) =>
    groups.reduce((sum, group) => sum + group.count * value(group), 0) / count
  return { medium: over(({ shares }) => 1 - shares.low), high: over(({ shares }) => shares.high) }
}

/** Of the names with such scores, mixed as people ask about them, what share is bad. */
export interface ReliabilityBin {
  readonly from: number
  readonly to: number
  readonly rows: number
  readonly meanScore: number
  readonly badShare: number
}

const BIN_EDGES = [0, 5, 10, 20, 30, 40, 50, 60, 70, 80, 101]

export function reliability(rows: readonly ScoredRow[]): ReliabilityBin[] {
  const names = rows.filter((row) => row.kind === 'domain' && (isHeadline(row) || isFresh(row)))
  const weights = mixtureWeights(
    names.map((row) => ({
      group: row.bad ? 'bad' : isFresh(row) ? 'fresh' : 'established',
      stratum: row.stratum,
    })),
    MIXTURE,
  )
  return BIN_EDGES.slice(1).flatMap((to, i) => {
    const from = BIN_EDGES[i] as number
    let weight = 0
    let bad = 0
    let score = 0
    let count = 0
    names.forEach((row, at) => {
      if (row.score < from || row.score >= to) return
      const own = weights[at] as number
      weight += own
      score += own * row.score
      count++
      if (row.bad) bad += own
    })
    return count === 0 ? [] : [{ from, to: to - 1, rows: count, meanScore: score / weight, badShare: bad / weight }]
  })
}
