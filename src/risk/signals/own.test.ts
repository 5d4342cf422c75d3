import { describe, expect, test } from 'vitest'
import { memorySnapshot, type SnapshotPlan } from '../../../test/support/memory-snapshot.ts'
import { testModels } from '../../../test/support/models.ts'
import { ownIndex, type ownKnowledge } from '../../../test/support/own.ts'
import type { Kind } from '../../lib/kinds.ts'
import type { Facts } from '../../live/facts.ts'
import { BASE_SCORE } from '../combine.ts'
import { type Evaluation, levelOf } from '../engine.ts'
import { isProblem, parseIndicator } from '../indicator.ts'
import { createScorer } from '../score.ts'
import { OWN_SIGNALS } from './own.ts'

const models = testModels()
const NOW_MS = Date.UTC(2026, 10, 18)

type Plan = Parameters<typeof ownKnowledge>[0]

const ACME = {
  id: 'cpty_acme',
  name: 'Acme',
  reference: '4711',
  since: '2019',
  domains: ['acme.com', 'acme-industries.com'],
  emails: ['ap@acme.com', 'acme.invoices@gmail.com'],
  networks: ['203.0.113.0/24', '198.51.100.7'],
} as const

const REGISTER: Plan = {
  domains: ['harbourlight.com'],
  counterparties: [
    ACME,
    { id: 'cpty_old', name: 'Oldwell', state: 'former', domains: ['oldwell-tools.com'] },
    { id: 'cpty_bad', name: 'Brightmoor', state: 'blocked', domains: ['brightmoor.net'] },
    { id: 'cpty_summit', name: 'Summit', domains: ['summit.com'] },
    { id: 'cpty_goodeal', name: 'Goodeal', domains: ['goodeal.com'] },
    { id: 'cpty_delta', name: 'Delta', domains: ['delta.com'] },
    { id: 'cpty_kraftwerk', name: 'Kraftwerk Anlagen GmbH', domains: ['kraftwerk-anlagen.de'] },
    { id: 'cpty_mueller', name: 'Müller Präzision', domains: ['mueller-praezision.de'] },
    { id: 'cpty_kraftwerk_fr', name: 'Kraftwerk France', domains: ['kraftwerk-anlagen.fr'] },
  ],
}
const GMAIL: SnapshotPlan = { domains: { 'gmail.com': ['freemail', 'popular_1k'] } }

function check(
  kind: Kind,
  text: string,
  {
    plan = REGISTER,
    snapshot = GMAIL,
    facts,
  }: { plan?: Plan | undefined; snapshot?: SnapshotPlan; facts?: Facts } = {},
): Evaluation & { readonly level: string; readonly codes: readonly string[] } {
  const indicator = parseIndicator(kind, text)
  if (isProblem(indicator)) throw new Error(`${text}: ${indicator.detail}`)
  const scorer = createScorer(memorySnapshot(snapshot), models)
  const options = { nowMs: NOW_MS, own: ownIndex(plan), ...(facts ? { facts: [facts] } : {}) }
  const [evaluation] = scorer.evaluate(kind, [indicator], { explain: true, ...options })
  const [plain] = scorer.evaluate(kind, [indicator], { explain: false, ...options })
  if (!evaluation || !plain) throw new Error('no evaluation')
  expect(plain.score).toBe(evaluation.score)
  expect(
    evaluation.signals.reduce((sum, { effect }) => sum + effect, BASE_SCORE),
    text,
  ).toBe(evaluation.score)
  return { ...evaluation, level: levelOf(evaluation.score), codes: evaluation.signals.map(({ code }) => code) }
}

const heard = new Set<string>()

/** The sentence of an own signal. */
function said(evaluation: Evaluation, code: (typeof OWN_SIGNALS)[number]['code']): string {
  const found = evaluation.signals.find((signal) => signal.code === code)
  heard.add(code)
  return found?.description ?? `${code} was not found`
}

