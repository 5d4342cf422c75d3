import { describe, expect, test } from 'vitest'
import { testModels } from '../../test/support/models.ts'
import * as combining from './combine.ts'
import { BASE_SCORE, createCalibration, effectsOf, scoreOf } from './combine.ts'
import { levelOf } from './engine.ts'
import { luresIn } from './model/lures.ts'
import { shapeOf } from './model/name.ts'
import fitted from './model/weights.json' with { type: 'json' }
import { ALL_SIGNALS } from './signals/all.ts'
import type { Detected } from './signals/detect.ts'
import { FLOORS, GROUPS, INTERACTIONS, INTERACTS_FROM } from './weights/groups.ts'
import { BASE_LOG_ODDS } from './weights/price.ts'
import { SIGNALS_MAX } from './weights/prices.ts'
import { weighWithoutFacts } from './weights/weigh.ts'

const combine = (detected: readonly Detected[]) => combining.combine(detected, weighWithoutFacts(detected))
const combinedScore = (detected: readonly Detected[]) => combining.combinedScore(detected, weighWithoutFacts(detected))
const combinedLogOdds = (detected: readonly Detected[]) =>
  combining.combinedLogOdds(detected, weighWithoutFacts(detected))

const finding = (more: Partial<Detected['findings'][number]> = {}) => [{ source: 'rules', confidence: 1, ...more }]
const popular: Detected = { code: 'domain.popular', group: 'standing', findings: finding({ tag: 'popular_1k' }) }
const listed: Detected = { code: 'domain.listed', group: 'listing', findings: finding({ tag: 'phishing' }) }
const disposable: Detected = { code: 'email.disposable', group: 'mailbox', findings: finding({ variant: 'listed' }) }
const ordinary: Detected = { code: 'domain.ordinary_name', group: 'wording', findings: finding({ confidence: 3 }) }
const lookalike: Detected = {
  code: 'domain.lookalike',
  group: 'name',
  findings: finding({ variant: 'typo.best' }),
}
const hosted: Detected = { code: 'domain.free_hosting', group: 'hosting', findings: finding({ variant: 'open' }) }

function total(detected: readonly Detected[]): number {
  return BASE_SCORE + effectsOf(combine(detected)).reduce((sum, effect) => sum + effect, 0)
}

describe('adding up', () => {
  test('standing answers an accusation', () => {
    expect(levelOf(combinedScore([listed]))).toBe('high')
    expect(levelOf(combinedScore([listed, popular]))).toBe('low')
  })

  test('neither fame nor an ordinary name takes anything off a throw-away mailbox', () => {
    const alone = combinedScore([disposable])
    expect(levelOf(alone)).toBe('high')
    expect(combinedScore([disposable, popular])).toBe(alone)
    expect(combinedScore([disposable, popular, ordinary])).toBe(alone)
  })

  test('an interaction adds where both are there, and the effects still add up', () => {
    const [interaction] = INTERACTIONS.filter(({ name }) => name === 'brand × platform')
    const apart = combinedLogOdds([lookalike]) + combinedLogOdds([hosted]) - BASE_LOG_ODDS
    expect(combinedLogOdds([lookalike, hosted])).toBeCloseTo(apart + (interaction?.adds ?? Number.NaN))
    for (const detected of [[lookalike, hosted], [listed, popular, ordinary], [disposable, popular], [popular]]) {
      expect(total(detected)).toBe(combine(detected).score)
      expect(combine(detected).score).toBe(combinedScore(detected))
    }
  })

  test('a suffix moves a score and never decides it: under none is a name medium by its suffix alone', () => {
    const { lexical, lexicon } = testModels()
    const shape = shapeOf('harbourbakery', lexicon)
    for (const suffix of ['top', 'xyz', 'shop', 'cc', 'icu', 'cyou', 'cfd', 'com', 'de', 'vip', 'help']) {
      const worth = Math.max(0, lexical.assess('harbourbakery', shape, suffix, -6).suffix)
      expect(levelOf(scoreOf(BASE_LOG_ODDS + worth)), suffix).toBe('low')
    }
  })
})

