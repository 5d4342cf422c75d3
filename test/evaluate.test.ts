import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileBundled } from '../src/feeds/bundled.ts'
import { readCatalogue } from '../src/feeds/catalogue.ts'
import { compileFolder } from '../src/feeds/offline.ts'
import { levelOf } from '../src/risk/engine.ts'
import { isProblem, parseIndicator } from '../src/risk/indicator.ts'
import { loadModels } from '../src/risk/model/load.ts'
import { createScorer } from '../src/risk/score.ts'
import { openSnapshot } from '../src/snapshot/read.ts'
import { curveSvg, modelCard, reliabilitySvg, table } from '../tools/evaluate-report.ts'
import { headline, headlines, limits, readLabelled, reliability, scoreRows, strata } from '../tools/evaluate-sets.ts'
import { askStrangers, disagreementLine, disagreements, readStrangers } from '../tools/evaluate-strangers.ts'
import { MIXTURE } from '../tools/fit-calibration.ts'

const MINI = join(import.meta.dirname, '../evaluation/mini')
const folder = mkdtempSync(join(tmpdir(), 'assay-mini-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function scoreMini() {
  const file = join(folder, 'mini.snapshot')
  const compiled = await compileFolder({
    catalogue: readCatalogue(join(MINI, 'catalogue.json')),
    from: MINI,
    file,
    nowMs: Date.UTC(2026, 5, 1),
  })
  const scorer = createScorer(openSnapshot(file), loadModels())
  return { compiled, scorer, rows: scoreRows(readLabelled(join(MINI, 'labelled')), scorer) }
}

let mini: Awaited<ReturnType<typeof scoreMini>>
beforeAll(async () => {
  mini = await scoreMini()
})

test('the mini-set goes through compile, scoring and measuring, and good is told from bad', () => {
  const { compiled, rows } = mini
  expect(compiled.feeds.filter(({ error }) => error !== undefined)).toEqual([])
  for (const { name, auc } of headlines(rows)) expect(auc, name).toBeGreaterThan(0.9)
  for (const { stratum, bad, shares } of strata(rows)) {
    if (!bad) expect(shares.high, stratum).toBe(0)
    if (stratum.startsWith('lookalike ') || stratum === 'disposable') expect(shares.low, stratum).toBe(0)
    if (stratum.startsWith('dga ')) expect(shares.low, stratum).toBeLessThan(0.1)
  }
})

test('the report names every stratum, every limit and the card its known failures', () => {
  const { compiled, rows, scorer } = mini
  const figures = headlines(rows)
  const groups = strata(rows)
  const text = table(figures, groups)
  for (const { stratum } of groups) expect(text).toContain(`| ${stratum} |`)
  const strangers = askStrangers(readStrangers(join(MINI, '../strangers.csv')).slice(0, 40), scorer)
  const bins = reliability(rows)
  const held = limits(figures, groups)
  expect(held.map(({ measure }) => measure)).toEqual(
    expect.arrayContaining([
      'domains, bad against fresh names, AUC',
      'bad domains that are high',
      'fresh_cheap_gtld: medium or high',
      'names made up by malware that are medium or high',
    ]),
  )
  const measured = { figures, groups, limits: held, bins, strangers }
  const card = modelCard({ withFeeds: measured, bundled: measured, feeds: compiled.feeds.length, refused: 0 })
  for (const answer of disagreements(strangers)) expect(card).toContain(`* ${disagreementLine(answer)}`)
  for (const { measure, kept } of held)
    expect(card).toMatch(new RegExp(`\\| ${escaped(measure)} \\|.*\\| ${kept ? 'yes' : '\\*\\*no\\*\\*'} \\|`))
  expect(curveSvg('Domains', figures.slice(0, 2))).toMatch(/^<svg [^>]*role="img"/)
  expect(reliabilitySvg(bins)).toMatch(/^<svg [^>]*role="img"/)
})

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

test('a limit that is broken says so', () => {
  const group = { kind: 'domain', stratum: 'fresh_com', bad: false, count: 10, median: 10, auc: 0.5 } as const
  const [medium, high] = limits([], [{ ...group, shares: { low: 0.8, medium: 0.2, high: 0 } }])
  expect(medium).toMatchObject({ measure: 'fresh_com: medium or high', measured: '20.0 %', kept: false })
  expect(high).toMatchObject({ measure: 'fresh_com: high', kept: true })
})

test('reliability weighs the sets as people ask about them, however many rows they have', () => {
  const row = (bad: boolean, stratum: string, score: number) => ({
    text: 'x',
    kind: 'domain' as const,
    bad,
    stratum,
    score,
  })
  const good = Array.from({ length: 90 }, () => row(false, 'bank', 35))
  const [bin] = reliability([row(true, 'phishing', 35), ...good, row(false, 'fresh_com', 35)])
  expect(bin).toMatchObject({ from: 30, rows: 92 })
  expect(bin?.badShare).toBeCloseTo(MIXTURE.bad)
})

test('rates are those of a cut that exists: no credit for scores tied with too many good ones', () => {
  const row = (bad: boolean, score: number) => ({ text: 'x', kind: 'ip' as const, bad, stratum: 's', score })
  const rows = [row(true, 90), row(true, 50), row(false, 50), ...Array.from({ length: 9 }, () => row(false, 10))]
  const { auc, tprAt1, tprAt5 } = headline('tied', rows)
  expect(auc).toBeCloseTo((10 + 9.5) / 20)
  expect([tprAt1, tprAt5]).toEqual([0.5, 0.5])
})

test('the worked examples in docs/intelligence.md are what a fresh installation answers', () => {
  const file = join(folder, 'bundled.snapshot')
  compileBundled({ file, nowMs: Date.UTC(2026, 5, 1) })
  const scorer = createScorer(openSnapshot(file), loadModels())
  const text = readFileSync(join(import.meta.dirname, '../docs/intelligence.md'), 'utf8')
  for (const [kind, example] of [
    ['domain', 'paypal-invoice.top'],
    ['email', 'paypal.security@gmail.com'],
    ['ip', '8.8.8.8'],
  ] as const) {
    const indicator = parseIndicator(kind, example)
    if (isProblem(indicator)) throw new Error(indicator.detail)
    const [answer] = scorer.evaluate(kind, [indicator], { explain: true })
    expect(text).toContain(`\`${example}\`, ${answer?.score}, ${levelOf(answer?.score ?? 0)}.`)
    for (const { code, effect, description } of answer?.signals ?? []) {
      expect(text).toContain(`| ${effect > 0 ? '+' : ''}${effect} | \`${code}\` | ${description} |`)
    }
  }
})