describe('a counterparty', () => {
  test('is named by its domain, its address and its network, in favour', () => {
    const domain = check('domain', 'acme.com')
    expect(said(domain, 'own.counterparty')).toBe('acme.com is your supplier Acme (ref 4711), known since 2019')
    expect(domain.score).toBeLessThan(BASE_SCORE)
    expect(domain.counterparty).toEqual({
      id: 'cpty_acme',
      name: 'Acme',
      reference: '4711',
      state: 'active',
      since: '2019',
      relation: 'domain',
    })
    expect(domain.known).toBe('good')
    const below = check('domain', 'portal.acme.com')
    expect(below.counterparty?.relation).toBe('domain')
    const address = check('email', 'AP@acme.com')
    expect(said(address, 'own.counterparty')).toBe('This address is your supplier Acme (ref 4711), known since 2019')
    expect(address.counterparty?.relation).toBe('email')
    expect(address.score).toBeLessThan(BASE_SCORE)
    const inside = check('ip', '203.0.113.77')
    expect(said(inside, 'own.counterparty')).toContain('is inside 203.0.113.0/24, a network of your supplier Acme')
    expect(inside.score).toBeLessThan(BASE_SCORE)
  })

  test('with a registered free mailbox is no stranger there', () => {
    const known = check('email', 'acme.invoices@gmail.com')
    expect(known.counterparty?.relation).toBe('email')
    expect(known.codes).not.toContain('own.claimed_name')
    expect(known.level).toBe('low')
  })

  test('a new mailbox on its domain is said, and neutral', () => {
    const mailbox = check('email', 'new.person@acme.com')
    expect(said(mailbox, 'own.new_mailbox')).toBe(
      'A mailbox that is not in your register, on acme.com of your supplier Acme (ref 4711)',
    )
    expect(mailbox.signals.find(({ code }) => code === 'own.new_mailbox')?.effect).toBe(0)
    expect(mailbox.score).toBe(check('email', 'new.person@acme.com', { plan: {} }).score)
  })

  test('an address inside its network that the register does not list is said', () => {
    expect(said(check('ip', '203.0.113.77'), 'own.new_address')).toContain('not this single address')
    expect(check('ip', '198.51.100.7').codes).not.toContain('own.new_address')
    const host = { seenMs: NOW_MS, exists: true, addresses: ['192.0.2.9'], aliases: [], dangling: false }
    const moved = check('domain', 'acme.com', { facts: { host } })
    expect(said(moved, 'own.new_address')).toBe(
      'acme.com resolves to 192.0.2.9, which is in none of the networks of Acme',
    )
    const stayed = check('domain', 'acme.com', { facts: { host: { ...host, addresses: ['203.0.113.4'] } } })
    expect(stayed.codes).not.toContain('own.new_address')
  })

  test('that is former is said and changes nothing, one that is blocked is high', () => {
    const former = check('domain', 'oldwell-tools.com')
    expect(said(former, 'own.counterparty_former')).toContain('your former supplier Oldwell')
    expect(former.score).toBe(check('domain', 'oldwell-tools.com', { plan: {} }).score)
    const blocked = check('email', 'sales@brightmoor.net')
    expect(said(blocked, 'own.counterparty_blocked')).toContain('Brightmoor, which you have blocked')
    expect(blocked.level).toBe('high')
    expect(said(check('domain', 'brightmor.net'), 'own.lookalike')).toBe(
      'One letter from brightmoor.net, your blocked supplier Brightmoor',
    )
    expect(said(check('email', 'brightmoor.invoices@gmail.com'), 'own.claimed_name')).toContain(
      'the name of your blocked supplier Brightmoor',
    )
  })

  test('the summary does not say that nothing is known about it', () => {
    expect(check('domain', 'acme.com').summary).toMatch(
      /^acme\.com is your supplier .* Nothing else is known about it:/,
    )
    expect(check('domain', 'acme.com', { plan: {} }).summary).toMatch(/^Nothing is known about it:/)
  })

  test('that a feed lists is judged as if it were unknown: it may be hacked', () => {
    const snapshot = { domains: { 'acme.com': ['phishing' as const] } }
    const listed = check('domain', 'acme.com', { snapshot })
    expect(listed.score).toBe(check('domain', 'acme.com', { snapshot, plan: {} }).score)
    expect(listed.score).toBeGreaterThan(BASE_SCORE)
    expect(listed.known).toBe('mixed')
  })
})

