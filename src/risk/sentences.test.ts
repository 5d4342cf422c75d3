import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { memorySnapshot, type SnapshotPlan } from '../../test/support/memory-snapshot.ts'
import { testModels } from '../../test/support/models.ts'
import type { Kind } from '../lib/kinds.ts'
import type { Tag } from '../snapshot/types.ts'
import { type Evaluation, levelOf } from './engine.ts'
import { type Indicator, indicatorText, isProblem, parseIndicator } from './indicator.ts'
import { createScorer, type Scorer } from './score.ts'

const models = testModels()

function parsed(kind: Kind, text: string): Indicator {
  const indicator = parseIndicator(kind, text)
  if (isProblem(indicator)) throw new Error(`${text} was refused: ${indicator.detail}`)
  return indicator
}

/** The scorer of a snapshot that lists all these indicators with the same tags. */
function scorerOf(kind: Kind, indicators: readonly Indicator[], tags: readonly Tag[]): Scorer {
  const names = indicators.map((one) => (one.kind === 'email' ? one.domain : indicatorText(one)))
  const listed = Object.fromEntries(names.map((name) => [name, tags]))
  const plan: SnapshotPlan = kind === 'ip' ? { ips: listed } : { domains: listed }
  return createScorer(memorySnapshot(plan), models)
}

const explained = (scorer: Scorer, kind: Kind, indicator: Indicator): Evaluation =>
  scorer.evaluate(kind, [indicator], { explain: true })[0] as Evaluation

function ask(kind: Kind, text: string, tags: readonly Tag[] = []): Evaluation {
  const indicator = parsed(kind, text)
  return explained(scorerOf(kind, [indicator], tags), kind, indicator)
}

const codesOf = ({ signals }: Evaluation) => signals.map(({ code }) => code)

