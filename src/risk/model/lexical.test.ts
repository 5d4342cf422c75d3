import { describe, expect, it, test } from 'vitest'
import { memorySnapshot } from '../../../test/support/memory-snapshot.ts'
import { testModels } from '../../../test/support/models.ts'
import { ListedNamesCounter } from '../../snapshot/listed-names.ts'
import { levelOf } from '../engine.ts'
import { createScorer } from '../score.ts'
import { isMadeUp } from './dga.ts'
import { SUFFIX_INPUTS_AT } from './lexical.ts'
import { shapeOf } from './name.ts'
import { createJudge } from './network.ts'

const models = testModels()
const { lexical, lexicon, generated } = models

/** A campaign beside names of every sort, as a list of the day has them. */
function campaign(stem: string, form: readonly string[] = []): ReturnType<ListedNamesCounter['count']> {
  const counter = new ListedNamesCounter()
  const list = { number: 0, halfLifeDays: 30 }
  const add = (label: string, suffix = 'com') =>
    counter.add(list, 'phishing', { registrable: `${label}.${suffix}`, label, isOnPlatform: false }, 0.9)
  for (let i = 0; i < 6_000; i++) add(`${'bcdfgklmnprst'[i % 13]}${'aeiou'[i % 5]}${i.toString(36)}`)
  for (let i = 0; i < 1_500; i++) add(`${stem}${i}`)
  for (const label of form) add(label, 'top')
  return counter.count(() => false)
}

const NOTHING = { names: 0, weight: 0, grams: new Uint32Array(0), forms: new Uint32Array(0) }

function total(model: typeof lexical, label: string, suffix = 'com'): number {
  const { name, suffix: bySuffix } = model.assess(label, shapeOf(label, lexicon), suffix, -6)
  return name + bySuffix
}

describe('the wording model', () => {
  const taught = lexical.learn(campaign('parzelvo'))

  it('learns from lists: the next name of a campaign is worse than before, another is not', () => {
    expect(total(taught, 'parzelvo-zoll')).toBeGreaterThan(total(taught, 'merzelda-zoll') + 0.5)
    expect(total(taught, 'parzelvo-zoll')).toBeGreaterThan(total(lexical, 'parzelvo-zoll') + 0.5)
  })

  it('learns forms: a next name of a program under an ending is worse there, and not elsewhere', () => {
    const letters = 'bdfgjkmnpqrtvwxz'
    const six = Array.from({ length: 1_500 }, (_, i) =>
      [...((i * 7_919_111) % 16 ** 6).toString(16).padStart(6, '0')]
        .map((digit) => letters[parseInt(digit, 16)])
        .join(''),
    )
    const formed = lexical.learn(campaign('parzelvo', six))
    const more = (label: string, suffix: string) => total(formed, label, suffix) - total(taught, label, suffix)
    expect(more('hcyusl', 'top')).toBeGreaterThan(0.3)
    expect(more('hcyusl', 'top')).toBeGreaterThan(more('hcyusl', 'xyz') + 0.3)
    expect(formed.isFormListed('hcyusl', 'top')).toBe(true)
    for (const [label, suffix] of [
      ['hcyusl', 'xyz'],
      ['hcyuslo', 'top'],
      ['hcyus7', 'top'],
    ] as const) {
      expect(formed.isFormListed(label, suffix), `${label}.${suffix}`).toBe(false)
    }
    expect(lexical.isFormListed('hcyusl', 'top')).toBe(false)
  })

  it('does without forms where the snapshot of an earlier release has none', () => {
    const older = lexical.learn({ ...campaign('parzelvo'), forms: new Uint32Array(0) })
    expect(total(older, 'parzelvo-zoll')).toBeGreaterThan(total(lexical, 'parzelvo-zoll') + 0.5)
    expect(older.isFormListed('parzelvo', 'com')).toBe(false)
  })

  it('gives the judge the form of the whole name, also where it reads only a part', () => {
    const whole = 'nike-outlet24'
    const form = shapeOf(whole, lexicon)
    const inputs = lexical.inputs('outlet24', shapeOf('outlet24', lexicon), 'com', -6, whole, form)
    expect([...inputs.slice(9, SUFFIX_INPUTS_AT)]).toEqual([13, 1, 2, 5])
  })

  it('is as it was where nothing is listed', () => {
    expect(lexical.learn(NOTHING)).toBe(lexical)
    expect(taught.learn(NOTHING)).toBe(lexical)
  })

  it('refuses counts that are not in its buckets', () => {
    expect(() => lexical.learn({ ...NOTHING, grams: new Uint32Array(8) })).toThrow('buckets of listed names')
  })

  it('leaves an honest name low under every ending, with lists and without', () => {
    const snapshot = memorySnapshot()
    for (const known of [snapshot, { ...snapshot, listedNames: campaign('parzelvo') }]) {
      const scorer = createScorer(known, models)
      for (const suffix of ['com', 'net', 'top', 'xyz', 'shop', 'cc', 'icu', 'de', 'com.cn', 'ru', 'online', 'zzzz']) {
        for (const name of ['harbourbakery', 'oakfieldplumbing', 'lindqvist']) {
          const indicators = [{ kind: 'domain', domain: `${name}.${suffix}` } as const]
          const [answer] = scorer.evaluate('domain', indicators, { explain: false })
          expect(levelOf(answer?.score ?? 100), `${name}.${suffix}`).toBe('low')
        }
      }
    }
  })
})