/** The sum as combine.ts describes it, in plain steps. */
function recomputed(detected: readonly Detected[]): number {
  const worths = [...weighWithoutFacts(detected)]
  for (const [name, { min, max, echo }] of Object.entries(GROUPS)) {
    const members = detected.flatMap(({ group }, i) => (group === name ? [i] : []))
    const strongest = members.find((i) => worths[i] === Math.max(...members.map((k) => worths[k]!)))
    for (const i of members) if (worths[i]! > 0 && i !== strongest) worths[i]! *= echo
    const sum = members.reduce((total, i) => total + worths[i]!, 0)
    const cut = Math.min(max, Math.max(min, sum))
    if (cut !== sum) for (const i of members) worths[i]! *= cut / sum
  }
  for (const { first, second, adds } of INTERACTIONS) {
    const a = detected.findIndex(({ code }, i) => first.has(code) && worths[i]! > INTERACTS_FROM)
    const b = detected.findIndex(({ code }, i) => second.has(code) && worths[i]! > 0)
    if (a < 0 || b < 0) continue
    worths[a]! += adds / 2
    worths[b]! += adds / 2
  }
  const total = (wanted: (role: string) => boolean) =>
    worths.reduce((sum, worth, i) => sum + (wanted(GROUPS[detected[i]!.group].role) ? worth : 0), 0)
  const claims = total((role) => role === 'claim')
  const floor = claims > 0 ? FLOORS.claimed : FLOORS.unclaimed
  return (
    BASE_LOG_ODDS +
    Math.max(
      floor,
      total((role) => role !== 'claim'),
    ) +
    claims
  )
}

test('the memory for worths holds every signal at once, and all of them are counted', () => {
  const codes = new Set(ALL_SIGNALS.map(({ code }) => code))
  expect(SIGNALS_MAX).toBe(codes.size)
  const everything = [...codes].map((code): Detected => {
    const { group } = ALL_SIGNALS.find((signal) => signal.code === code)!
    return { code, group, findings: [{ source: 'rules', confidence: 0.7 }] }
  })
  // Knowledge of the organisation itself decides instead of adding up (signals/own.test.ts).
  const added = everything.filter(({ code }) => !code.startsWith('own.'))
  expect(combinedLogOdds(added)).toBeCloseTo(recomputed(added), 9)
  for (let i = 0; i < added.length; i++) {
    const without = added.toSpliced(i, 1)
    expect(combinedLogOdds(without), added[i]!.code).toBeCloseTo(recomputed(without), 9)
  }
  for (const kind of ['email', 'domain', 'ip']) {
    const some = added.filter(({ code }) => code.startsWith(kind))
    expect(combinedLogOdds(some), kind).toBeCloseTo(recomputed(some), 9)
  }
})

describe('the calibration', () => {
  const points = createCalibration(fitted.calibration)

  test('rises everywhere, from 0 to 100', () => {
    let before = -1
    for (let logOdds = -12; logOdds <= 12; logOdds += 0.05) {
      expect(points(logOdds)).toBeGreaterThan(before)
      before = points(logOdds)
    }
    expect(points(-12)).toBeLessThan(0.1)
    expect(points(12)).toBeGreaterThan(99.9)
  })

  test('leaves an indicator nothing is known about where it is', () => {
    expect(points(BASE_LOG_ODDS)).toBeCloseTo(100 / (1 + Math.exp(-BASE_LOG_ODDS)), 5)
  })

  test('without knots changes nothing', () => {
    expect(createCalibration({ knots: [] })(0)).toBe(50)
  })
})

test('lures are whole words, or the beginning and end of longer ones, and no part of other words', () => {
  const { lexicon } = testModels()
  const lures = (label: string) => luresIn(label, lexicon)
  expect(lures('claim-wallet-airdrop-verify').words).toEqual(['claim', 'wallet', 'airdrop', 'verify'])
  expect(lures('walletverify2024')).toEqual({ words: ['wallet', 'verify'], count: 1 })
  const others =
    'coffee customsigns customsoftwareservices smithimmigration phone-accessories coliseum manufacture detectiveagency ' +
    'dropshipping cambridge kontorservice pakketservice-drenthe paketdienst-huber'
  for (const name of others.split(' ')) expect(lures(name).count, name).toBe(0)
  expect(lures('security-door-center').count).toBe(1)
  expect(lures('pakket-betaling').count).toBe(2)
})

test('a name all of whose words are brands is the same asked first and asked later', () => {
  const { lexical, lexicon } = testModels()
  const ask = () => lexical.assess('', shapeOf('', lexicon), 'top', -6)
  const first = ask()
  lexical.assess('harbour', shapeOf('harbour', lexicon), 'top', -6)
  expect(ask()).toEqual(first)
  expect(Number.isFinite(first.suffix)).toBe(true)
})
