import { expect, it } from 'vitest'
import { resealColumn } from '../../src/db/reseal.ts'
import { beginReplacing, endReplacing, newestSealsAt, openRing, SecretRefused, secretIdOf } from '../../src/db/ring.ts'
import type { Sql } from '../../src/db/sql.ts'
import { insertStoredResponses, keptAnswers, SEALED_ANSWERS, sealAnswer } from '../../src/db/stored-response.ts'
import { DAY_MS, SECOND_MS } from '../../src/lib/clock.ts'
import { keyIdOf, type Ring, ringOf } from '../../src/lib/seal.ts'
import { ManualClock } from '../support/clock.ts'
import { describeEachStore } from '../support/stores.ts'

const FORMER = 'the former secret of this test, long enough'
const NEXT = 'the new secret of this test, also long enough'

describeEachStore('the ring of sealing keys', (open) => {
  const clock = new ManualClock('2026-03-01T00:00:00Z')
  const openWith = (sql: Sql, secret: string) => openRing({ sql, clock, secret, sealedBefore: async () => false })

  it('is one ring for nodes that start at once, and is opened by its secret only', async () => {
    const stores = await Promise.all([open(), open(), open()])
    const rings = await Promise.all(stores.map((sql) => openWith(sql, FORMER)))
    const [first] = rings
    const mac = first?.mac('a', 'text') ?? ''
    for (const ring of rings) expect([ring.ids, ring.isMac('a', 'text', mac)]).toEqual([[1], true])
    const refused = await openWith(stores[0]!, NEXT).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(SecretRefused)
    expect(String(refused)).toContain(secretIdOf(FORMER))
    expect(String(refused)).not.toContain(FORMER)
    const rows = await stores[0]!.query('select * from sealing_key_wrap')
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(FORMER).toString('base64url'))
  })

  it('is opened by either secret while it is replaced; a node meets the new key before it seals', async () => {
    const sql = await open()
    const a = await openWith(sql, FORMER)
    await beginReplacing({ sql, clock }, { former: FORMER, next: NEXT })
    const b = await openWith(sql, NEXT)
    expect([b.ids, b.current]).toEqual([[1, 2], 1])
    clock.advance(10 * SECOND_MS)
    await b.readAgain()
    const sealed = b.seal('a').seal('text', 'here')
    expect(keyIdOf(sealed)).toBe(2)
    // This node has not looked since: what it cannot open makes it look.
    expect(a.ids).toEqual([1])
    expect(await a.seal('a').open(sealed, 'here')).toBe('text')
    expect(a.current).toBe(2)

    await endReplacing(sql, NEXT)
    await expect(openWith(sql, FORMER)).rejects.toThrow(secretIdOf(NEXT))
    const after = await openWith(sql, NEXT)
    expect(after.ids).toEqual([2])
    expect(await after.seal('a').open(sealed, 'here')).toBe('text')
    // A node that still runs with the former secret goes on with what it has.
    await expect(a.readAgain()).rejects.toThrow(SecretRefused)
    expect(await a.seal('a').open(sealed, 'here')).toBe('text')
  })
})

describeEachStore('a ring made by a clock that was ahead', (open) => {
  it('holds up no replacement: the new key seals within seconds', async () => {
    const sql = await open()
    const clock = new ManualClock('2026-03-31T00:00:00Z')
    await openRing({ sql, clock, secret: FORMER, sealedBefore: async () => false })
    clock.step(-30 * DAY_MS)
    const soon = clock.now() + 10 * SECOND_MS
    expect(await newestSealsAt(sql, clock.now())).toBeLessThan(soon)
    await beginReplacing({ sql, clock }, { former: FORMER, next: NEXT })
    expect(await newestSealsAt(sql, clock.now())).toBeLessThan(soon)
    // A key that was made before the clock was set back.
    clock.step(-30 * DAY_MS)
    expect(await newestSealsAt(sql, clock.now())).toBeLessThan(clock.now() + 10 * SECOND_MS)
  })
})

describeEachStore('sealing anew', (open) => {
  it('walks a table by its key, a page at a time, also when nothing is left to do', async () => {
    const opened = await open()
    const pages: number[] = []
    const sql: Sql = {
      ...opened,
      async query(text, params) {
        const rows = await opened.query<never>(text, params)
        pages.push(rows.length)
        return rows
      },
    }
    const ring = ringOf(FORMER)
    const keep = (from: number, to: number, kept: (name: { organisationId: string; key: string }) => string) =>
      opened.transaction((tx) =>
        insertStoredResponses(
          tx,
          Array.from({ length: to - from }, (_, i) => {
            const name = { organisationId: 'org_of_rows', key: `row-${1000 + from + i}` }
            return { ...name, requestHash: '', status: 200, body: kept(name), createdAtMs: 0 }
          }),
        ),
      )
    const sealedBy = (by: Ring) => (name: { organisationId: string; key: string }) =>
      `${sealAnswer(keptAnswers(by), name, { requestHash: 'x', before: '{"a":', after: '}' })} 1`
    await keep(0, 120, sealedBy(ring))
    const next = { id: 2, material: Buffer.from('another key') }
    ring.replace([{ id: 1, material: Buffer.from(FORMER) }, next], 2)
    await keep(120, 240, sealedBy(ring))
    await keep(240, 250, () => '{"kept":"in plain by version 1.0"}')
    await keep(250, 255, sealedBy(ringOf(NEXT)))

    expect(await resealColumn(sql, ring, SEALED_ANSWERS)).toEqual({ resealed: 120, unreadable: 5 })
    pages.length = 0
    expect(await resealColumn(sql, ring, SEALED_ANSWERS)).toEqual({ resealed: 0, unreadable: 5 })
    expect(pages).toEqual([100, 100, 55, 0])
  })
})
