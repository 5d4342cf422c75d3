import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { indexOf, memoryOwnSource, ownIndex, ownKnowledge } from '../../../test/support/own.ts'
import { hashText } from '../../lib/text-index.ts'
import { createOwnIndexes } from './indexes.ts'
import type { OwnKnowledge } from './knowledge.ts'
import { OwnIndex, SECTIONS } from './own-index.ts'

const firms = (count: number, version = 1) =>
  ownKnowledge({
    version,
    counterparties: Array.from({ length: count }, (_, i) => ({ domains: [`supplier-${i}.com`] })),
  })

const has = (index: OwnIndex | undefined, domain: string) =>
  (index?.domains(SECTIONS.domain, hashText(domain), (known) => known.domain === domain).length ?? 0) > 0

describe('the indexes of organisations', () => {
  test('an organisation that knows nothing is answered at once, and nothing is read', () => {
    const { source, reads } = memoryOwnSource(new Map())
    expect(createOwnIndexes({ source }).find('org_a')).toBeUndefined()
    expect(reads).toEqual([])
  })

  test('an index is compiled once for a version, for all who ask at the same time, and is there at once afterwards', async () => {
    const organisations = new Map([['org_a', firms(3)]])
    const { source, reads } = memoryOwnSource(organisations)
    const indexes = createOwnIndexes({ source })
    const [one, two] = await Promise.all([indexes.find('org_a'), indexes.find('org_a')])
    expect(one).toBe(two)
    expect(indexes.find('org_a')).toBe(one)
    organisations.set('org_a', firms(4, 2))
    const changed = await indexes.find('org_a')
    expect(changed?.version).toBe(2)
    expect(has(changed, 'supplier-3.com')).toBe(true)
    expect(reads).toEqual(['org_a', 'org_a'])
    organisations.delete('org_a')
    expect(indexes.find('org_a')).toBeUndefined()
    expect(indexes.bytes()).toBe(0)
  })

  test('the least recently used leaves when the memory is full, and comes back when it is asked for', async () => {
    const size = indexOf(firms(50)).memory.byteLength
    const { source, reads } = memoryOwnSource(new Map(['a', 'b', 'c'].map((id) => [id, firms(50)])))
    const indexes = createOwnIndexes({ source, bytesMax: 2 * size })
    await indexes.find('a')
    await indexes.find('b')
    expect(indexes.find('a')).toBeInstanceOf(OwnIndex)
    await indexes.find('c')
    expect(indexes.bytes()).toBe(2 * size)
    expect(indexes.find('a')).toBeInstanceOf(OwnIndex)
    expect(has(await indexes.find('b'), 'supplier-1.com')).toBe(true)
    expect(reads).toEqual(['a', 'b', 'c', 'b'])
  })

  test('the memory of an index that left is free in the next turn, and the index cannot be used any more', async () => {
    const { source } = memoryOwnSource(new Map(['a', 'b'].map((id) => [id, firms(50)])))
    const indexes = createOwnIndexes({ source, bytesMax: 1 })
    const index = await indexes.find('a')
    await indexes.find('b')
    expect(has(index, 'supplier-1.com')).toBe(true)
    await nextTurn()
    expect(index?.memory.byteLength).toBe(0)
    expect(() => has(index, 'supplier-1.com')).toThrow(TypeError)
    expect(() => index?.mayHold(SECTIONS.domain, 0)).toThrow(TypeError)
    expect(has(await indexes.find('a'), 'supplier-1.com')).toBe(true)
  })

  test('a check never waits for the index of another organisation', async () => {
    const held = Promise.withResolvers<OwnKnowledge>()
    const { source } = memoryOwnSource(
      new Map([
        ['slow', firms(1)],
        ['quick', firms(2)],
      ]),
    )
    const read = (id: string) => (id === 'slow' ? held.promise : source.read(id))
    const indexes = createOwnIndexes({ source: { ...source, read } })
    const slow = indexes.find('slow')
    expect(has(await indexes.find('quick'), 'supplier-1.com')).toBe(true)
    held.resolve(firms(1))
    expect(has(await slow, 'supplier-0.com')).toBe(true)
  })

  test('a long register is compiled in turns, beside the index of another organisation', async () => {
    const { source } = memoryOwnSource(
      new Map([
        ['long', firms(20_000)],
        ['short', firms(2)],
      ]),
    )
    const indexes = createOwnIndexes({ source })
    const order: string[] = []
    const finished = (id: string) => Promise.resolve(indexes.find(id)).then(() => order.push(id))
    await Promise.all([finished('long'), finished('short')])
    expect(order).toEqual(['short', 'long'])
  })

  test('while a long register is compiled again, its version before is used for two seconds at most', async () => {
    const organisations = new Map([['org_a', firms(10_000)]])
    const { source } = memoryOwnSource(organisations)
    let nowMs = 0
    const indexes = createOwnIndexes({ source, clock: { ticks: () => nowMs } })
    const first = await indexes.find('org_a')
    organisations.set('org_a', firms(10_001, 2))
    expect(indexes.find('org_a')).toBe(first)
    nowMs = 2000
    const second = await indexes.find('org_a')
    expect(has(second, 'supplier-10000.com')).toBe(true)
  })

  test('knowledge that cannot be read makes the engine unavailable, and is read again at the next check', async () => {
    const { source } = memoryOwnSource(new Map([['org_a', firms(1)]]))
    let fails = true
    const read = (id: string) => (fails ? Promise.reject(new Error('the database is away')) : source.read(id))
    const indexes = createOwnIndexes({ source: { ...source, read } })
    await expect(Promise.resolve(indexes.find('org_a'))).rejects.toMatchObject({ name: 'EngineUnavailable' })
    fails = false
    expect(has(await indexes.find('org_a'), 'supplier-0.com')).toBe(true)
  })
})

