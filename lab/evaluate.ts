/**
 * Measures accuracy. Run: npm run evaluate -- --data DIR
 * Compiles the feeds that lab/evaluation/catalogue.json names in DIR, scores the labelled sets in DIR/labelled, prints the
 * figures and writes docs/model-card.md with its curves. With --july REASON it also scores the indicators of July, once for
 * a finished change, and adds the look to lab/looks.csv.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compileBundled } from '../src/feeds/bundled.ts'
import { readCatalogue } from '../src/feeds/catalogue.ts'
import { loadModels } from '../src/risk/model/load.ts'
import { createScorer, type Scorer } from '../src/risk/score.ts'
import { openSnapshot } from '../src/snapshot/read.ts'
import { compileFolder } from './compile-folder.ts'
import {
  isJudged,
  type LiveFigures,
  measureLive,
  readAges,
  readObservations,
  registrationAlone,
} from './evaluate-live.ts'
import { measureOwn, ownTable } from './evaluate-own.ts'
import {
  AGES_OF_2020,
  curveSvg,
  limitTable,
  liveTable,
  type Measured,
  modelCard,
  reliabilitySvg,
  reliabilityTable,
  strangerTable,
  table,
} from './evaluate-report.ts'
import {
  headlines,
  limits,
  monthly,
  readJuly,
  readLabelled,
  reliability,
  scoreRows,
  strata,
  styleRows,
} from './evaluate-sets.ts'
import { askStrangers, readStrangers } from './evaluate-strangers.ts'
import { readLooks, writeLook } from './looks.ts'

const { values } = parseArgs({
  options: { data: { type: 'string' }, 'as-of': { type: 'string' }, july: { type: 'string' } },
})
if (!values.data) throw new Error('Say where the data folder is: npm run evaluate -- --data DIR')
const data = values.data
// The feeds' cut-off: what the service would have known when the labelled month began.
const nowMs = Date.parse(values['as-of'] ?? '2026-06-01')
const root = join(import.meta.dirname, '..')

const folder = mkdtempSync(join(tmpdir(), 'assay-evaluate-'))
try {
  const catalogue = readCatalogue(join(root, 'lab/evaluation/catalogue.json'))
  const file = join(folder, 'feeds.snapshot')
  const compiled = await compileFolder({ catalogue, from: data, file, nowMs })
  for (const { id, error, rows } of compiled.feeds) {
    if (error === undefined && rows > 0) continue
    console.error(`feed ${id} was left out: ${error ?? 'it has no row'}`)
    process.exitCode = 1
  }
  console.log(
    `${compiled.info.counts.domains} domains, ${compiled.info.counts.ipv4} IPv4 ranges from ${compiled.feeds.length} feeds`,
  )
  const models = loadModels()
  const rows = [...readLabelled(data), ...styleRows()]
  const strangers = readStrangers(join(root, 'lab/evaluation/strangers.csv'))
  const measure = (scorer: Scorer, feeds?: 'default') => {
    const scored = scoreRows(rows, scorer)
    const figures = headlines(scored)
    const groups = strata(scored)
    const measured: Measured = {
      figures,
      groups,
      limits: limits(figures, groups, feeds),
      bins: reliability(scored),
      strangers: askStrangers(strangers, scorer),
    }
    return { ...measured, scorer, scored }
  }
  const observed = readObservations(data)
  const judged = observed.filter(({ registrable }) => isJudged(registrable))
  const replay = (scorer: Scorer, lists: string, inDetail: boolean): LiveFigures[] => {
    if (judged.length === 0) return []
    return [
      measureLive(`not fitted on, ${lists}`, judged, scorer),
      ...(inDetail
        ? [
            measureLive('the same, and a handshake', judged, scorer, (facts) => facts),
            measureLive('the same, registration alone', judged, scorer, registrationAlone),
            measureLive(AGES_OF_2020, readAges(data), scorer),
          ]
        : [
            measureLive(
              'fitted on, with the feeds',
              observed.filter((row) => !judged.includes(row)),
              scorer,
            ),
          ]),
    ]
  }
  const withFeeds = measure(createScorer(openSnapshot(file), models))
  const defaultFile = join(folder, 'default.snapshot')
  const on = new Set(readCatalogue(join(root, 'feeds.json')).flatMap(({ id, enabled }) => (enabled ? [id] : [])))
  await compileFolder({ catalogue: catalogue.filter(({ id }) => on.has(id)), from: data, file: defaultFile, nowMs })
  const byDefault = measure(createScorer(openSnapshot(defaultFile), models), 'default')
  const bundledFile = join(folder, 'bundled.snapshot')
  compileBundled({ file: bundledFile, nowMs })
  const bundled = measure(createScorer(openSnapshot(bundledFile), models))

  // The first is what the limits are about.
  const live = [
    ...replay(bundled.scorer, 'bundled intelligence', true),
    ...replay(withFeeds.scorer, 'with the feeds', false),
  ]
  console.log(table(withFeeds.figures, withFeeds.groups))
  console.log(`\n${limitTable(withFeeds.limits)}`)
  console.log(`\nFeeds that are on by default\n\n${limitTable(byDefault.limits)}`)
  console.log(`\n${reliabilityTable(withFeeds.bins)}`)
  console.log(
    `\n${strangerTable([
      ['with the feeds', withFeeds.strangers],
      ['bundled alone', bundled.strangers],
    ])}`,
  )
  console.log(`\n${liveTable(live)}`)
  const own = measureOwn(readLabelled(data, true), withFeeds.scorer)
  console.log(`\n${ownTable(own)}\nstrangers accused: ${own.accused.length} of ${own.strangers}`)
  console.log('\nBundled intelligence alone\n')
  console.log(table(bundled.figures, bundled.groups))

  const looksFile = join(root, 'lab/looks.csv')
  if (values.july !== undefined) {
    const seen = [...withFeeds.scored.filter(({ bad }) => !bad), ...scoreRows(readJuly(data), withFeeds.scorer)]
    const july = { figures: headlines(seen), groups: strata(seen) }
    const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
    const commit = `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain') === '' ? '' : '+'}`
    const day = new Date().toISOString().slice(0, 10)
    const june = monthly(withFeeds.figures, withFeeds.groups)
    writeLook(
      looksFile,
      { day, commit, reason: values.july },
      june,
      monthly(july.figures, july.groups, withFeeds.groups),
    )
    console.log(`\nJuly\n\n${table(july.figures, july.groups)}`)
  }

  mkdirSync(join(root, 'docs'), { recursive: true })
  const named = (...names: string[]) => withFeeds.figures.filter(({ name }) => names.includes(name))
  writeFileSync(
    join(root, 'docs/roc-domains.svg'),
    curveSvg('Domains', named('domains', 'domains, .com alone', 'domains, fresh names alone as good')),
  )
  writeFileSync(join(root, 'docs/roc-ips.svg'), curveSvg('IP addresses', named('IP addresses')))
  writeFileSync(join(root, 'docs/roc-emails.svg'), curveSvg('E-mail addresses', named('e-mail addresses')))
  writeFileSync(join(root, 'docs/reliability.svg'), reliabilitySvg(withFeeds.bins))
  writeFileSync(
    join(root, 'docs/model-card.md'),
    modelCard({
      withFeeds,
      byDefault,
      bundled,
      live,
      own,
      feeds: compiled.feeds.length,
      refused: rows.length - withFeeds.scored.length,
      looks: readLooks(looksFile),
    }),
  )
  console.log('\nwrote docs/model-card.md')
} finally {
  rmSync(folder, { recursive: true })
}
