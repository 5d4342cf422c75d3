import { describe, expect, it, test } from 'vitest'
import { memorySnapshot, type SnapshotPlan } from '../../test/support/memory-snapshot.ts'
import { testModels } from '../../test/support/models.ts'
import { DAY_MS } from '../lib/clock.ts'
import type { Kind } from '../lib/kinds.ts'
import type { Facts, Host, Registration, Zone } from '../live/facts.ts'
import { BASE_SCORE } from './combine.ts'
import { type Evaluation, levelOf } from './engine.ts'
import { isProblem, parseIndicator } from './indicator.ts'
import { createScorer, type ScorerOptions } from './score.ts'
import { LIVE_DOMAIN_SIGNALS, LIVE_EMAIL_SIGNALS } from './signals/live-domain.ts'
import { LIVE_IP_SIGNALS } from './signals/live-ip.ts'

const models = testModels()
const NOW_MS = Date.UTC(2026, 10, 15, 12)

function evaluate(kind: Kind, text: string, facts: Facts | undefined, plan: SnapshotPlan = {}): Evaluation {
  const indicator = parseIndicator(kind, text)
  if (isProblem(indicator)) throw new Error(`${text}: ${indicator.detail}`)
  const options: ScorerOptions = facts ? { explain: true, facts: [facts], nowMs: NOW_MS } : { explain: true }
  return createScorer(memorySnapshot(plan), models).evaluate(kind, [indicator], options)[0] as Evaluation
}

const level = (...args: Parameters<typeof evaluate>) => levelOf(evaluate(...args).score)

function said(answer: Evaluation, code: string): string | undefined {
  return answer.signals.find((signal) => signal.code === code)?.description
}

const registered = (ageDays: number, more: Partial<Registration> = {}): Facts => ({
  registration: {
    found: true,
    registeredMs: NOW_MS - ageDays * DAY_MS,
    expiresMs: NOW_MS + 200 * DAY_MS,
    statuses: ['active'],
    server: 'rdap.example',
    seenMs: NOW_MS,
    ...more,
  },
})
const notRegistered: Facts = {
  registration: { found: false, statuses: [], server: 'rdap.example', seenMs: NOW_MS },
}
const zone = (more: Partial<Zone> = {}): Facts => ({
  zone: {
    exists: true,
    mx: ['mx.mail.example'],
    nullMx: false,
    ns: ['ns1.dns.example', 'ns2.dns.example'],
    spf: 'softfail',
    dmarc: 'reject',
    wildcard: false,
    seenMs: NOW_MS,
    ...more,
  },
})
const noMail = (more: Partial<Zone> = {}) => zone({ mx: [], spf: 'absent', dmarc: 'absent', ...more })
const host = (addresses: readonly string[], more: Partial<Host> = {}): Facts => ({
  host: { exists: true, addresses, aliases: [], dangling: false, ttlS: 3600, seenMs: NOW_MS, ...more },
})
const SITE = '198.97.1.2'
/** More than ten years old, with mail and a site. */
const ESTABLISHED: Facts = { ...registered(4000), ...zone(), ...host([SITE]) }
const NEVER_SEEN: Facts = {
  ...notRegistered,
  ...noMail({ exists: false, ns: [] }),
  ...host([], { exists: false }),
}