describe('a look-alike of a counterparty', () => {
  const LOOKALIKES: readonly (readonly [text: string, says: RegExp])[] = [
    ['acrne.com', /^Looks the same as acme\.com, your supplier Acme, to the eye: “rn” in place of “m”$/],
    ['acmme.com', /^One letter from acme\.com, your supplier Acme$/],
    ['amce.com', /^One letter from acme\.com, your supplier Acme$/],
    ['acme-industires.com', /^One letter from acme-industries\.com/],
    ['acmeindustries.com', /^Spells acme-industries\.com, your supplier Acme, with other hyphens$/],
    ['acme-industries.net', /^The name of acme-industries\.com, your supplier Acme, under \.net$/],
    ['acme-industries.com.co', /under \.com\.co$/],
    ['acme-invoices.com', /^Adds “invoices” to acme\.com, your supplier Acme$/],
    ['acme-industries-payments.com', /^Adds “payments” to acme-industries\.com, your supplier Acme$/],
    ['acme-com.net', /^Adds “com” to acme\.com, your supplier Acme$/],
    ['acme.com.secure-pay.net', /^Begins like acme\.com, your supplier Acme, but belongs to secure-pay\.net$/],
    ['acme.com-invoices.net', /^Begins like acme\.com, your supplier Acme/],
    ['асme-industries.com', /^Looks the same as acme-industries\.com/],
    ['müller-präzision.de', /^Looks the same as mueller-praezision\.de, your supplier Müller Präzision/],
    ['harbourlight.net', /^The name of harbourlight\.com, your own domain, under \.net$/],
    ['harbour1ight.com', /^Looks the same as harbourlight\.com, your own domain/],
  ]
  test.each(LOOKALIKES)('%s is high, and names the one it imitates', (text, says) => {
    for (const [kind, written] of [
      ['domain', text],
      ['email', `accounts@${text}`],
    ] as const) {
      const found = check(kind, written)
      expect(said(found, 'own.lookalike')).toMatch(says)
      expect(found.codes).not.toContain('domain.ordinary_name')
      expect(found.level, written).toBe('high')
      const domain = /(\S+), your/.exec(found.signals[0]?.description ?? '')?.[1]
      expect(found.resembles).toContain(domain)
      expect(found.counterparty?.relation).toBe(domain === 'harbourlight.com' ? undefined : 'lookalike')
      expect(found.summary).toContain('This decides.')
    }
  })

  test('is high even if it is old and has good facts, and a feed may still raise it', () => {
    const zone = { seenMs: NOW_MS, exists: true, mx: ['mx.example'], ns: ['a', 'b', 'c'], nullMx: false } as never
    const registration = { seenMs: NOW_MS, found: true, registeredMs: Date.UTC(2001, 1), statuses: [] } as never
    expect(check('domain', 'acrne.com', { facts: { zone, registration } }).level).toBe('high')
    const snapshot = { domains: { 'acrne.com': ['phishing' as const] } }
    expect(check('domain', 'acrne.com', { snapshot }).score).toBeGreaterThan(check('domain', 'acrne.com').score)
  })

  test.each([
    ['an ending of the same firm that is popular', 'acme-industries.net', { 'acme-industries.net': ['popular_1m'] }],
    ['a subsidiary in the register', 'kraftwerk-anlagen.fr', {}],
    ['a name below a known one', 'mail.acme.com', {}],
    ['a word that is a supplier, under another ending', 'summit.org', {}],
    ['a word that is a supplier, beside another word', 'delta-travel.com', {}],
    ['two words, one of them a supplier', 'summitcoffee.com', {}],
    ['a word one letter from a supplier', 'summits.com', {}],
    ['two words, where a supplier has one letter less', 'gooddeal.com', {}],
    ['a stranger', 'orchardlane-bakery.co.uk', {}],
    ['a short stranger', 'acre.com', {}],
  ] as const)('stays quiet about %s', (_what, text, domains) => {
    const snapshot = { domains: { ...GMAIL.domains, ...domains } }
    const found = check('domain', text, { snapshot })
    expect(found.codes.filter((code) => code === 'own.lookalike' || code === 'own.possible_lookalike')).toEqual([])
    expect(found.score).toBeLessThanOrEqual(check('domain', text, { snapshot, plan: {} }).score)
  })

  test('is a word under its own ending with a letter typed twice', () => {
    const found = check('domain', 'summitt.com')
    expect(said(found, 'own.lookalike')).toBe('One letter from summit.com, your supplier Summit')
    expect(found.level).toBe('high')
    expect(check('domain', 'summitt.org').codes).not.toContain('own.lookalike')
  })

  test('is only possible where a stranger may well have the name, and then needs a second look', () => {
    const found = check('domain', 'summit-secure-login.com')
    expect(said(found, 'own.possible_lookalike')).toContain('summit.com, your supplier Summit')
    expect(found.level).not.toBe('low')
  })

  test('a namesake is said and changes nothing', () => {
    const found = check('domain', 'summit.org')
    expect(said(found, 'own.namesake')).toBe('The name of summit.com, your supplier Summit, under .org')
    expect(found.resembles).toEqual([])
  })
})