test('the judge takes inputs beyond what it was fitted on as if they were at the edge', () => {
  const judge = createJudge({
    inputs: [[1, 2]],
    hidden: [[1, 0]],
    output: [3, 0.5],
    ordinary: [0, 0],
  })
  const at = (value: number) => judge.logOdds(Float64Array.of(value))
  expect(at(1)).toBe(0.5)
  expect(at(3)).toBeCloseTo(0.5 + 3 * 0.5)
  expect(at(900)).toBe(at(9))
  expect(at(-900)).toBe(at(-7))
})

test('a judge asked again about other last inputs says what it says of all of them', () => {
  const judge = createJudge({
    inputs: [
      [0, 1],
      [1, 2],
      [0, 0.5],
    ],
    hidden: [
      [1, -2, 0.5, 0.1],
      [-0.3, 0.8, 1.5, 0],
    ],
    output: [3, -1, 0.5],
    ordinary: [0, 0],
  })
  for (const last of [
    [2, 0.4],
    [2, -0.7],
    [-900, 900],
  ] as const) {
    const inputs = Float64Array.of(0.7, ...last)
    judge.logOdds(Float64Array.of(0.7, 5, 1))
    const again = judge.logOddsAgain(inputs, 1)
    expect(again).toBeCloseTo(judge.logOdds(inputs), 10)
  }
})

test('strings of letters and of any words look made up, and names of firms do not', () => {
  const looks = (label: string, suffix: string) => {
    const shape = shapeOf(label, lexicon)
    return isMadeUp(generated.logOdds(label, shape), shape, suffix)
  }
  for (const [label, suffix] of [
    ['qzkvtrbnwlxp', 'com'],
    ['x7k2m9q1z5w3v8', 'net'],
    ['4f9a02c7e1b85d3360aa9f12', 'org'],
    ['theirhasupontoofannihilate', 'com'],
    ['wzqkxjvtrpbn', 'com'],
    ['gtrkvbnzxqwplm', 'org'],
    ['lampriverguessticketbravehollow', 'com'],
  ] as const)
    expect(looks(label, suffix), label).toBe(true)
  for (const label of [
    'harbourbakery',
    'oakfieldplumbing',
    'thehouseofflowers',
    'bestpizzaintown',
    'lindqvist',
    'laughingkidslearn',
    'pushbuildtestdeploy',
  ])
    expect(looks(label, 'com'), label).toBe(false)
})

test('under an ending that vouches for its names, a name has to look more made up', () => {
  const shape = shapeOf('vloerwerkenpeeters', lexicon)
  expect(isMadeUp(1.5, shape, 'net')).toBe(true)
  expect(isMadeUp(1.5, shape, 'be')).toBe(true)
  expect(isMadeUp(1.5, shape, 'be', -2)).toBe(false)
  expect(isMadeUp(4, shape, 'be', -2)).toBe(true)
  // A risky ending makes no name look made up.
  expect(isMadeUp(-0.5, shape, 'top', 1.3)).toBe(false)
})

test('words that hold sentences together are counted', () => {
  expect(lexicon.cover('thehouseandthegarden').glue).toBe(3)
  expect(lexicon.cover('harbourbakery').glue).toBe(0)
  // Those of two letters only between the words: they are in every name.
  expect(lexicon.cover('kitchenofgarden')).toMatchObject({ covered: 13, words: 2, glue: 1 })
})