describe('without facts', () => {
  it('nothing changes, and no facts are the same as facts that say nothing', () => {
    for (const [kind, text] of [
      ['domain', 'paypal-invoice.top'],
      ['email', 'anna@harbourbakery.com'],
      ['ip', SITE],
    ] as const) {
      const without = evaluate(kind, text, undefined)
      expect(evaluate(kind, text, {})).toEqual(without)
      const codes = without.signals.map(({ code }) => code)
      for (const { code } of [...LIVE_DOMAIN_SIGNALS, ...LIVE_EMAIL_SIGNALS, ...LIVE_IP_SIGNALS])
        expect(codes).not.toContain(code)
    }
  })

  it('a mailbox is judged without the facts that came with another question about its domain', () => {
    const indicator = parseIndicator('email', 'anna@harbourbakery.com')
    if (isProblem(indicator)) throw new Error(indicator.detail)
    const scorer = createScorer(memorySnapshot(), models)
    const before = scorer.evaluate('email', [indicator], { explain: true })
    for (let times = 0; times < 3; times++)
      scorer.evaluate('email', [indicator], { explain: true, facts: [registered(3)], nowMs: NOW_MS })
    expect(scorer.evaluate('email', [indicator], { explain: true })).toEqual(before)
  })

  it('facts belong to the indicator in the same place', () => {
    const indicators = ['harbourbakery.com', 'hillsidefarm.com'].map((text) => parseIndicator('domain', text))
    if (indicators.some(isProblem)) throw new Error('not a domain')
    const [first, second] = createScorer(memorySnapshot(), models).evaluate(
      'domain',
      indicators.flatMap((indicator) => (isProblem(indicator) ? [] : indicator)),
      { explain: true, facts: [undefined, registered(3)], nowMs: NOW_MS },
    )
    expect(first && said(first, 'domain.registered')).toBeUndefined()
    expect(second && said(second, 'domain.registered')).toContain('3 days ago')
  })
})

describe('youth', () => {
  it('alone asks for a second look, whatever the ending, and no more', () => {
    for (const name of ['harbourbakery.com', 'harbourbakery.co.uk', 'stadtwerke-lindau.de']) {
      expect(level('domain', name, undefined), name).toBe('low')
      for (const facts of [
        registered(6),
        { ...registered(6), ...zone(), ...host([SITE]) },
        { ...registered(6), ...noMail(), ...host(['198.97.1.2', '198.97.1.3', '2a00::1', '2a00::2']) },
      ])
        expect(level('domain', name, facts), name).toBe('medium')
    }
  })

  it('alone makes no name high, however it is worded', () => {
    for (const name of ['hilalreisen.com', 'hill-techno.com', 'harbour-lamp.com']) {
      expect(level('domain', name, { ...registered(12), ...zone(), ...host([SITE]) }), name).toBe('medium')
    }
  })

  it('and many name servers take nothing off a look-alike or a lure', () => {
    const young = { ...registered(60), ...zone({ ns: ['a.b.com', 'c.b.com', 'd.b.com', 'e.b.com'] }), ...host([SITE]) }
    for (const name of ['barc1ays.com', 'secure-payment-invoices.com']) {
      expect(evaluate('domain', name, young).score, name).toBeGreaterThanOrEqual(
        evaluate('domain', name, undefined).score,
      )
    }
  })

  it('beside a look-alike or a lure is high', () => {
    for (const name of ['paypall.com', 'paypal-garden.com', 'harbour-verify.com']) {
      expect(level('domain', name, undefined), name).not.toBe('high')
      expect(level('domain', name, registered(6)), name).toBe('high')
    }
  })

  it('beside a look-alike of any known name is high, however little the likeness counts alone', () => {
    const plan: SnapshotPlan = { domains: { 'phoenixcontact.com': ['popular_100k'] } }
    for (const [name, alone] of [
      ['phoenlxcontact.com', 'high'],
      ['phoenixcontaact.com', 'high'],
      ['phoenixcontect.com', 'medium'],
      ['komatsy.net', 'low'],
    ] as const) {
      expect(level('domain', name, undefined, plan), name).toBe(alone)
      expect(level('domain', name, registered(2), plan), name).toBe('high')
      expect(level('domain', name, { ...registered(2), ...zone(), ...host([SITE]) }, plan), name).toBe('high')
    }
    expect(level('domain', 'phoenixcontact.com', registered(2), plan)).toBe('low')
  })

  it('says less with every month, and nothing is taken off for the first half year', () => {
    let before = 100
    for (const age of [3, 29, 31, 89, 91, 179, 181, 364, 366, 729, 731, 1824, 1826, 3649, 3651, 9000]) {
      const { score } = evaluate('domain', 'harbour-wallets.shop', { ...registered(age), ...noMail(), ...host([SITE]) })
      expect(score, `${age} days`).toBeLessThanOrEqual(before)
      before = score
    }
    const recent = evaluate('domain', 'tok3npocket.top', registered(170)).signals
    expect(recent.find(({ code }) => code === 'domain.registered')?.effect).toBeGreaterThanOrEqual(0)
  })

  it('is known from a list of new names where the registry was not asked, and only there', () => {
    const plan: SnapshotPlan = { domains: { 'harbourbakery.com': ['newly_registered'] } }
    const listed = evaluate('domain', 'www.harbourbakery.com', undefined, plan)
    expect(levelOf(listed.score)).toBe('medium')
    expect(said(listed, 'domain.newly_registered')).toBe('On a list of newly registered names (Test feed, 2026-05-01)')
    const asked = evaluate('domain', 'www.harbourbakery.com', ESTABLISHED, plan)
    expect(said(asked, 'domain.newly_registered')).toBeUndefined()
    expect(levelOf(asked.score)).toBe('low')
  })
})

