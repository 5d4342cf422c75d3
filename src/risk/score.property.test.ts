import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memorySnapshot, type SnapshotPlan } from '../../test/support/memory-snapshot.ts'
import { testModels } from '../../test/support/models.ts'
import { runs } from '../../test/support/runs.ts'
import { DAY_MS } from '../lib/clock.ts'
import { formatIp, ipv4, ipv6 } from '../lib/ip.ts'
import { KIND_NAMES, type Kind } from '../lib/kinds.ts'
import type { Facts } from '../live/facts.ts'
import { TAGS, type Tag } from '../snapshot/types.ts'
import { BASE_SCORE } from './combine.ts'
import { levelOf } from './engine.ts'
import { type Indicator, isProblem, parseIndicator } from './indicator.ts'
import { createScorer } from './score.ts'

const models = testModels()
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

const NOW_MS = Date.UTC(2026, 10, 15)
const days = fc.double({ min: -20, max: 12_000, noNaN: true })
const seenMs = fc.constant(NOW_MS)
const names = fc.array(fc.constantFrom('a.example', 'b.example', 'c.example', 'd.example'), { maxLength: 4 })
const facts: fc.Arbitrary<Facts> = fc.record(
  {
    registration: fc.oneof(
      fc.record({
        found: fc.constant(true),
        registeredMs: days.map((age) => NOW_MS - age * DAY_MS),
        expiresMs: days.map((left) => NOW_MS + left * DAY_MS),
        registrar: fc.string({ unit: 'grapheme', maxLength: 80 }),
        statuses: fc.subarray(['active', 'client hold', 'pending delete']),
        server: fc.constant('rdap.example'),
        seenMs,
      }),
      fc.record({ found: fc.boolean(), statuses: fc.constant([]), server: fc.constant('rdap.example'), seenMs }),
    ),
    zone: fc.record({
      exists: fc.boolean(),
      mx: names,
      nullMx: fc.boolean(),
      ns: names,
      spf: fc.constantFrom('absent', 'softfail', 'invalid', 'unknown'),
      dmarc: fc.constantFrom('absent', 'none', 'reject', 'invalid', 'unknown'),
      wildcard: fc.boolean(),
      seenMs,
    }),
    host: fc.record({
      exists: fc.boolean(),
      addresses: fc.array(address, { maxLength: 6 }),
      aliases: names,
      dangling: fc.boolean(),
      seenMs,
    }),
    certificate: fc.record({ answered: fc.boolean(), seenMs }),
    reverse: fc.record({ names, confirmed: names, seenMs }),
  },
  { requiredKeys: [] },
)

for (const kind of KIND_NAMES) {
  test(`any ${kind} with any evidence and any facts is explained to the point, and again the same`, () => {
    fc.assert(
      fc.property(textOf(kind), tags, facts, (text, chosen, seen) => {
        const indicator = parseIndicator(kind, text)
        if (isProblem(indicator)) return
        const scorer = createScorer(memorySnapshot(planFor(indicator, chosen)), models)
        const options = { facts: [seen], nowMs: NOW_MS }
        const [explained] = scorer.evaluate(kind, [indicator], { explain: true, ...options })
        const [plain] = scorer.evaluate(kind, [indicator], { explain: false, ...options })
        expect(scorer.evaluate(kind, [indicator], { explain: true, ...options })).toEqual([explained])
        expect(plain).toEqual({ score: explained?.score, signals: [] })
        expect(explained?.score).toBeGreaterThanOrEqual(0)
        expect(explained?.score).toBeLessThanOrEqual(100)
        const sum = explained?.signals.reduce((total, { effect }) => total + effect, BASE_SCORE)
        expect(sum).toBe(explained?.score)
        expect(new Set(explained?.signals.map(({ code }) => code)).size).toBe(explained?.signals.length)
        for (const { description } of explained?.signals ?? []) expect(description).not.toMatch(/undefined|NaN|[\n\r]/)
      }),
      { numRuns: runs(100) },
    )
  })
}

test('an older name is never riskier than a younger one with the same facts', () => {
  fc.assert(
    fc.property(host, tags, facts, days, days, (text, chosen, seen, one, other) => {
      const indicator = parseIndicator('domain', text)
      if (isProblem(indicator)) return
      const scorer = createScorer(memorySnapshot(planFor(indicator, chosen)), models)
      const scoreAt = (age: number) => {
        const registration = {
          found: true,
          registeredMs: NOW_MS - age * DAY_MS,
          statuses: [],
          server: 'r',
          seenMs: NOW_MS,
        }
        const options = { explain: false, facts: [{ ...seen, registration }], nowMs: NOW_MS }
        return scorer.evaluate('domain', [indicator], options)[0]?.score ?? 0
      }
      expect(scoreAt(Math.max(one, other))).toBeLessThanOrEqual(scoreAt(Math.min(one, other)))
    }),
    { numRuns: runs(150) },
  )
})

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
      { numRuns: runs(100) },
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
