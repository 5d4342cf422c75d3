import { expect, it } from 'vitest'
import { beginReplacing, endReplacing, openRing, SecretRefused, secretIdOf } from '../../src/db/ring.ts'
import type { Sql } from '../../src/db/sql.ts'
import { ManualClock, SECOND_MS } from '../../src/lib/clock.ts'
import { keyIdOf } from '../../src/lib/seal.ts'
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
    expect([b.ids, b.present]).toEqual([[1, 2], 1])
    clock.advance(10 * SECOND_MS)
    await b.readAgain()
    const sealed = b.seal('a').seal('text', 'here')
    expect(keyIdOf(sealed)).toBe(2)
    // This node has not looked since: what it cannot open makes it look.
    expect(a.ids).toEqual([1])
    expect(await a.seal('a').open(sealed, 'here')).toBe('text')
    expect(a.present).toBe(2)

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