describe('age', () => {
  it('over five years with working mail answers for wording', () => {
    for (const name of ['dexlaunch24.com', 'verifone-terminals.com', 'accountlogic.com']) {
      expect(level('domain', name, ESTABLISHED), name).toBe('low')
    }
    expect(level('domain', 'dexlaunch24.com', undefined)).toBe('medium')
  })

  it('does not make a look-alike low, least of all a parked one', () => {
    for (const name of ['paypal-login.com', 'paypa1.com', 'paypal.com.verify-now.top']) {
      expect(level('domain', name, undefined), name).toBe('high')
      expect(level('domain', name, ESTABLISHED), name).not.toBe('low')
      expect(level('domain', name, { ...ESTABLISHED, ...noMail({ parkedBy: 'Sedo' }) }), name).toBe('high')
    }
  })

  it('takes nothing off a listing: an old site that was broken into stays what it is', () => {
    const plan: SnapshotPlan = { domains: { 'harbourbakery.com': [{ tag: 'phishing', confidence: 0.6 }] } }
    const without = evaluate('domain', 'harbourbakery.com', undefined, plan)
    expect(evaluate('domain', 'harbourbakery.com', ESTABLISHED, plan).score).toBe(without.score)
    // It does answer for a suspicion beside the listing.
    const worded: SnapshotPlan = { domains: { 'updatemagazin.com': [{ tag: 'phishing', confidence: 0.4 }] } }
    const before = evaluate('domain', 'updatemagazin.com', undefined, worded).score
    expect(evaluate('domain', 'updatemagazin.com', ESTABLISHED, worded).score).toBeLessThan(before)
  })

  it('takes nothing off a claim', () => {
    const plan: SnapshotPlan = { domains: { 'tempbox.net': ['disposable'] } }
    for (const [kind, text] of [
      ['domain', 'tempbox.net'],
      ['email', 'anna@tempbox.net'],
    ] as const) {
      const without = evaluate(kind, text, undefined, plan).score
      expect(evaluate(kind, text, ESTABLISHED, plan).score, text).toBeGreaterThanOrEqual(Math.min(without, 70))
    }
  })

  it('of a platform says nothing about its customers, nor that of a mail provider about its', () => {
    for (const age of [3, 6000]) {
      const facts = { ...registered(age), ...zone(), ...host([SITE]) }
      expect(evaluate('domain', 'alice.github.io', facts)).toEqual(evaluate('domain', 'alice.github.io', undefined))
      const plan: SnapshotPlan = { domains: { 'gmail.com': ['freemail', 'popular_1k'], 'hide.net': ['relay'] } }
      for (const address of ['jo.smith@gmail.com', 'x7@hide.net'])
        expect(evaluate('email', address, facts, plan)).toEqual(evaluate('email', address, undefined, plan))
    }
  })
})

