import { expect, test } from 'vitest'
import { memorySnapshot, type SnapshotPlan } from '../../../test/support/memory-snapshot.ts'
import { testModels } from '../../../test/support/models.ts'
import type { Kind } from '../../lib/kinds.ts'
import { TAGS, type Tag } from '../../snapshot/types.ts'
import type { SignalReport } from '../engine.ts'
import { isProblem, parseIndicator } from '../indicator.ts'
import { createScorer } from '../score.ts'
import { DOMAIN_SIGNALS, EMAIL_SIGNALS, type SignalCode } from './all.ts'
import { IP_SIGNALS } from './ip.ts'

const models = testModels()

function signalsOf(kind: Kind, text: string, plan: SnapshotPlan = {}): readonly SignalReport[] {
  const indicator = parseIndicator(kind, text)
  if (isProblem(indicator)) throw new Error(`${text}: ${indicator.detail}`)
  const [evaluation] = createScorer(memorySnapshot(plan), models).evaluate(kind, [indicator], { explain: true })
  return evaluation?.signals ?? []
}

interface Example {
  readonly text: string
  readonly plan?: SnapshotPlan
}
/** Where a signal must be heard, and next to it the honest case where it must not. */
type Case = readonly [code: SignalCode, heard: Example, unheard: Example, says?: RegExp]

const onDomain = (name: string, ...tags: Tag[]): SnapshotPlan => ({ domains: { [name]: tags } })
const onIp = (cidr: string, ...tags: Tag[]): SnapshotPlan => ({ ips: { [cidr]: tags } })
const onAsn = (...tags: Tag[]): SnapshotPlan => ({
  asns: { '198.97.0.0/16': { number: 64496, name: 'Example Net', tags } },
})
const GMAIL = onDomain('gmail.com', 'freemail', 'popular_1k')