describe('a free mailbox with the name of a counterparty', () => {
  test.each([
    'acme.billing@gmail.com',
    'accounts.acmeindustries@gmail.com',
    'kraftwerk.anlagen@gmail.com',
    'harbourlight.ceo@gmail.com',
  ])('%s is medium at least', (text) => {
    const found = check('email', text)
    expect(said(found, 'own.claimed_name')).toMatch(/^A free mailbox that carries the name of your/)
    expect(found.level).not.toBe('low')
  })

  test.each(['strassle.fordertechnik@gmail.com', 'straessle.foerdertechnik@gmail.com', 'bjoernholm.billing@gmail.com'])(
    '%s is medium at least, whichever way the accents are written out',
    (text) => {
      const counterparties = [{ name: 'Sträßle Fördertechnik GmbH' }, { name: 'Bjørnholm A/S' }]
      const found = check('email', text, { plan: { counterparties } })
      expect(said(found, 'own.claimed_name')).toContain('carries the name of your supplier')
      expect(found.level).not.toBe('low')
    },
  )

  test.each(['jane.doe@gmail.com', 'summit.hiker@gmail.com', 'acmena@gmail.com', 'acme.billing@gmail.com.example'])(
    '%s is not one',
    (text) => expect(check('email', text).codes).not.toContain('own.claimed_name'),
  )
})

describe('own lists', () => {
  const listed = (list: 'allow' | 'block' | 'review', kind: Kind, indicator: string, more = {}): Plan => ({
    entries: [{ list, kind, indicator, reason: 'double invoice', ...more }],
  })

  test('block is high, for a domain with everything below it, with the reason', () => {
    const plan = listed('block', 'domain', 'summit.org')
    const found = check('email', 'jane@mail.summit.org', { plan })
    expect(said(found, 'own.block_list')).toBe(
      'Your block list has summit.org, and with it mail.summit.org: “double invoice”',
    )
    expect(found.level).toBe('high')
    expect(found.signals[0]?.code).toBe('own.block_list')
    expect(found.summary).toMatch(/^Your block list has .* This decides\./)
    expect(check('domain', 'notsummit.org', { plan }).codes).not.toContain('own.block_list')
    const address = check('email', 'jane@acme.com', { plan: listed('block', 'email', 'jane@acme.com') })
    expect(said(address, 'own.block_list')).toBe('Your block list has this address: “double invoice”')
    expect(check('ip', '192.0.2.200', { plan: listed('block', 'ip', '192.0.2.128/25') }).level).toBe('high')
  })

  test('allow is low, whatever feeds and models say', () => {
    const snapshot = { domains: { 'paypa1-login.com': ['phishing' as const] } }
    expect(check('domain', 'paypa1-login.com', { snapshot, plan: {} }).level).toBe('high')
    const found = check('domain', 'paypa1-login.com', { snapshot, plan: listed('allow', 'domain', 'paypa1-login.com') })
    expect(said(found, 'own.allow_list')).toContain('Your allow list has paypa1-login.com')
    expect(found.level).toBe('low')
    expect(found.codes).toContain('domain.listed')
  })

  test('review is medium at least, and lowers nothing', () => {
    const popular = { domains: { 'shop.com': ['popular_1k' as const] } }
    const found = check('domain', 'shop.com', { snapshot: popular, plan: listed('review', 'domain', 'shop.com') })
    expect(said(found, 'own.review_list')).toContain('Your review list has shop.com')
    expect(found.level).toBe('medium')
    const bad = { domains: { 'shop.com': ['phishing' as const] } }
    expect(check('domain', 'shop.com', { snapshot: bad, plan: listed('review', 'domain', 'shop.com') }).level).toBe(
      'high',
    )
  })

  test('an entry ends when it expires', () => {
    const until = (expiresAtMs: number) =>
      check('domain', 'shop.com', { plan: listed('block', 'domain', 'shop.com', { expiresAtMs }) })
    expect(until(NOW_MS + 1).level).toBe('high')
    expect(until(NOW_MS).codes).not.toContain('own.block_list')
  })

  test('decide in order: own block, own allow, counterparty blocked, look-alike, the rest', () => {
    const entry = (list: 'allow' | 'block', indicator: string) => ({ list, kind: 'domain' as const, indicator })
    const decided = (text: string, ...entries: ReturnType<typeof entry>[]) => {
      const { level, signals } = check('domain', text, { plan: { ...REGISTER, entries } })
      return [level, signals[0]?.code]
    }
    expect(decided('acrne.com', entry('allow', 'acrne.com'), entry('block', 'acrne.com'))).toEqual([
      'high',
      'own.block_list',
    ])
    expect(decided('brightmoor.net', entry('allow', 'brightmoor.net'))).toEqual(['low', 'own.allow_list'])
    expect(decided('acrne.com', entry('allow', 'acrne.com'))).toEqual(['low', 'own.allow_list'])
    expect(decided('acme.com', entry('block', 'acme.com'))).toEqual(['high', 'own.block_list'])
    expect(decided('brightmoor.net')).toEqual(['high', 'own.counterparty_blocked'])
    expect(decided('acrne.com')).toEqual(['high', 'own.lookalike'])
  })
})

test('every signal of own knowledge is heard in an example above', () => {
  expect([...heard].sort()).toEqual(OWN_SIGNALS.map(({ code }) => code).sort())
})
