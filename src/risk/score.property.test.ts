import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memorySnapshot, type SnapshotPlan } from '../../test/support/memory-snapshot.ts'
import { formatIp, ipv4, ipv6 } from '../lib/ip.ts'
import { KIND_NAMES, type Kind } from '../lib/kinds.ts'
import { TAGS, type Tag } from '../snapshot/types.ts'
import { BASE_SCORE } from './combine.ts'
import { levelOf } from './engine.ts'
import { type Indicator, isProblem, parseIndicator } from './indicator.ts'
import { loadModels } from './model/load.ts'
import { createScorer } from './score.ts'

const models = loadModels()
const tags = fc.subarray(Object.keys(TAGS) as Tag[], { maxLength: 6 })

const label = fc.oneof(
  fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  fc.constantFrom('xn--zzzzzzzz9', 'xn--80ak6aa92e', 'paypal', 'раураl', 'a'.repeat(63), '1', 'com', 'login-paypal'),
)
const host = fc
  .tuple(
    fc.array(label, { minLength: 1, maxLength: 4 }),
    fc.constantFrom('com', 'top', 'co.uk', 'github.io', 'test', 'рф'),
  )
  .map(([labels, suffix]) => `${labels.join('.')}.${suffix}`)
const local = fc.oneof(
  fc.stringMatching(/^[a-z0-9._+-]{1,40}$/),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
)
const word = fc.integer({ min: 0, max: 0xffffffff })
const address = fc.oneof(
  word.map((value) => formatIp(ipv4(value))),
  fc.tuple(word, word, word, word).map((words) => formatIp(ipv6(...words))),
)

function textOf(kind: Kind): fc.Arbitrary<string> {
  if (kind === 'domain') return host
  return kind === 'ip' ? address : fc.tuple(local, host).map(([before, after]) => `${before}@${after}`)
}

function planFor(indicator: Indicator, chosen: readonly Tag[]): SnapshotPlan {
  if (indicator.kind === 'ip') return { ips: { [formatIp(indicator.ip)]: chosen } }
  const plan = { domains: { [indicator.domain]: chosen } }
  return indicator.kind === 'email' ? { ...plan, emails: { [indicator.address]: chosen } } : plan
}

for (const kind of KIND_NAMES) {
  test(`any ${kind} with any evidence scores an integer from 0 to 100, explained effects add up, and again the same`, () => {
    fc.assert(
      fc.property(textOf(kind), tags, (text, chosen) => {
        const indicator = parseIndicator(kind, text)
        if (isProblem(indicator)) return
        const snapshot = memorySnapshot(planFor(indicator, chosen))
        const scorer = createScorer(snapshot, models)
        const [explained] = scorer.evaluate(kind, [indicator], { explain: true })
        const [plain] = scorer.evaluate(kind, [indicator], { explain: false })
        const [again] = createScorer(snapshot, models).evaluate(kind, [indicator], { explain: true })
        expect(again).toEqual(explained)
        expect(plain).toEqual({ score: explained?.score, signals: [] })
        expect(Number.isInteger(explained?.score)).toBe(true)
        expect(explained?.score).toBeGreaterThanOrEqual(0)
        expect(explained?.score).toBeLessThanOrEqual(100)
        const sum = explained?.signals.reduce((total, { effect }) => total + effect, BASE_SCORE)
        expect(sum).toBe(explained?.score)
      }),
      { numRuns: 300 },
    )
  })
}

test('more of the same listing never lowers a score, and no number of echoes makes 100', () => {
  const indicator = parseIndicator('domain', 'harbourbakery.com')
  if (isProblem(indicator)) throw new Error(indicator.detail)
  let before = 0
  for (let count = 1; count <= 12; count++) {
    const listings = Array.from({ length: count }, (_, i) => ({
      source: `feed-${i}`,
      tag: 'phishing' as const,
      confidence: 0.7,
    }))
    const scorer = createScorer(memorySnapshot({ domains: { 'harbourbakery.com': listings } }), models)
    const score = scorer.evaluate('domain', [indicator], { explain: false })[0]?.score ?? 0
    expect(score).toBeGreaterThanOrEqual(before)
    expect(score).toBeLessThan(100)
    before = score
  }
  expect(levelOf(before)).toBe('high')
})

test('the giants are low even when a stray feed lists them', () => {
  const giants: readonly (readonly [Kind, string, SnapshotPlan])[] = [
    ['ip', '8.8.8.8', { ips: { '8.8.8.8': ['attack', 'resolver', 'big_provider'] } }],
    ['domain', 'google.com', { domains: { 'google.com': ['phishing', 'malware', 'popular_1k', 'known_good'] } }],
    ['domain', 'paypal.com', { domains: { 'paypal.com': ['phishing', 'popular_1k'] } }],
    ['email', 'jane.doe@gmail.com', { domains: { 'gmail.com': ['spam', 'freemail', 'mail_provider', 'popular_1k'] } }],
    ['email', 'accounts@microsoft.com', { domains: { 'microsoft.com': ['popular_1k'] } }],
  ]
  for (const [kind, text, plan] of giants) {
    const indicator = parseIndicator(kind, text)
    if (isProblem(indicator)) throw new Error(indicator.detail)
    const [answer] = createScorer(memorySnapshot(plan), models).evaluate(kind, [indicator], { explain: false })
    expect(levelOf(answer?.score ?? 100), text).toBe('low')
  }
})

test('every disposable domain is at least medium, however popular and however unsure the list', () => {
  const plan: SnapshotPlan = {
    domains: { 'mailinator.com': [{ tag: 'disposable', confidence: 0.2 }, 'popular_1k', 'freemail'] },
  }
  for (const [kind, text] of [
    ['email', 'anna@mailinator.com'],
    ['domain', 'mailinator.com'],
    ['email', 'anna@sub.mailinator.com'],
  ] as const) {
    const indicator = parseIndicator(kind, text)
    if (isProblem(indicator)) throw new Error(indicator.detail)
    const [answer] = createScorer(memorySnapshot(plan), models).evaluate(kind, [indicator], { explain: false })
    expect(answer?.score, text).toBeGreaterThanOrEqual(30)
  }
})