/** Written by hand for lab/evaluation: questions of clerks, buyers, analysts, developers and operators. */
const [, ...STRANGERS] = readFileSync(new URL('../../lab/evaluation/strangers.csv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split(','))

const LISTED: Readonly<Record<Kind, readonly (readonly Tag[])[]>> = {
  domain: [[], ['phishing'], ['popular_10k'], ['popular_10k', 'malware'], ['parked'], ['dynamic_dns'], ['adware']],
  email: [[], ['freemail'], ['disposable'], ['phishing'], ['relay'], ['freemail', 'popular_1k'], ['mail_provider']],
  ip: [[], ['tor_exit'], ['attack'], ['hosting'], ['vpn'], ['cdn'], ['resolver', 'attack'], ['proxy']],
}
const OURS: ReadonlySet<string> = new Set(['model', 'rules'])

describe('an answer contradicts itself in no sentence', () => {
  test.each(['domain', 'email', 'ip'] as const)('about strangers of the kind %s', (kind) => {
    const strangers = STRANGERS.filter(([, of]) => of === kind).map(([, , text = '']) => text)
    expect(strangers.length).toBeGreaterThan(100)
    LISTED[kind].forEach((tags, turn, { length }) => {
      const some = strangers.filter((_, i) => tags.length === 0 || i % length === turn)
      const indicators = some.map((text) => parsed(kind, text))
      const scorer = scorerOf(kind, indicators, tags)
      for (const indicator of indicators) check(indicatorText(indicator), explained(scorer, kind, indicator))
    })
  })
})

function check(text: string, answer: Evaluation): void {
  const { known, summary = '', score, signals } = answer
  const level = levelOf(score)
  const because = `${text}: ${level}, ${known}, ${summary}`
  const codes = codesOf(answer)
  for (const { code, description, effect } of signals) {
    const where = `${text}: ${code}: ${description}`
    expect(description, where).toMatch(/^\S.*[^.\s]$/)
    expect(description, where).not.toMatch(/undefined|NaN| {2}|clean bill|for or against|stands? out|are rare in/)
    // The models weigh all letters together: a fragment is no reason.
    if (code === 'domain.lexical' || code === 'domain.generated_name') expect(description, where).not.toContain('“')
    if (REASSURING.has(code)) expect(effect, where).toBeLessThanOrEqual(0)
  }
  expect(summary, because).toMatch(/^[A-Z0-9].*\.$/)
  expect(summary, because).not.toMatch(/undefined|none of threats|for or against|clean bill/)
  const byLists = signals.filter(({ source }) => !OURS.has(source))
  if (known === 'nothing') expect(byLists, because).toEqual([])
  if (known === 'good') expect(level, because).toBe('low')
  if (known === 'bad')
    expect(
      byLists.some(({ effect }) => effect > 0),
      because,
    ).toBe(true)
  if (summary.startsWith('Nothing is known')) expect([level, known], because).toEqual(['low', 'nothing'])
  if (level !== 'low' && known === 'nothing') expect(summary, because).toContain('The score comes only from')
  for (const [one, other] of OPPOSITES) {
    expect(codes.includes(one) && codes.includes(other), `${because}: ${one} and ${other}`).toBe(false)
  }
}

const REASSURING: ReadonlySet<string> = new Set(['domain.ordinary_name', 'domain.trusted_suffix', 'domain.popular'])
const OPPOSITES = [
  ['domain.ordinary_name', 'domain.lexical'],
  ['domain.ordinary_name', 'domain.generated_name'],
  ['domain.trusted_suffix', 'domain.suffix_risk'],
] as const

describe('names of people, places and trades', () => {
  it.each([
    'abhishek.com',
    'abhishekmukherjee.com',
    'tewkesbury.org',
    'tewkesburyjoinery.com',
    'oakandstonejoinery.com',
    'kowalczyk-stolarstwo.com',
    'rajeshwari.net',
    'szczecinpiekarnia.com',
    'wojciechowski.org',
    'papadopoulos-dentistry.com',
    'zahnarzt-muenchen.com',
    'tischlerei-hofbauer.com',
    'menuiserie-lefebvre.com',
    'falegnameria-bianchi.com',
    'carpinteria-gutierrez.com',
    'takahashi-pottery.com',
    'siobhan-gallagher.com',
    'yildirim-insaat.com',
    'kovacs-asztalos.com',
    'hakkinen.net',
  ])('never count against %s', (name) => {
    const answer = ask('domain', name)
    expect(codesOf(answer)).not.toContain('domain.generated_name')
    expect(codesOf(answer)).not.toContain('domain.lexical')
    expect(levelOf(answer.score)).toBe('low')
  })

  it('give no pass to a lure, an imitation or chance', () => {
    for (const name of [
      'abhishek-login-verify.com',
      'paypal-tewkesbury-login.com',
      'qzvxkwpjtrb.com',
      'x7k2q9w4zt.net',
    ]) {
      expect(levelOf(ask('domain', name).score), name).not.toBe('low')
    }
    expect(codesOf(ask('domain', 'qzvxkwpjtrb.com'))).toContain('domain.generated_name')
  })

  it('are no random mailbox either', () => {
    for (const local of ['abhishek.mukherjee', 'wojciechowski', 'szczepaniak.k']) {
      expect(codesOf(ask('email', `${local}@gmail.com`, ['freemail'])), local).not.toContain('email.random_local')
    }
  })
})

describe('the words of an answer', () => {
  it('name a rare ending as one under which few names are fraud', () => {
    const sentence = ask('domain', 'harbour-bakery.co.uk').signals.find(({ code }) => code === 'domain.trusted_suffix')
    expect(sentence?.description).toBe('Few names under .co.uk are used for fraud')
  })

  it('give a reason that a person can check for a generated name, or none', () => {
    const saidOf = (name: string) =>
      ask('domain', name).signals.find(({ code }) => code === 'domain.generated_name')?.description
    expect(saidOf('x7k2q9w4zt.net')).toBe('The name looks generated by a program: letters and digits change 8 times')
    expect(saidOf('qzvxkwpjtrb.com')).toMatch(/: 11 consonants in a row$/)
  })

  it('do not call a name bad for a listing that is too weak for more than low', () => {
    const indicator = parseIndicator('domain', 'harbour-bakery.co.uk')
    if (isProblem(indicator)) throw new Error(indicator.detail)
    const snapshot = memorySnapshot({ domains: { 'harbour-bakery.co.uk': [{ tag: 'phishing', confidence: 0.05 }] } })
    const [answer] = createScorer(snapshot, models).evaluate('domain', [indicator], { explain: true })
    expect(answer).toMatchObject({ known: 'mixed' })
    expect(answer?.summary).toMatch(/^A list names it, but too weakly to raise the level\. Listed for phishing by/)
  })

  it('do not say that nothing is known beside a listing', () => {
    const exit = ask('ip', '185.220.101.1', ['tor_exit'])
    expect(exit).toMatchObject({ known: 'neutral' })
    expect(exit.summary).toMatch(/^Listed as a Tor exit node \(Test feed, 2026-05-01\)\. The only threat list does not/)
  })
})
