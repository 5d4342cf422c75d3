import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileBundled } from '../src/feeds/bundled.ts'
import { readCatalogue } from '../src/feeds/catalogue.ts'
import { levelOf } from '../src/risk/engine.ts'
import { isProblem, parseIndicator } from '../src/risk/indicator.ts'
import { loadModels } from '../src/risk/model/load.ts'
import { createScorer } from '../src/risk/score.ts'
import { openSnapshot } from '../src/snapshot/read.ts'
import { compileFolder } from './compile-folder.ts'
import { isJudged, type LiveFigures, liveLimits, measureLive, readObservations } from './evaluate-live.ts'
import { measureOwn } from './evaluate-own.ts'
import { AGES_OF_2020, curveSvg, modelCard, reliabilitySvg, table } from './evaluate-report.ts'
import {
  headline,
  headlines,
  limits,
  monthly,
  readLabelled,
  reliability,
  type StratumReport,
  scoreRows,
  strata,
} from './evaluate-sets.ts'
import { askStrangers, disagreementLine, disagreements, readStrangers } from './evaluate-strangers.ts'
import { MIXTURE } from './fit-calibration.ts'
import { fitLive } from './fit-live.ts'
import { readLooks, writeLook } from './looks.ts'

const MINI = join(import.meta.dirname, 'evaluation/mini')
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
  return { compiled, scorer, rows: scoreRows(readLabelled(MINI), scorer) }
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
  const card = modelCard({
    withFeeds: measured,
    byDefault: measured,
    bundled: measured,
    live: [],
    own: measureOwn(rows, scorer),
    feeds: compiled.feeds.length,
    refused: 0,
    looks: [],
  })
  for (const answer of disagreements(strangers)) expect(card).toContain(`* ${disagreementLine(answer)}`)
  for (const { measure, kept } of held)
    expect(card).toMatch(new RegExp(`\\| ${escaped(measure)} \\|.*\\| ${kept ? 'yes' : '\\*\\*no\\*\\*'} \\|`))
  expect(curveSvg('Domains', figures.slice(0, 2))).toMatch(/^<svg [^>]*role="img"/)
  expect(reliabilitySvg(bins)).toMatch(/^<svg [^>]*role="img"/)
})

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Hosts as if somebody had looked them up: bad ones are mostly new and without mail, honest ones mostly old. */
function writeObservations(data: string): void {
  const words = 'harbour hill stone river oak mill garden north bright green field lake forest bridge'.split(' ')
  const lines = Array.from({ length: 600 }, (_, i) => {
    const bad = i % 4 === 0
    const name = `${words[i % 14]}${words[(i * 5 + 3) % 14]}${i}`
    const isNew = bad ? i % 5 !== 0 : i % 12 === 1
    const age = isNew ? 10 + (i % 300) : 2000 + ((i * 37) % 5000)
    const hasMail = bad ? i % 7 === 0 : i % 6 !== 1
    const isHost = i % 3 === 2
    const cells = [
      `${isHost ? 'www.' : ''}${name}.com`,
      bad ? 'phishing' : 'benign',
      i % 50 === 7 ? '' : age,
      age + 165,
      bad ? 2 : 1,
      bad ? 2 : 0,
      hasMail ? 2 : 0,
      isHost ? 0 : 2,
      1,
      0,
      hasMail ? 1 : 0,
      0,
      85.7,
      bad && i % 8 === 0 ? 0 : 1,
      90,
    ]
    return cells.join(',')
  })
  mkdirSync(join(data, 'live'), { recursive: true })
  const head = 'domain,label,age_days,registration_days,a,aaaa,mx,ns,txt,cname,spf,dnssec,ttl,tls,cert_valid_days'
  writeFileSync(join(data, 'live/observations.csv'), [head, ...lines, ''].join('\n'))
}

test('observed facts are read, fitted and replayed, and the card shows what they bring', async () => {
  const { compiled, rows, scorer } = mini
  writeObservations(folder)
  const observed = readObservations(folder)
  expect(observed).toHaveLength(600)
  // Mail is known of the registrable name alone, and an age that nobody answered is no age.
  expect(observed.filter(({ facts }) => facts.zone === undefined)).toHaveLength(200)
  expect(observed.filter(({ facts }) => facts.registration === undefined)).toHaveLength(12)

  const snapshot = openSnapshot(join(folder, 'mini.snapshot'))
  const models = loadModels()
  const file = fitLive(observed, [snapshot], models)
  // The same data gives the same tables, and the rows of the evaluation take no part in the fit.
  const kept = observed.filter(({ registrable }) => !isJudged(registrable))
  expect(kept.length).toBeGreaterThan(350)
  expect(fitLive(kept, [snapshot], models)).toEqual(file)
  const { age = [], mail = [], alone = [] } = file.tables
  expect(age[0]).toBeGreaterThan(age.at(-1) as number)
  expect(mail[0]).toBeGreaterThan(mail[1] as number)
  expect(alone).toEqual(alone.toSorted((a, b) => b - a))

  const judged = observed.filter(({ registrable }) => isJudged(registrable))
  const figures = measureLive('generated', judged, scorer)
  expect(figures.with.auc).toBeGreaterThan(figures.without.auc + 0.1)
  expect(figures.bands.map(({ name }) => name)).toContain('under 30 days')
  expect(measureLive('nothing seen', judged, scorer, () => ({})).with).toEqual(figures.without)

  const groups = strata(rows)
  const measured = { figures: headlines(rows), groups, limits: [], bins: reliability(rows), strangers: [] }
  const card = (live: readonly LiveFigures[]) =>
    modelCard({
      withFeeds: measured,
      byDefault: measured,
      bundled: measured,
      live,
      own: measureOwn([], scorer),
      feeds: compiled.feeds.length,
      refused: 0,
      looks: [],
    })
  const ages = { ...figures, name: AGES_OF_2020 }
  const shown = card([figures, ages])
  for (const { measure } of liveLimits(figures)) expect(shown).toContain(`| ${measure} |`)
  expect(shown).toContain('| generated |')
  expect(shown).toContain('By age, hosts of 2020')
  expect(card([])).not.toContain('## With live facts')
})

