import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { compileBundled } from '../src/feeds/bundled.ts'
import { readCatalogue } from '../src/feeds/catalogue.ts'
import { compileFolder } from '../src/feeds/offline.ts'
import { levelOf } from '../src/risk/engine.ts'
import { isProblem, parseIndicator } from '../src/risk/indicator.ts'
import { loadModels } from '../src/risk/model/load.ts'
import { createScorer } from '../src/risk/score.ts'
import { openSnapshot } from '../src/snapshot/read.ts'
import { curveSvg, modelCard, table } from '../tools/evaluate-report.ts'
import { headline, headlines, readLabelled, scoreRows, strata } from '../tools/evaluate-sets.ts'

const MINI = join(import.meta.dirname, '../evaluation/mini')
const folder = mkdtempSync(join(tmpdir(), 'assay-mini-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function scoredMini() {
  const file = join(folder, 'mini.snapshot')
  const compiled = await compileFolder({
    catalogue: readCatalogue(join(MINI, 'catalogue.json')),
    from: MINI,
    file,
    nowMs: Date.UTC(2026, 5, 1),
  })
  return {
    compiled,
    rows: scoreRows(readLabelled(join(MINI, 'labelled')), createScorer(openSnapshot(file), loadModels())),
  }
}

test('the mini-set goes through compile, scoring and measuring, and good is told from bad', async () => {
  const { compiled, rows } = await scoredMini()
  expect(compiled.feeds.filter(({ error }) => error !== undefined)).toEqual([])
  for (const { name, auc } of headlines(rows)) expect(auc, name).toBeGreaterThan(0.9)
  for (const { stratum, bad, shares } of strata(rows)) {
    if (!bad) expect(shares.high, stratum).toBe(0)
    if (stratum.startsWith('lookalike ') || stratum === 'disposable') expect(shares.low, stratum).toBe(0)
    if (stratum.startsWith('dga ')) expect(shares.low, stratum).toBeLessThan(0.1)
  }
})

test('the report names every stratum and the card its limits', async () => {
  const { compiled, rows } = await scoredMini()
  const figures = headlines(rows)
  const groups = strata(rows)
  const text = table(figures, groups)
  for (const { stratum } of groups) expect(text).toContain(`| ${stratum} |`)
  const card = modelCard({
    figures,
    groups,
    bundledFigures: figures,
    bundledGroups: groups,
    feeds: compiled.feeds.length,
    refused: 0,
  })
  expect(card).toContain('## Limits and known failures')
  expect(curveSvg('Domains', figures.slice(0, 2))).toMatch(/^<svg [^>]*role="img"/)
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