describe('a name nobody has', () => {
  it('asks for a second look, and a mailbox there is high', () => {
    const answer = evaluate('domain', 'harbourbakery.com', NEVER_SEEN)
    expect(levelOf(answer.score)).toBe('medium')
    expect(said(answer, 'domain.unregistered')).toBe('Nobody has registered this name')
    expect(said(answer, 'domain.mail_setup')).toBeUndefined()
    expect(level('email', 'anna@harbourbakery.com', NEVER_SEEN)).toBe('high')
  })

  it('is not one that resolves: some registries answer for part of their names', () => {
    for (const facts of [
      { ...notRegistered, ...host([SITE]) },
      { ...notRegistered, ...zone() },
    ]) {
      const answer = evaluate('domain', 'harbourbakery.com', facts)
      expect(said(answer, 'domain.unregistered')).toBeUndefined()
      expect(levelOf(answer.score)).toBe('low')
    }
  })
})

describe('mail', () => {
  it('an address that cannot be answered is a claim', () => {
    const nowhere = { ...registered(4000), ...noMail(), ...host([]) }
    const answer = evaluate('email', 'anna@harbourbakery.com', nowhere)
    expect(levelOf(answer.score)).toBe('medium')
    expect(said(answer, 'email.cannot_receive')).toBe(
      'Cannot receive mail: harbourbakery.com has neither a mail server nor an address',
    )
    const refuses = evaluate('email', 'anna@harbourbakery.com', {
      ...registered(4000),
      ...noMail({ nullMx: true }),
      ...host([SITE]),
    })
    expect(said(refuses, 'email.cannot_receive')).toBe(
      'Cannot receive mail: harbourbakery.com declares that it accepts none',
    )
  })

  it('is not judged by the name above, nor where mail goes to the address of the name', () => {
    const without = { ...registered(4000), ...noMail(), ...host([SITE]) }
    for (const address of ['anna@harbourbakery.com', 'anna@mail.harbourbakery.com'])
      expect(said(evaluate('email', address, without), 'email.cannot_receive')).toBeUndefined()
    const below = { ...without, ...host([]) }
    expect(said(evaluate('email', 'anna@mail.harbourbakery.com', below), 'email.cannot_receive')).toBeUndefined()
  })

  it('weighs more for a mailbox than for a site', () => {
    const facts = { ...registered(900), ...noMail(), ...host([SITE]) }
    const effect = (answer: Evaluation) => answer.signals.find(({ code }) => code === 'domain.mail_setup')?.effect ?? 0
    expect(effect(evaluate('email', 'anna@tok3npocket.top', facts))).toBeGreaterThan(
      effect(evaluate('domain', 'tok3npocket.top', facts)),
    )
  })

  it('that goes to the servers of a throw-away provider makes the mailbox one, unless they serve anybody', () => {
    const byTwo = ['fakefilter', 'disposable-email-domains'].map((source) => ({ source, tag: 'disposable' as const }))
    const plan = (more: SnapshotPlan['domains'] = {}): SnapshotPlan => ({ domains: { 'mailbin.net': byTwo, ...more } })
    const behind = (more: Partial<Zone>) => ({ ...registered(4000), ...zone(more), ...host([SITE]) })
    const shared = behind({ mx: ['mx1.mailbin.net'] })
    const answer = evaluate('email', 'anna@harbourbakery.com', shared, plan())
    expect(levelOf(answer.score)).toBe('high')
    expect(said(answer, 'domain.disposable_servers')).toBe(
      'Its mail goes to mx1.mailbin.net, of a provider of throw-away mailboxes',
    )
    const served = evaluate('domain', 'harbourbakery.com', behind({ ns: ['ns1.mailbin.net'] }), plan())
    expect(said(served, 'domain.disposable_servers')).toBe(
      'Its name server is ns1.mailbin.net, of a provider of throw-away mailboxes',
    )
    for (const other of [
      plan({ 'mailbin.net': byTwo.slice(1) }),
      plan({ 'mailbin.net': [...byTwo, 'relay'] }),
      plan({ 'mailbin.net': [...byTwo, 'mail_provider'] }),
      {},
    ])
      expect(level('email', 'anna@harbourbakery.com', shared, other)).toBe('low')
    // A listed provider is told by its listing.
    const own = evaluate('email', 'anna@mailbin.net', shared, plan())
    expect(said(own, 'domain.disposable_servers')).toBeUndefined()
  })

  it('is not denied because a question about it failed', () => {
    const { mx: _, ...unanswered } = zone().zone as Zone & { seenMs: number }
    const facts = { ...registered(4000), zone: unanswered, ...host([]) }
    const answer = evaluate('email', 'anna@harbourbakery.com', facts)
    for (const code of ['email.cannot_receive', 'domain.mail_setup']) expect(said(answer, code)).toBeUndefined()
    const unsure = evaluate('domain', 'harbourbakery.com', { ...registered(4000), ...zone({ dmarc: 'unknown' }) })
    expect(said(unsure, 'domain.mail_setup')).toBe('Receives mail')
  })

  it('is told only where what was seen of the zone fits together', () => {
    const half = { ...registered(4000), ...noMail({ ns: [] }), ...host([SITE]) }
    expect(said(evaluate('domain', 'www.harbourbakery.com', half), 'domain.mail_setup')).toBeUndefined()
    const whole = { ...half, ...noMail() }
    expect(said(evaluate('domain', 'www.harbourbakery.com', whole), 'domain.mail_setup')).toBe(
      'Has no own mail server (no MX)',
    )
  })
})