test('each look at July adds a row, and the card shows the last beside June with the gap', () => {
  const file = join(folder, 'looks.csv')
  const june = monthly(headlines(mini.rows), strata(mini.rows))
  expect(readLooks(file)).toEqual([])
  const look = { day: '2026-11-18', commit: 'abc1234' }
  writeLook(file, { ...look, reason: 'before, to know the gap' }, june, june)
  const fallen = june.map(({ name, value }) => ({ name, value: value - 0.03 }))
  writeLook(file, { ...look, reason: 'after' }, june, fallen)
  const looks = readLooks(file)
  expect(looks.map(({ reason }) => reason)).toEqual(['before; to know the gap', 'after'])
  expect(looks[1]?.figures.map(({ name }) => name)).toEqual(june.map(({ name }) => name))
  const groups = strata(mini.rows)
  const measured = { figures: headlines(mini.rows), groups, limits: [], bins: [], strangers: [] }
  const own = measureOwn([], mini.scorer)
  const all = { withFeeds: measured, byDefault: measured, bundled: measured, live: [], own, feeds: 1, refused: 0 }
  expect(modelCard({ ...all, looks: [] })).not.toContain('## June and July')
  const card = modelCard({ ...all, looks })
  expect(card).toContain('2 so far')
  expect(card).toMatch(/\| domains: AUC \| \d\.\d{3} \| \d\.\d{3} \| 0\.030 \| 0\.010 \(\*\*no\*\*\) \|/)
  expect(card).toMatch(/\| domains: high \| .* \| 3\.0 % \| 2\.0 % \(\*\*no\*\*\) \|/)
  writeLook(file, { ...look, reason: 'not adopted: breaks a limit' }, june, june)
  expect(modelCard({ ...all, looks: readLooks(file) })).toBe(card.replace('2 so far', '3 so far'))
  expect(() => writeLook(file, { ...look, reason: 'other' }, june.slice(1), june)).toThrow('other columns')
})

test('the share of one month that is high is also told of the sources of the other, in their shares', () => {
  const stratum = (name: string, count: number, high: number) =>
    ({ kind: 'domain', stratum: name, bad: true, count, shares: { low: 0, medium: 1 - high, high } }) as StratumReport
  const june = [stratum('phishing', 90, 0.2), stratum('malware', 10, 0)]
  const july = [stratum('phishing', 10, 0.1), stratum('malware', 10, 0.5), stratum('new', 80, 0)]
  const of = (figures: ReturnType<typeof monthly>) => figures.find(({ name }) => name.includes('sources'))?.value
  expect(of(monthly([], june))).toBeCloseTo(0.18)
  expect(of(monthly([], july, june))).toBeCloseTo(0.14)
})

test('July is validation: no feed and no fit reads it', () => {
  const lab = import.meta.dirname
  const readers = readdirSync(lab).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const naming = [...readers, 'evaluation/catalogue.json'].filter((name) =>
    readFileSync(join(lab, name), 'utf8').includes('2026-07.csv'),
  )
  expect(naming).toEqual(['evaluate-sets.ts'])
  expect(
    readCatalogue(join(lab, 'evaluation/catalogue.json'))
      .flatMap(({ address }) => address)
      .filter((path) => path.includes('seen_')),
  ).toEqual([])
})

test('a folder without observations has none', () => {
  expect(readObservations(MINI)).toEqual([])
})

test('a limit on facts that is broken says so', () => {
  const shares = { auc: 0.8, badHigh: 0.1, goodHigh: 0, badMedium: 0.3, goodMedium: 0.04 }
  const figures = { name: 'x', bad: 10, good: 10, without: shares, bands: [] }
  const kept = (live: Partial<typeof shares>) =>
    liveLimits({ ...figures, with: { ...shares, ...live } }).map((limit) => limit.kept)
  expect(kept({ auc: 0.84, badHigh: 0.17, goodHigh: 0.01, goodMedium: 0.03 })).toEqual([true, true, true, true])
  expect(kept({ auc: 0.82, badHigh: 0.15, goodHigh: 0.011, goodMedium: 0.035 })).toEqual([false, false, false, false])
})

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
  const fresh = ['com', 'net_org', 'cctld', 'cheap_gtld', 'other_gtld'].map((sort) => row(false, `fresh_${sort}`, 35))
  const [bin] = reliability([row(true, 'phishing', 35), ...good, ...fresh])
  expect(bin).toMatchObject({ from: 30, rows: 96 })
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
