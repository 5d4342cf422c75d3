import { describe, expect, test } from 'vitest'
import { memorySnapshot, SEEN_MS, type SnapshotPlan } from '../../../test/support/memory-snapshot.ts'
import { testModels } from '../../../test/support/models.ts'
import type { Density, Evidence, Tag } from '../../snapshot/types.ts'
import { type Evaluation, levelOf } from '../engine.ts'
import { isProblem, parseIndicator, targetOf } from '../indicator.ts'
import { createScorer } from '../score.ts'

const models = testModels()

function ask(text: string, plan: SnapshotPlan = {}): Evaluation & { readonly level: string; readonly says: string } {
  const indicator = parseIndicator('ip', text)
  if (isProblem(indicator)) throw new Error(`${text}: ${indicator.detail}`)
  const [evaluation] = createScorer(memorySnapshot(plan), models).evaluate('ip', [indicator], { explain: true })
  if (!evaluation) throw new Error('no answer')
  const says = evaluation.signals.map(({ description }) => description).join('\n')
  return { ...evaluation, level: levelOf(evaluation.score), says }
}

const IP = '198.97.1.2'
const listed = (source: string, tag: Tag, confidence: number, lastSeenMs = SEEN_MS): Partial<Evidence> => ({
  source,
  tag,
  confidence,
  lastSeenMs,
})
const inNetwork = (tags: readonly Tag[], density: Partial<Density>, own: readonly Partial<Evidence>[] = []) => ({
  asns: { '198.97.0.0/16': { number: 64496, name: 'Example Net', tags } },
  ips: own.length > 0 ? { [IP]: own } : {},
  density: { [IP]: density },
})
const LARGE = { asnAnnounced: 5_000_000 }
const SMALL = { asnAnnounced: 4096 }

describe('a listed address', () => {
  test.each<readonly [level: string, what: string, own: readonly Partial<Evidence>[]]>([
    ['high', 'two publishers, both fresh', [listed('data-shield', 'attack', 0.75), listed('ipsum', 'attack', 0.65)]],
    ['high', 'one source that counted many lists', [listed('ipsum', 'attack', 0.87)]],
    ['high', 'one sure and recent listing for controlling malware', [listed('c2intel-ips', 'c2', 0.8)]],
    ['high', 'one sure and recent listing for malware', [listed('maltrail-malware', 'malware', 0.75)]],
    ['medium', 'one fresh listing for attacks', [listed('data-shield', 'attack', 0.75)]],
    ['medium', 'one list of the many that a source counts', [listed('ipsum', 'attack', 0.32)]],
    ['medium', 'one listing that grew old', [listed('c2intel-ips', 'c2', 0.1)]],
    ['medium', 'two that grew old', [listed('data-shield', 'attack', 0.2), listed('ipsum', 'attack', 0.15)]],
    ['medium', 'two sources of one publisher', [listed('acme-web', 'attack', 0.6), listed('acme-ssh', 'attack', 0.6)]],
  ])('is %s by %s', (level, _what, own) => {
    expect(ask(IP, { ips: { [IP]: own } }).level).toBe(level)
  })

  test('is told whose list it is on, how many more there are and how fresh they are', () => {
    const own = [
      listed('data-shield', 'attack', 0.6, Date.UTC(2026, 4, 2)),
      listed('ipsum', 'attack', 0.7, Date.UTC(2026, 4, 30)),
      listed('blocklist-de', 'attack', 0.5, Date.UTC(2026, 3, 1)),
    ]
    expect(ask(IP, { ips: { [IP]: own } }).says).toContain(
      'Listed for attacks by ipsum and 2 more; last seen 2026-05-30',
    )
  })
})

describe('a research scanner that names itself', () => {
  const ATTACKS = [
    listed('data-shield', 'attack', 0.75),
    listed('ipsum', 'attack', 0.87),
    listed('x-y', 'scanner', 0.7),
  ]

  test.each([
    ['71.6.135.131', 'Shodan'],
    ['184.105.139.67', 'Shadowserver'],
    ['5.63.151.100', 'Rapid7'],
    ['91.196.152.7', 'Onyphe'],
    ['162.142.125.10', 'Censys'],
  ])('stays low on every attack list, and the answer says whose it is: %s of %s', (text, owner) => {
    const answer = ask(text, { ips: { [text]: [...ATTACKS, { tag: 'research_scanner' }] } })
    expect(answer.level).toBe('low')
    expect(answer.says).toContain(`A research scanner of ${owner}`)
  })

  test('is known by its network as well', () => {
    const plan: SnapshotPlan = {
      ips: { [IP]: ATTACKS },
      asns: { '198.97.1.0/24': { number: 211298, name: 'Driftnet Ltd' } },
    }
    const answer = ask(IP, plan)
    expect(answer.level).toBe('low')
    expect(answer.says).toContain('A research scanner of Driftnet')
  })

  test('lends nothing to its neighbour', () => {
    expect(ask('71.6.135.132', { ips: { '71.6.135.132': ATTACKS } }).level).toBe('high')
  })
})