describe('where a name leads', () => {
  const listed = (...tags: ('phishing' | 'cdn' | 'attack')[]): SnapshotPlan => ({ ips: { [SITE]: tags } })
  const at = (plan: SnapshotPlan) =>
    evaluate('domain', 'hillsidefarm.com', { ...registered(800), ...host([SITE]) }, plan)

  it('an address listed for phishing is told, and alone never makes medium', () => {
    const answer = at(listed('phishing'))
    expect(said(answer, 'domain.resolves_to_listed')).toBe('Resolves to 198.97.1.2, listed for phishing by Test feed')
    expect(answer.score).toBeGreaterThan(at({}).score)
    expect(levelOf(answer.score)).toBe('low')
  })

  it('accuses nobody on a delivery network, and nobody for attacks that came from there', () => {
    for (const plan of [listed('phishing', 'cdn'), listed('attack')])
      expect(said(at(plan), 'domain.resolves_to_listed')).toBeUndefined()
  })
})

/** Where each signal must be heard, in which words, and the facts next to it where it must not. */
const CASES: readonly (readonly [code: string, text: string, heard: Facts, says: string, unheard: Facts])[] = [
  [
    'domain.registered',
    'harbourbakery.com',
    registered(6.2, { registrar: 'NameCheap\n' }),
    'Registered 6 days ago (2026-11-09), with NameCheap',
    notRegistered,
  ],
  ['domain.registered', 'harbourbakery.com', registered(400), 'Registered 13 months ago (2025-10-11)', {}],
  [
    'domain.registered',
    'harbourbakery.com',
    registered(0, { registeredMs: Date.UTC(1998, 3, 1) }),
    'Registered in 1998',
    {},
  ],
  [
    'domain.expires',
    'harbourbakery.com',
    registered(356, { expiresMs: NOW_MS + 9.5 * DAY_MS }),
    'Expires in 9 days (2026-11-25)',
    registered(300),
  ],
  [
    'domain.expires',
    'harbourbakery.com',
    registered(400, { expiresMs: NOW_MS - 3 * DAY_MS }),
    'Its registration ended 3 days ago (2026-11-12) and was not renewed',
    registered(300),
  ],
  [
    'domain.held',
    'harbourbakery.com',
    registered(90, { statuses: ['client transfer prohibited', 'client hold'] }),
    'Suspended by its registry or registrar (client hold)',
    registered(90, { statuses: ['client transfer prohibited'] }),
  ],
  [
    'domain.held',
    'harbourbakery.com',
    registered(90, { statuses: ['pending delete'] }),
    'Not renewed, and about to be deleted (pending delete)',
    registered(90, { statuses: ['pending transfer'] }),
  ],
  ['domain.unregistered', 'harbourbakery.com', NEVER_SEEN, 'Nobody has registered this name', registered(5)],
  [
    'domain.mail_setup',
    'harbourbakery.com',
    zone(),
    'Set up to receive mail, with SPF and DMARC reject',
    registered(90),
  ],
  [
    'domain.mail_setup',
    'harbourbakery.com',
    zone({ dmarc: 'absent' }),
    'Receives mail, but publishes no DMARC: anybody can send mail in its name',
    {},
  ],
  [
    'domain.name_servers',
    'harbourbakery.com',
    zone({ ns: ['a.example', 'b.example', 'c.example', 'd.example'] }),
    '4 name servers answer for it, more than most names have',
    zone(),
  ],
  [
    'domain.parked',
    'harbourbakery.com',
    noMail({ parkedBy: 'Sedo' }),
    'Parked with Sedo: registered but not in use',
    noMail(),
  ],
  [
    'domain.addresses',
    'harbourbakery.com',
    host(['198.97.1.2', '198.97.1.3', '2a00::1'], { ttlS: 60 }),
    'Leads to 2 IPv4 and 1 IPv6 addresses, which may change every 1 minute',
    {},
  ],
  ['domain.addresses', 'harbourbakery.com', host([]), 'Leads nowhere: it has no address', NEVER_SEEN],
  [
    'domain.dangling',
    'shop.harbourbakery.com',
    host([], { aliases: ['old.host.example'], dangling: true }),
    'Points to old.host.example, which does not exist: anybody who registers that name controls this host',
    host([], { aliases: ['old.host.example'] }),
  ],
  [
    'domain.certificate',
    'harbourbakery.com',
    {
      certificate: {
        answered: true,
        issuer: 'An Authority',
        notBeforeMs: NOW_MS - 3 * DAY_MS,
        notAfterMs: NOW_MS + 87 * DAY_MS,
        trusted: true,
        seenMs: NOW_MS,
      },
    },
    'Shows a certificate of An Authority, issued 3 days ago (2026-11-12), valid until 2027-02-10',
    {},
  ],
  [
    'ip.crawler',
    '66.249.66.1',
    {
      reverse: {
        names: ['crawl-66-249-66-1.googlebot.com'],
        confirmed: ['crawl-66-249-66-1.googlebot.com'],
        seenMs: NOW_MS,
      },
    },
    'A crawler of Google: crawl-66-249-66-1.googlebot.com leads back to this address',
    { reverse: { names: ['crawl-66-249-66-1.googlebot.com'], confirmed: [], seenMs: NOW_MS } },
  ],
  [
    'ip.reverse_dns',
    SITE,
    { reverse: { names: ['198-97-1-2.dsl.isp.example'], confirmed: ['198-97-1-2.dsl.isp.example'], seenMs: NOW_MS } },
    'Named 198-97-1-2.dsl.isp.example, as providers name the lines of their customers',
    { reverse: { names: [], confirmed: [], seenMs: NOW_MS } },
  ],
]

