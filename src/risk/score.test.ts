import { describe, expect, test } from 'vitest'
import { memorySnapshot, type SnapshotPlan } from '../../test/support/memory-snapshot.ts'
import { testModels } from '../../test/support/models.ts'
import type { Kind } from '../lib/kinds.ts'
import type { Evidence, Tag } from '../snapshot/types.ts'
import { BASE_SCORE } from './combine.ts'
import { type Evaluation, levelOf } from './engine.ts'
import { isProblem, parseIndicator } from './indicator.ts'
import { createScorer } from './score.ts'

const models = testModels()

function evaluate(kind: Kind, text: string, plan: SnapshotPlan = {}): Evaluation {
  const indicator = parseIndicator(kind, text)
  if (isProblem(indicator)) throw new Error(`${text}: ${indicator.detail}`)
  return createScorer(memorySnapshot(plan), models).evaluate(kind, [indicator], { explain: true })[0] as Evaluation
}

const GMAIL: SnapshotPlan = { domains: { 'gmail.com': ['freemail', 'popular_1k'] } }

function codes({ signals }: Evaluation): string[] {
  return signals.map(({ code }) => code)
}

describe('score', () => {
  test('an address nothing is known about is low with no signals', () => {
    const answer = evaluate('ip', '203.0.112.7')
    expect(answer).toMatchObject({ score: BASE_SCORE, signals: [], known: 'nothing' })
    expect(levelOf(answer.score)).toBe('low')
  })

  test('a private address is low, says so, and moves nothing whatever a feed claims', () => {
    const answer = evaluate('ip', '192.168.1.1', { ips: { '192.168.0.0/16': ['attack'] } })
    expect(answer.score).toBe(BASE_SCORE)
    expect(answer.signals).toMatchObject([{ code: 'ip.not_public', effect: 0, source: 'rules', first_seen: null }])
  })

  test('a listed domain is high and carries source and dates', () => {
    const answer = evaluate('domain', 'quiet-example-site.com', { domains: { 'quiet-example-site.com': ['phishing'] } })
    expect(levelOf(answer.score)).toBe('high')
    expect(answer.signals).toContainEqual(
      expect.objectContaining({
        code: 'domain.listed',
        description: 'Listed for phishing by Test feed; last seen 2026-05-01',
        source: 'test-feed',
        first_seen: '2026-05-01T00:00:00.000Z',
      }),
    )
  })

  test('a listing says for what, by whom, by how many others, and when it was last seen', () => {
    const listed = (...rows: readonly Partial<Evidence>[]) =>
      evaluate('domain', 'quiet-name.net', { domains: { 'quiet-name.net': rows } }).signals.find(
        ({ code }) => code === 'domain.listed',
      )
    const june = Date.UTC(2026, 5, 2)
    expect(
      listed({ source: 'b', lastSeenMs: june }, { source: 'c', tag: 'c2' }, { confidence: 1 }, { source: 'b' }),
    ).toMatchObject({
      description: 'Listed for phishing and controlling malware by Test feed and 2 more; last seen 2026-06-02',
      source: 'test-feed',
    })
    // A source that gives no dates takes none from those that do.
    expect(listed({ source: 'b', firstSeenMs: 0, lastSeenMs: 0 }, {})).toMatchObject({
      first_seen: '2026-05-01T00:00:00.000Z',
    })
    expect(listed({ source: 'b', firstSeenMs: 0, lastSeenMs: 0 })).toMatchObject({
      description: 'Listed for phishing by b',
      first_seen: null,
      last_seen: null,
    })
  })

  test('an internationalised ending is written in its own script, and no other label is', () => {
    const ending = evaluate('domain', 'harbour.xn--p1ai').signals.find(({ description }) =>
      description.includes('used for fraud'),
    )
    expect(ending?.description).toContain('under .рф ')
    // The look-alike of paypal.com is not shown as one.
    const said = evaluate('domain', 'xn--pypal-4ve.com').signals.map(({ description }) => description)
    expect(said.join()).not.toContain('p\u0430ypal')
  })

  test('a suffix of a registry says that it is one, and is not judged as a name somebody chose', () => {
    for (const name of ['co.uk', 'act.edu.au', 'com.br']) {
      const answer = evaluate('domain', name)
      expect(answer).toMatchObject({ score: BASE_SCORE, signals: [{ code: 'domain.public_suffix', effect: 0 }] })
    }
    const authority = evaluate('domain', 'gov.uk')
    expect(codes(authority)).toEqual(['domain.government', 'domain.public_suffix'])
    expect(authority.known).toBe('good')
    expect(codes(evaluate('domain', 'github.io'))).not.toContain('domain.public_suffix')
  })

  test.each([
    ['nothing known', 'domain', 'quiet-name.net', {}, 'nothing', /the only list .*does not name it/],
    ['a suspicious name', 'domain', 'paypal-login.top', {}, 'nothing', /comes only from its name/],
    ['a listing', 'domain', 'quiet-name.net', { domains: { 'quiet-name.net': ['phishing'] } }, 'bad', /phishing by/],
    [
      'a popular site',
      'domain',
      'quiet-name.net',
      { domains: { 'quiet-name.net': ['popular_1k'] } },
      'good',
      /visited/,
    ],
    ['both', 'domain', 'google.com', { domains: { 'google.com': ['phishing', 'popular_1k'] } }, 'mixed', /against/],
    [
      'a stranger at a famous provider',
      'email',
      'jo.smith@gmail.com',
      GMAIL,
      'neutral',
      /^A free mailbox .*threat list/,
    ],
    ['a private address', 'ip', '10.1.2.3', {}, 'not_public', /^Nothing to check: .*private/],
    ['a name nobody can register', 'domain', 'server.internal', {}, 'not_public', /\.internal is not a public ending/],
    ['a name of manuals', 'email', 'jane@example.com', GMAIL, 'not_public', /reserved for examples/],
    [
      'a listed name nobody can register',
      'domain',
      'evil.test',
      { domains: { 'evil.test': ['phishing'] } },
      'bad',
      /./,
    ],
  ] as const)('%s is known as such', (_what, kind, text, plan, known, summary) => {
    const answer = evaluate(kind, text, plan)
    expect(answer.known).toBe(known)
    expect(answer.summary).toMatch(summary)
  })

  test('one stray listing does not condemn a giant', () => {
    const answer = evaluate('domain', 'google.com', { domains: { 'google.com': ['phishing', 'popular_1k'] } })
    expect(levelOf(answer.score)).toBe('low')
    expect(codes(answer)).toContain('domain.popular')
  })

  test('fame of a platform does not shield its customers', () => {
    const plan: SnapshotPlan = { domains: { 'github.io': ['popular_1k'], 'evil-login.github.io': ['phishing'] } }
    const answer = evaluate('domain', 'evil-login.github.io', plan)
    expect(levelOf(answer.score)).toBe('high')
    expect(codes(answer)).not.toContain('domain.popular')
  })

  test('a relay is medium, however many lists know it and whatever throw-away lists call it', () => {
    const alone: readonly Tag[] = ['relay', 'known_good']
    for (const tags of [alone, [...alone, 'relay', 'relay', 'disposable', 'disposable'] as const]) {
      for (const host of ['duck.com', 'privaterelay.appleid.com']) {
        const answer = evaluate('email', `jane@${host}`, { domains: { [host]: tags } })
        expect(levelOf(answer.score), host).toBe('medium')
        expect(codes(answer)).not.toContain('email.disposable')
        expect(codes(answer)).not.toContain('domain.disposable')
        expect(codes(answer).filter((code) => code === 'email.privacy_relay')).toHaveLength(1)
      }
    }
  })

  test('a name vouched for imitates nobody', () => {
    const plan: SnapshotPlan = { domains: { 'paypalobjects.com': [{ tag: 'known_good', confidence: 1 }] } }
    for (const name of ['paypalobjects.com', 'www.paypalobjects.com']) {
      expect(codes(evaluate('domain', name, plan))).not.toContain('domain.combosquat')
    }
    expect(codes(evaluate('domain', 'paypalobjects.com'))).toContain('domain.combosquat')
  })

  test('an honest name does not excuse the brand put in front of it', () => {
    for (const [name, level] of [
      ['paypal.com.smithbakery.com', 'high'],
      ['paypal.com.smithbakery.co.uk', 'high'],
      ['secure-paypal.smithbakery.co.uk', 'high'],
      ['paypal.smithbakery.co.uk', 'low'],
    ] as const) {
      expect(levelOf(evaluate('domain', name).score), name).toBe(level)
    }
  })

  test('a name given by the platform says nothing of its customer', () => {
    for (const name of [
      'd111111abcdef8.cloudfront.net',
      'x7k2q9w4zt.execute-api.eu-west-1.amazonaws.com',
      'q8zjx1v0wd3kf5.lambda-url.us-east-1.on.aws',
    ]) {
      const answer = evaluate('domain', name)
      expect(codes(answer), name).toEqual(['domain.free_hosting'])
      expect(levelOf(answer.score), name).toBe('low')
    }
    expect(codes(evaluate('domain', 'x7k2q9w4zt.github.io'))).toContain('domain.generated_name')
  })

  test('a look-alike that the eye does not tell apart is high, with the hyphen of its brand or a word in it', () => {
    for (const name of ['kuehne-nage1.com', 'schneider-electrlc.com', 'caterpiliar.com', 'rnicrosoft.com']) {
      expect(levelOf(evaluate('domain', name).score), name).toBe('high')
    }
  })

  test('a name on a platform is no alarm by how it is built alone', () => {
    for (const name of ['tetris-clone.pages.dev', 'todo-list-api.herokuapp.com', 'airdropify-hub-x.web.app']) {
      expect(levelOf(evaluate('domain', name).score), name).not.toBe('high')
    }
    expect(levelOf(evaluate('domain', 'metamask-wallet-login.pages.dev').score)).toBe('high')
  })

  test('effects and the base score add up to the score', () => {
    for (const [kind, text, plan] of [
      ['domain', 'paypal-login.top', {}],
      ['domain', 'google.com', { domains: { 'google.com': ['phishing', 'popular_1k'] } }],
      ['ip', '8.8.8.8', { ips: { '8.8.8.8': ['resolver', 'attack', 'big_provider'] } }],
      ['email', 'paypal.security@gmail.com', { domains: { 'gmail.com': ['freemail', 'popular_1k'] } }],
    ] as const) {
      const answer = evaluate(kind, text, plan)
      const sum = answer.signals.reduce((total, { effect }) => total + effect, BASE_SCORE)
      expect(sum, text).toBe(answer.score)
    }
  })
})