test('a sinkhole of researchers is low while lists still name it for the malware it took over', () => {
  const was = [listed('maltrail-malware', 'malware', 0.75), listed('maltrail-c2', 'c2', 0.75)]
  expect(ask(IP, { ips: { [IP]: [...was, { tag: 'sinkhole' }] } }).level).toBe('low')
})

describe('surroundings of an address nobody lists', () => {
  test('hosting alone stays low, whichever list says so', () => {
    expect(ask(IP, inNetwork(['hosting', 'bad_asn'], LARGE, [{ tag: 'hosting' }])).level).toBe('low')
    expect(ask(IP, inNetwork(['hosting'], LARGE)).level).toBe('low')
  })

  test('a dirty hosting company is medium, a clean one low, and the worst street is never high', () => {
    expect(ask(IP, inNetwork(['hosting'], { ...LARGE, around: 200, asnPer10k: 45, near: 3 })).level).toBe('medium')
    expect(ask(IP, inNetwork(['hosting'], { ...LARGE, around: 2, asnPer10k: 1 })).level).toBe('low')
    for (const density of [LARGE, SMALL])
      for (const tags of [['hosting', 'bad_asn'], []] as const) {
        const worst = { ...density, around: 255, asnPer10k: 5000, near: 255 }
        expect(ask(IP, inNetwork(tags, worst)).level).toBe('medium')
      }
  })

  test('neighbours alone make nobody at home more than low', () => {
    for (const near of [1, 5, 60]) {
      expect(ask(IP, inNetwork([], { ...LARGE, near })).level, `${near} neighbours`).toBe('low')
    }
    const usual = { ...LARGE, near: 1, around: 4, asnPer10k: 0.6 }
    expect(ask(IP, inNetwork([], usual)).level).toBe('low')
    const dirty = { ...LARGE, near: 5, around: 40, asnPer10k: 60 }
    expect(ask(IP, inNetwork([], dirty)).level).toBe('medium')
  })

  test('one listed address in a small network is not a share of it', () => {
    const one = ask(IP, inNetwork([], { near: 1, asnPer10k: 39, asnAnnounced: 256 }))
    expect(one.level).toBe('low')
    const many = ask(IP, inNetwork([], { near: 1, asnPer10k: 600, asnAnnounced: 16_000 }))
    expect(many.score).toBeGreaterThan(one.score + 5)
  })

  test('a small network that lives from abuse is medium', () => {
    expect(ask(IP, inNetwork([], { ...SMALL, near: 8, around: 10, asnPer10k: 700 })).level).toBe('medium')
  })

  test('an address is not its own neighbour, also where the whole /24 is taken over', () => {
    const plan: SnapshotPlan = { ips: { '198.97.1.0/24': ['hijacked'] }, density: { [IP]: { near: 256 } } }
    expect(ask(IP, plan).says).toContain('255 of the 255 other addresses of its /24 are listed')
    const attacker: SnapshotPlan = { ips: { [IP]: ['attack'] }, density: { [IP]: { near: 2 } } }
    expect(ask(IP, attacker).says).toContain('1 of the 255 other addresses of its /24 is listed')
  })

  test('more listed around it never lowers the score', () => {
    let before = 0
    for (const near of [0, 1, 2, 4, 8, 16, 32, 64, 128, 255]) {
      const { score } = ask(IP, inNetwork(['hosting'], { ...LARGE, near, around: near, asnPer10k: near }))
      expect(score).toBeGreaterThanOrEqual(before)
      before = score
    }
  })

  test('a list of hosting networks is not called a poor record', () => {
    const plan: SnapshotPlan = {
      ...inNetwork([], LARGE),
      asns: { '198.97.0.0/16': { number: 64496, name: 'Example Net', tags: [] } },
    }
    const snapshot = memorySnapshot(plan)
    const hint = { source: 'bad-asn-list', tag: 'bad_asn', firstSeenMs: 0, lastSeenMs: 0, confidence: 0.4 } as const
    const indicator = parseIndicator('ip', IP)
    if (isProblem(indicator)) throw new Error(indicator.detail)
    const asn = { number: 64496, name: 'Example Net', country: undefined, evidence: [hint] }
    const [answer] = createScorer({ ...snapshot, asn: () => asn }, models).evaluate('ip', [indicator], {
      explain: true,
    })
    const says = answer?.signals.map(({ description }) => description).join()
    expect(says).toContain('which bad-asn-list lists as a network of servers')
    expect(says).not.toContain('poor record')
    expect(levelOf(answer?.score ?? 100)).toBe('low')
  })
})