for (const [code, text, heard, says, unheard] of CASES)
  test(`${code}: “${says}”`, () => {
    const kind = code.startsWith('ip.') ? 'ip' : 'domain'
    const answer = evaluate(kind, text, heard)
    expect(said(answer, code)).toBe(says)
    const total = answer.signals.reduce((sum, { effect }) => sum + effect, BASE_SCORE)
    expect(total).toBe(answer.score)
    expect(said(evaluate(kind, text, unheard), code)).toBeUndefined()
  })

test('a crawler is low whatever a list of attackers says, and its name alone does not make one', () => {
  const plan: SnapshotPlan = { ips: { '66.249.66.1': ['attack'] } }
  const names = ['crawl-66-249-66-1.googlebot.com']
  const confirmed: Facts = { reverse: { names, confirmed: names, seenMs: NOW_MS } }
  expect(level('ip', '66.249.66.1', confirmed, plan)).toBe('low')
  const claimed: Facts = { reverse: { names, confirmed: [], seenMs: NOW_MS } }
  const pretended: Facts = { reverse: { names, confirmed: ['googlebot.com.bad.example'], seenMs: NOW_MS } }
  for (const facts of [claimed, pretended])
    expect(evaluate('ip', '66.249.66.1', facts, plan).score).toBe(evaluate('ip', '66.249.66.1', undefined, plan).score)
})

