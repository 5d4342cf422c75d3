/**
 * Measures accuracy. Run: npm run evaluate -- --data DIR
 * Compiles the feeds that evaluation/catalogue.json names in DIR, scores the labelled sets in DIR/labelled, prints the
 * figures and writes docs/model-card.md with its curves.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compileBundled } from '../src/feeds/bundled.ts'
import { readCatalogue } from '../src/feeds/catalogue.ts'
import { compileFolder } from '../src/feeds/offline.ts'
import { loadModels } from '../src/risk/model/load.ts'
import { createScorer } from '../src/risk/score.ts'
import { openSnapshot } from '../src/snapshot/read.ts'
import { curveSvg, modelCard, table } from './evaluate-report.ts'
import { headlines, readLabelled, scoreRows, strata } from './evaluate-sets.ts'

const { values } = parseArgs({ options: { data: { type: 'string' }, 'as-of': { type: 'string' } } })
if (!values.data) throw new Error('Say where the data folder is: npm run evaluate -- --data DIR')
const data = values.data
// The feeds' cut-off: what the service would have known when the labelled month began.
const nowMs = Date.parse(values['as-of'] ?? '2026-06-01')
const root = join(import.meta.dirname, '..')

const folder = mkdtempSync(join(tmpdir(), 'assay-evaluate-'))
try {
  const catalogue = readCatalogue(join(root, 'evaluation/catalogue.json'))
  const file = join(folder, 'feeds.snapshot')
  const compiled = await compileFolder({ catalogue, from: data, file, nowMs })
  for (const { id, error } of compiled.feeds) if (error) console.log(`feed ${id} was left out: ${error}`)
  console.log(
    `${compiled.info.counts.domains} domains, ${compiled.info.counts.ipv4} IPv4 ranges from ${compiled.feeds.length} feeds`,
  )
  const models = loadModels()
  const rows = readLabelled(join(data, 'labelled'))
  const withFeeds = scoreRows(rows, createScorer(openSnapshot(file), models))

  const bundledFile = join(folder, 'bundled.snapshot')
  compileBundled({ file: bundledFile, nowMs })
  const bundledOnly = scoreRows(rows, createScorer(openSnapshot(bundledFile), models))

  const figures = headlines(withFeeds)
  const groups = strata(withFeeds)
  const bundledFigures = headlines(bundledOnly)
  const bundledGroups = strata(bundledOnly)
  console.log(table(figures, groups))
  console.log('\nBundled intelligence alone\n')
  console.log(table(bundledFigures, bundledGroups))

  mkdirSync(join(root, 'docs'), { recursive: true })
  writeFileSync(join(root, 'docs/roc-domains.svg'), curveSvg('Domains', figures.slice(0, 2)))
  writeFileSync(join(root, 'docs/roc-ips.svg'), curveSvg('IP addresses', figures.slice(2, 3)))
  writeFileSync(join(root, 'docs/roc-emails.svg'), curveSvg('E-mail addresses', figures.slice(3, 4)))
  writeFileSync(
    join(root, 'docs/model-card.md'),
    modelCard({
      figures,
      groups,
      bundledFigures,
      bundledGroups,
      feeds: compiled.feeds.length,
      refused: rows.length - withFeeds.length,
    }),
  )
  console.log('\nwrote docs/model-card.md')
} finally {
  rmSync(folder, { recursive: true })
}