describe('what hides who comes', () => {
  test.each<readonly [level: string, tags: readonly Tag[]]>([
    ['medium', ['tor_exit']],
    ['medium', ['tor_exit', 'tor_relay', 'hosting']],
    ['medium', ['tor_relay']],
    ['medium', ['vpn', 'hosting']],
    ['medium', ['proxy']],
    ['low', ['relay']],
    ['low', ['relay', 'vpn', 'hosting']],
    ['low', ['cdn', 'vpn']],
  ])('is %s: %s', (level, tags) => {
    expect(ask(IP, { ips: { [IP]: tags } }).level).toBe(level)
  })

  test('is not made high by what its users do around it', () => {
    for (const tag of ['tor_exit', 'tor_relay', 'vpn', 'proxy'] as const) {
      const worst = { ...LARGE, near: 255, around: 255, asnPer10k: 5000 }
      expect(ask(IP, inNetwork(['hosting'], worst, [{ tag }])).level, tag).toBe('medium')
    }
  })

  test('a second list of the same exits adds nothing', () => {
    const one = ask(IP, { ips: { [IP]: [{ source: 'a', tag: 'tor_exit' }] } })
    const two = ask(IP, {
      ips: {
        [IP]: [
          { source: 'a', tag: 'tor_exit' },
          { source: 'b', tag: 'tor_exit' },
        ],
      },
    })
    expect(two.score).toBe(one.score)
  })

  test('a scanner is medium, and a neighbour on a list of scanning networks is not', () => {
    expect(ask(IP, { ips: { [IP]: [{ tag: 'scanner', confidence: 0.7 }] } }).level).toBe('medium')
    expect(ask(IP, { ips: { [IP]: [{ tag: 'scanner', confidence: 0.5 }] } }).level).toBe('low')
  })
})

describe('large providers', () => {
  test('an address that a provider rents out is low, without credit for the provider', () => {
    const rented: readonly Partial<Evidence>[] = [{ tag: 'big_provider', confidence: 0.8 }, { tag: 'hosting' }]
    const answer = ask(IP, { ips: { [IP]: rented } })
    expect(answer.level).toBe('low')
    expect(answer.score).toBeGreaterThanOrEqual(10)
    const attacker = ask(IP, { ips: { [IP]: [...rented, ...['a', 'b'].map((id) => listed(id, 'attack', 0.75))] } })
    expect(attacker.level).toBe('high')
  })

  test('its own machines in the middle of a rented cloud are its own', () => {
    const own: readonly Partial<Evidence>[] = [{ tag: 'big_provider', confidence: 1 }, { tag: 'hosting' }]
    expect(ask(IP, { ips: { [IP]: own } }).score).toBeLessThan(10)
  })
})

describe('an IPv6 address that carries an IPv4 address', () => {
  const LISTED: SnapshotPlan = { ips: { [IP]: [listed('c2intel-ips', 'c2', 0.8)] } }
  const WRAPPED = [
    '2002:c661:102::1',
    '64:ff9b::198.97.1.2',
    '64:ff9b:1::198.97.1.2',
    '2001:0:4136:e378:8000:63bf:399e:fefd',
    '::198.97.1.2',
    '2a01:4f8::5efe:198.97.1.2',
  ]

  test.each(WRAPPED)('%s is judged by what it carries, and the target stays what was asked', (text) => {
    const answer = ask(text, LISTED)
    expect(answer.level).toBe('high')
    expect(answer.says).toContain('Carries 198.97.1.2 inside')
    const indicator = parseIndicator('ip', text)
    expect(!isProblem(indicator) && targetOf(indicator)).toContain(':')
  })

  test('evidence on the whole address counts too', () => {
    const plan: SnapshotPlan = { ips: { '2002:c661:102::1': [listed('c2intel-ips', 'c2', 0.8)] } }
    expect(ask('2002:c661:102::1', plan).level).toBe('high')
    expect(ask('2002:c661:102::2', plan).level).toBe('low')
  })

  test.each(['2002:a00:1::1', '64:ff9b::10.0.0.1', '::10.0.0.1', '2001:0:4136:e378:8000:63bf:f5ff:fffe'])(
    '%s carries a private address and there is nothing to check',
    (text) => {
      const answer = ask(text, { ips: { '10.0.0.1': ['c2'] } })
      expect(answer.signals.map(({ code }) => code)).toEqual(['ip.not_public'])
      expect(answer.says).toMatch(/^Nothing to check: carries 10\.0\.0\.1 inside .*private address \(RFC 1918\)/)
    },
  )

  test('the holder of a prefix cannot borrow the good name of an address written into the last bits', () => {
    const plan: SnapshotPlan = {
      ips: {
        '8.8.8.8': ['resolver', 'known_good'],
        '2a01:4f8::/32': [listed('a', 'attack', 0.75), listed('b', 'c2', 0.8)],
      },
    }
    const answer = ask('2a01:4f8::5efe:8.8.8.8', plan)
    expect(answer.level).toBe('high')
    expect(answer.signals.map(({ code }) => code)).not.toContain('ip.resolver')
    // Nor can a private address in there make the prefix private.
    expect(ask('2a01:4f8::5efe:10.0.0.1', plan).level).toBe('high')
  })
})