test('the summary of known facts says what was seen', () => {
  const facts = { ...registered(0, { registeredMs: Date.UTC(1998, 3, 1) }), ...zone(), ...host([SITE]) }
  const old = evaluate('domain', 'harbourbakery.com', facts)
  expect({ known: old.known, summary: old.summary }).toEqual({
    known: 'neutral',
    summary:
      'The only list (newest 2026-05-01) does not name it. Registered in 1998. ' +
      'Set up to receive mail, with SPF and DMARC reject.',
  })
  const young = evaluate('domain', 'harbourbakery.com', registered(6))
  expect(young.summary).toMatch(/does not name it\. Registered 6 days ago .* from its name and what was looked up\.$/)
  const plan: SnapshotPlan = { domains: { 'harbourbakery.com': ['phishing'] } }
  expect(evaluate('domain', 'harbourbakery.com', facts, plan)).toMatchObject({ known: 'bad' })
})

test('every signal of facts has an example above, and a description for a buyer', () => {
  const elsewhere = [
    'domain.newly_registered',
    'domain.resolves_to_listed',
    'domain.disposable_servers',
    'email.cannot_receive',
  ]
  const all = [...LIVE_DOMAIN_SIGNALS, ...LIVE_EMAIL_SIGNALS, ...LIVE_IP_SIGNALS]
  const examples = new Set([...CASES.map(([code]) => code), ...elsewhere])
  expect([...examples].toSorted()).toEqual(all.map(({ code }) => code).toSorted())
  for (const { code, description } of all) expect(description, code).toMatch(/^[A-Z][^.]{10,100}$/)
})

describe('a resolver that denies what is there', () => {
  const denied: Facts = {
    ...notRegistered,
    zone: {
      exists: false,
      mx: [],
      nullMx: false,
      ns: [],
      spf: 'absent',
      dmarc: 'absent',
      seenMs: NOW_MS,
    },
    ...host([], { exists: false }),
  }

  it('is not believed about names that many know', () => {
    const plan: SnapshotPlan = { domains: { 'known-mail.com': [{ tag: 'freemail', confidence: 1 }] } }
    expect(evaluate('email', 'jane.doe@known-mail.com', denied, plan).score).toBe(
      evaluate('email', 'jane.doe@known-mail.com', undefined, plan).score,
    )
  })

  it('is believed about others, and quoted with what it said', () => {
    const { registration: _, ...byDns } = denied
    expect(said(evaluate('domain', 'quiet-harbour-tools.com', byDns), 'domain.unregistered')).toBe(
      'Does not exist: the DNS knows no such name',
    )
    expect(said(evaluate('domain', 'quiet-harbour-tools.com', denied), 'domain.unregistered')).toBe(
      'Nobody has registered this name',
    )
    expect(said(evaluate('email', 'a@quiet-harbour-tools.com', byDns), 'email.cannot_receive')).toContain(
      'quiet-harbour-tools.com does not exist',
    )
  })
})

test('a host whose addresses are private is not said to lead nowhere', () => {
  const { signals } = evaluate('domain', 'quiet-harbour-tools.com', { ...zone(), ...host([], { notPublic: true }) })
  expect(signals.map(({ description }) => description).join()).not.toContain('no address')
})

test('every sentence of known facts ends with one full stop', () => {
  const { summary } = evaluate('domain', 'quiet-harbour-tools.com', registered(4000, { registrar: 'Names, Inc.' }))
  expect(summary).toContain('with Names, Inc.')
  expect(summary).not.toContain('..')
})