const CASES: readonly Case[] = [
  [
    'domain.listed',
    { text: 'shop.example.net', plan: onDomain('shop.example.net', 'malware') },
    { text: 'www.example.net', plan: onDomain('shop.example.net', 'malware') },
    /for malware/,
  ],
  [
    'domain.parent_listed',
    { text: 'a.b.badsite.net', plan: onDomain('badsite.net', 'scam') },
    { text: 'alice.github.io', plan: onDomain('github.io', 'scam') },
    /same owner/,
  ],
  [
    'domain.sinkhole',
    { text: 'taken.net', plan: onDomain('taken.net', 'sinkhole') },
    { text: 'taken.org', plan: onDomain('taken.net', 'sinkhole') },
  ],
  ['domain.lookalike', { text: 'paypall.com' }, { text: 'paypal.com' }, /paypal/],
  ['domain.combosquat', { text: 'secure-paypal.com' }, { text: 'secure-harbour.com' }, /paypal/],
  ['domain.suffix_swap', { text: 'paypal.top' }, { text: 'paypal.me' }, /paypal\.com/],
  [
    'domain.brand_subdomain',
    { text: 'paypal.com.verify-now.top' },
    { text: 'www.paypal.com' },
    /belongs to verify-now\.top/,
  ],
  ['domain.brand_mention', { text: 'zillow-experience.com' }, { text: 'zillow.com' }, /zillow/],
  ['domain.mixed_script', { text: 'раypal.com' }, { text: 'müller.de' }, /Latin and Cyrillic/],
  ['domain.generated_name', { text: 'xkqzvtrwpqjh.com' }, { text: 'gardenfurniture.com' }],
  [
    'domain.lure',
    { text: 'claim-wallet-airdrop-verify.com' },
    { text: 'support-our-school.com' },
    /“claim”, “wallet”, “airdrop” and “verify”/,
  ],
  ['domain.lexical', { text: 'claim-wallet-airdrop-verify.com' }, { text: 'harbourbakery.com' }],
  ['domain.ordinary_name', { text: 'stadtwerke.com' }, { text: 'paypall.com' }],
  ['domain.suffix_risk', { text: 'harbour.top' }, { text: 'harbour.com' }, /\.top/],
  ['domain.trusted_suffix', { text: 'harbourbakery.co.uk' }, { text: 'harbourbakery.com' }, /\.co\.uk/],
  ['domain.disposable', { text: 'tempbox.net', plan: onDomain('tempbox.net', 'disposable') }, { text: 'tempbox.net' }],
  [
    'domain.dynamic_dns',
    { text: 'home.duckdns.org', plan: onDomain('duckdns.org', 'dynamic_dns') },
    { text: 'home.example.org' },
  ],
  ['domain.free_hosting', { text: 'alice.github.io' }, { text: 'github.com' }, /github\.io/],
  ['domain.url_shortener', { text: 'bit.ly', plan: onDomain('bit.ly', 'url_shortener') }, { text: 'bits.ly' }],
  [
    'domain.parked',
    { text: 'idle.net', plan: onDomain('idle.net', 'parked') },
    { text: 'busy.net', plan: onDomain('idle.net', 'parked') },
  ],
  [
    'domain.adware',
    { text: 'ads.tracker.net', plan: onDomain('ads.tracker.net', 'adware') },
    { text: 'www.tracker.net', plan: onDomain('ads.tracker.net', 'adware') },
  ],
  [
    'domain.popular',
    { text: 'www.google.com', plan: onDomain('google.com', 'popular_1k') },
    { text: 'alice.github.io', plan: onDomain('github.io', 'popular_1k') },
  ],
  [
    'domain.bank',
    { text: 'mybank.net', plan: onDomain('mybank.net', 'bank') },
    { text: 'mybank.org', plan: onDomain('mybank.net', 'bank') },
  ],
  ['domain.academic', { text: 'physics.ox.ac.uk' }, { text: 'oxford-university.com' }],
  [
    'domain.government',
    { text: 'service.gov.uk', plan: onDomain('service.gov.uk', 'government') },
    { text: 'gov-service.uk' },
  ],
  [
    'domain.known_good',
    { text: 'update.vendor.net', plan: onDomain('vendor.net', 'known_good') },
    { text: 'vendor.org', plan: onDomain('vendor.net', 'known_good') },
  ],
  ['domain.official_brand', { text: 'www.paypal.com' }, { text: 'paypal.top' }, /official site of paypal/],
  [
    'domain.mail_provider',
    { text: 'gmail.com', plan: GMAIL },
    { text: 'tempbox.net', plan: onDomain('tempbox.net', 'disposable', 'freemail') },
  ],

  [
    'email.listed',
    { text: 'thief@example.net', plan: { emails: { 'thief@example.net': ['bec'] } } },
    { text: 'owner@example.net', plan: { emails: { 'thief@example.net': ['bec'] } } },
  ],
  [
    'email.disposable',
    { text: 'a@tempbox.net', plan: onDomain('tempbox.net', 'disposable') },
    { text: 'a@hide.net', plan: onDomain('hide.net', 'relay') },
  ],
  [
    'email.privacy_relay',
    { text: 'a@hide.net', plan: onDomain('hide.net', 'relay') },
    { text: 'a@tempbox.net', plan: onDomain('tempbox.net', 'disposable') },
  ],
  [
    'email.dynamic_dns',
    { text: 'a@home.duckdns.org', plan: onDomain('duckdns.org', 'dynamic_dns') },
    { text: 'a@lent.net', plan: { domains: { 'lent.net': [{ tag: 'dynamic_dns', confidence: 0.6 }] } } },
  ],
  [
    'email.free_mail',
    { text: 'jo.smith@gmail.com', plan: GMAIL },
    {
      text: 'jo.smith@mixed-list.com',
      plan: { domains: { 'mixed-list.com': [{ tag: 'freemail', confidence: 0.3 }] } },
    },
  ],
  [
    'email.impersonation',
    { text: 'paypal.security@gmail.com', plan: GMAIL },
    { text: 'chase.ford@gmail.com', plan: GMAIL },
    /paypal/,
  ],
  ['email.random_local', { text: 'x7k2q9zt4w@example.net' }, { text: 'margaret1984@example.net' }],
  ['email.role_account', { text: 'billing@example.net' }, { text: 'bill.ingram@example.net' }],

  ['domain.public_suffix', { text: 'gov.uk' }, { text: 'github.io' }, /others register names/],
  [
    'domain.not_public',
    { text: 'server.internal' },
    { text: 'server.international' },
    /^Nothing to check: \.internal is not a public ending/,
  ],

  ['ip.not_public', { text: '10.1.2.3' }, { text: '11.1.2.3' }, /^Nothing to check: private address \(RFC 1918\)/],
  [
    'ip.carries_ipv4',
    { text: '2002:c661:102::1' },
    { text: '2a00:c661:102::1' },
    /Carries 198\.97\.1\.2 inside \(6to4\)/,
  ],
  [
    'ip.listed',
    { text: '198.97.1.2', plan: onIp('198.97.1.2', 'attack') },
    { text: '198.97.1.3', plan: onIp('198.97.1.2', 'attack') },
    /^Listed for attacks by Test feed; last seen 2026-05-01$/,
  ],
  [
    'ip.hijacked_network',
    { text: '198.97.1.2', plan: onIp('198.97.0.0/16', 'hijacked') },
    { text: '198.96.1.2', plan: onIp('198.97.0.0/16', 'hijacked') },
  ],
  [
    'ip.tor_exit',
    { text: '198.97.1.2', plan: onIp('198.97.1.2', 'tor_exit') },
    { text: '198.97.1.2', plan: onIp('198.97.1.2', 'tor_relay') },
  ],
  [
    'ip.tor_relay',
    { text: '198.97.1.2', plan: onIp('198.97.1.2', 'tor_relay') },
    { text: '198.97.1.2', plan: onIp('198.97.1.2', 'tor_exit') },
  ],
  [
    'ip.vpn',
    { text: '198.97.1.2', plan: onIp('198.97.1.0/24', 'vpn') },
    { text: '198.97.2.2', plan: onIp('198.97.1.0/24', 'vpn') },
  ],
  [
    'ip.proxy',
    { text: '198.97.1.2', plan: onIp('198.97.1.2', 'proxy') },
    { text: '198.97.1.2', plan: onIp('198.97.1.2', 'vpn') },
  ],
  [
    'ip.privacy_relay',
    { text: '198.97.1.2', plan: onIp('198.97.1.0/24', 'relay') },
    { text: '198.97.1.2', plan: onIp('198.97.1.0/24', 'proxy') },
  ],
  [
    'ip.hosting',
    { text: '198.97.1.2', plan: onIp('198.97.0.0/16', 'hosting') },
    { text: '198.96.1.2', plan: onIp('198.97.0.0/16', 'hosting') },
  ],
  [
    'ip.hosting_network',
    { text: '198.97.1.2', plan: onAsn('hosting') },
    { text: '198.97.1.2', plan: { ...onAsn('hosting'), ...onIp('198.97.0.0/16', 'hosting') } },
    /AS64496/,
  ],
  [
    'ip.bad_asn',
    { text: '198.97.1.2', plan: onAsn('bad_asn') },
    { text: '198.97.1.2', plan: onAsn('hosting') },
    /In AS64496 \(Example Net\), which test-feed lists for a poor record/,
  ],
  [
    'ip.neighbourhood',
    { text: '198.97.1.2', plan: { density: { '198.97.1.2': { near: 9 } } } },
    { text: '198.97.1.2', plan: { ...onIp('198.97.1.2', 'attack'), density: { '198.97.1.2': { near: 1 } } } },
    /^9 of the 255 other addresses of its \/24 are listed/,
  ],
  [
    'ip.surroundings',
    { text: '198.97.1.2', plan: { density: { '198.97.1.2': { around: 12 } } } },
    { text: '198.97.1.2' },
    /^12 of the 255 other networks \(\/24\) of its \/16 contain/,
  ],
  [
    'ip.network_density',
    { text: '198.97.1.2', plan: { ...onAsn(), density: { '198.97.1.2': { asnPer10k: 40, asnAnnounced: 65_536 } } } },
    { text: '198.97.1.2', plan: { ...onAsn(), density: { '198.97.1.2': { asnPer10k: 0.3, asnAnnounced: 65_536 } } } },
    /^40 in 10,000 addresses of AS64496 \(Example Net\)/,
  ],
  [
    'ip.scanner',
    { text: '198.97.1.2', plan: onIp('198.97.1.2', 'scanner') },
    { text: '198.97.1.2', plan: onIp('198.97.1.2', 'research_scanner') },
  ],
  [
    'ip.research_scanner',
    { text: '198.97.1.2', plan: onIp('198.97.1.2', 'research_scanner') },
    { text: '198.97.1.2', plan: onIp('198.97.1.2', 'scanner') },
  ],
  [
    'ip.bogon',
    { text: '198.97.1.2', plan: onIp('198.97.0.0/16', 'bogon') },
    { text: '198.96.1.2', plan: onIp('198.97.0.0/16', 'bogon') },
  ],
  [
    'ip.sinkhole',
    { text: '198.97.1.2', plan: onIp('198.97.1.2', 'sinkhole') },
    { text: '198.97.1.3', plan: onIp('198.97.1.2', 'sinkhole') },
  ],
  [
    'ip.resolver',
    { text: '8.8.8.8', plan: onIp('8.8.8.8', 'resolver') },
    { text: '8.8.8.9', plan: onIp('8.8.8.8', 'resolver') },
  ],
  [
    'ip.mail_provider',
    { text: '198.97.1.2', plan: onIp('198.97.1.0/24', 'mail_provider') },
    { text: '198.97.2.2', plan: onIp('198.97.1.0/24', 'mail_provider') },
  ],
  [
    'ip.big_provider',
    { text: '198.97.1.2', plan: onIp('198.97.1.0/24', 'big_provider') },
    { text: '198.97.2.2', plan: onIp('198.97.1.0/24', 'big_provider') },
  ],
  [
    'ip.cdn',
    { text: '198.97.1.2', plan: onIp('198.97.1.0/24', 'cdn') },
    { text: '198.97.2.2', plan: onIp('198.97.1.0/24', 'cdn') },
  ],
  [
    'ip.known_good',
    { text: '198.97.1.2', plan: onIp('198.97.1.2', 'known_good') },
    { text: '198.97.1.3', plan: onIp('198.97.1.2', 'known_good') },
  ],
]