describe('an index', () => {
  test('is the same in another memory, as a thread or an engine apart gets it', () => {
    const index = ownIndex({
      version: 2 ** 40 + 7,
      counterparties: [{ name: 'Bäcker & Söhne', domains: ['xn--bcker-gra.de'], networks: ['2001:db8::/32'] }],
    })
    const shared = new SharedArrayBuffer(index.memory.byteLength)
    new Uint8Array(shared).set(index.memory)
    const there = new OwnIndex(new Uint8Array(shared))
    expect(there.version).toBe(2 ** 40 + 7)
    expect(
      there.domains(SECTIONS.domain, hashText('xn--bcker-gra.de'), () => true)[0]?.counterparty?.details().name,
    ).toBe('Bäcker & Söhne')
    expect(() => new OwnIndex(new Uint8Array(64))).toThrow(RangeError)
    expect(() => new OwnIndex(index.memory.slice(0, 100))).toThrow(RangeError)
  })

  test('knows the domains of addresses, without public mail providers', () => {
    const index = ownIndex({
      domains: ['own-harbour.com'],
      counterparties: [
        { domains: ['acme.com', 'acme.de'], emails: ['jürgen@acme.de', 'ap@acme-mail.net', 'pay@acme-mail.net'] },
        { name: 'Bäcker', domains: [], emails: ['b@gmail.com', 'b@baecker.de'] },
      ],
    })
    for (const domain of ['own-harbour.com', 'acme.com', 'acme.de', 'acme-mail.net', 'baecker.de']) {
      expect(has(index, domain), domain).toBe(true)
    }
    expect(has(index, 'gmail.com')).toBe(false)
    for (const email of ['jürgen@acme.de', 'ap@acme-mail.net', 'pay@acme-mail.net', 'b@gmail.com']) {
      expect(index.withEmail(email), email).toHaveLength(1)
    }
    expect(index.withEmail('ap@acme.com')).toEqual([])
  })

  test('has every detail of a counterparty', () => {
    const details = {
      id: 'cpty_7',
      name: 'Müller & Söhne 4 GmbH',
      reference: 'K 4711/ä',
      since: '2019-02-01',
      networks: ['203.0.113.0/24', '2001:db8::/32'],
      emails: ['a@mueller.de', 'ü@mueller.de'],
    }
    const index = ownIndex({
      counterparties: [
        { ...details, state: 'former', domains: ['mueller.de'] },
        { id: 'cpty_8', name: 'Bare', emails: ['bare@gmail.com'] },
        // Longer than any line before it.
        { domains: ['long.com'], emails: Array.from({ length: 300 }, (_, i) => `${'ä'.repeat(60)}${i}@long.com`) },
      ],
    })
    const [former] = index.withEmail('ü@mueller.de')
    expect([former?.state, former?.details()]).toEqual(['former', details])
    const [bare] = index.withEmail('bare@gmail.com')
    const none = { reference: null, since: null, networks: [] }
    expect(bare?.details()).toEqual({ id: 'cpty_8', name: 'Bare', ...none, emails: ['bare@gmail.com'] })
    expect(index.withEmail(`${'ä'.repeat(60)}299@long.com`)).toHaveLength(1)
    for (const name of ['mullersohne4', 'muellersoehne4', 'mueller', 'bare']) {
      expect(index.withName(name), name).toHaveLength(1)
    }
  })

  test('stays quick when thousands of domains have one name', () => {
    const index = ownIndex({
      counterparties: Array.from({ length: 5000 }, (_, i) => ({
        domains: [`harbourlight.zone${i}.com`, `shop${i}.harbourlight.com`],
      })),
    })
    const found = index.domains(SECTIONS.look, hashText('harbourlight'), ({ label }) => label === 'harbourlight')
    expect(found.length).toBeLessThan(10)
  })
})