for (const [code, heard, unheard, says] of CASES)
  test(`${code} is heard where it should be and not next to it`, () => {
    const kind = code.slice(0, code.indexOf('.')) as Kind
    const report = signalsOf(kind, heard.text, heard.plan).find((signal) => signal.code === code)
    expect(report, `${heard.text} has ${code}`).toBeDefined()
    if (says) expect(report?.description).toMatch(says)
    expect(signalsOf(kind, unheard.text, unheard.plan).map((signal) => signal.code)).not.toContain(code)
  })

const ALL = [...DOMAIN_SIGNALS, ...EMAIL_SIGNALS, ...IP_SIGNALS]

test('every signal has an example here, and every code is used once', () => {
  const codes: string[] = ALL.map(({ code }) => code)
  expect(new Set(codes).size).toBe(codes.length)
  expect(CASES.map(([code]) => code).toSorted()).toEqual(codes.toSorted())
})

test('every description is a sentence for a buyer: no code, no jargon, no full stop', () => {
  for (const { code, description } of ALL) {
    expect(description, code).toMatch(/^[A-Z][^.]{10,100}$/)
    expect(description, code).not.toMatch(/log-odds|logit|regex|n-gram|undefined/)
  }
})

test('every tag a feed may carry is heard by some signal', () => {
  for (const tag of Object.keys(TAGS) as Tag[]) {
    const plan: SnapshotPlan = {
      domains: { 'quiet-name.net': [tag] },
      ips: { '198.97.1.2': [tag] },
      asns: { '198.97.0.0/16': { number: 64496, name: 'Example Net', tags: [tag] } },
    }
    const before = [
      signalsOf('domain', 'quiet-name.net'),
      signalsOf('ip', '198.97.1.2'),
      signalsOf('email', 'a@quiet-name.net'),
    ]
    const after = [
      signalsOf('domain', 'quiet-name.net', plan),
      signalsOf('ip', '198.97.1.2', plan),
      signalsOf('email', 'a@quiet-name.net', plan),
    ]
    const known = new Set(before.flat().map(({ code }) => code))
    expect(
      after.flat().filter(({ code }) => !known.has(code)),
      tag,
    ).not.toEqual([])
  }
})
