import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Migration, migrate, readMigrations, statementsOf } from '../../src/db/migrate.ts'
import { type Column, rowsToInsert } from '../../src/db/multi-row.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { runStatements } from '../../src/db/routine.ts'
import { containsText, type Sql, StoreUnavailable, UniqueViolation, valuesList } from '../../src/db/sql.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import { readWhole } from '../../src/db/whole-read.ts'
import { anyText } from '../support/any-text.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { addToCounter, addToCounters } from '../support/routines.ts'
import { runs } from '../support/runs.ts'
import { createPlace, describeEachStore, ENGINES, openPlace } from '../support/stores.ts'

function barrier() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

describeEachStore('the storage port', (open, engine) => {
  let sql: Sql
  beforeAll(async () => {
    sql = await open()
    await sql.query('create table thing (id text primary key, amount bigint not null, note text, raw bytea)')
    await sql.query('create table counter (id text primary key, value bigint not null)')
  })

  let lastId = 0
  const id = () => `id${++lastId}`
  const insert = 'insert into thing (id, amount, note) values ($1, $2, $3)'

  test('rule 1: a statement outside a transaction is seen by another node when its promise resolves', async () => {
    const other = await open()
    const one = id()
    await sql.query(insert, [one, 1, null])
    expect(await other.query('select amount from thing where id = $1', [one])).toEqual([{ amount: 1 }])
  })

  test('text is found without regard to case, in every alphabet', async () => {
    const find = (text: string) => {
      const params: string[] = []
      const condition = containsText(sql, 'name', text, (value) => `$${params.push(value)}`)
      return sql.query(`select name from (select 'ÖZTÜRK & Ürün (100%) Ltd' as name) as one where ${condition}`, params)
    }
    for (const text of ['öztürk', 'Öztürk & ÜRÜN (100%) ltd', '0%', 'LTD']) {
      expect([text, await find(text)]).toEqual([text, [{ name: 'ÖZTÜRK & Ürün (100%) Ltd' }]])
    }
    for (const text of ['ozturk', '1.0', '%%', '_']) expect([text, await find(text)]).toEqual([text, []])
  })

  test('rule 2: a transaction commits when its function resolves and hands its value on', async () => {
    const one = id()
    const value = await sql.transaction(async (tx) => {
      await tx.query(insert, [one, 1, null])
      return 'value'
    })
    expect(value).toBe('value')
    expect(await sql.query('select id from thing where id = $1', [one])).toHaveLength(1)
  })

  test('rule 2: a transaction rolls back when its function throws and the error comes through unchanged', async () => {
    const one = id()
    const error = new Error('mine')
    const failing = sql.transaction(async (tx) => {
      await tx.query(insert, [one, 1, null])
      throw error
    })
    await expect(failing).rejects.toBe(error)
    expect(await sql.query('select id from thing where id = $1', [one])).toEqual([])
  })

  test('rule 3: a transaction sees its own writes and nobody else does before the commit', async () => {
    const one = id()
    await sql.transaction(async (tx) => {
      await tx.query(insert, [one, 7, null])
      expect(await tx.query('select amount from thing where id = $1', [one])).toEqual([{ amount: 7 }])
      expect(await sql.query('select amount from thing where id = $1', [one])).toEqual([])
    })
    expect(await sql.query('select amount from thing where id = $1', [one])).toEqual([{ amount: 7 }])
  })

  test('rule 4: concurrent transactions of several nodes on one row lose no update', async () => {
    const nodes = await Promise.all([open({ connectionsMax: 4 }), open({ connectionsMax: 4 })])
    const one = id()
    await sql.query('insert into counter values ($1, 0)', [one])
    const step = (node: Sql) =>
      node.transaction(async (tx) => {
        const rows = await tx.query<{ value: number }>(`select value from counter where id = $1${tx.forUpdate}`, [one])
        await tx.query('update counter set value = $2 where id = $1', [one, (rows[0]?.value ?? 0) + 1])
      })
    await Promise.all(Array.from({ length: 60 }, (_, i) => step(nodes[i % 2] as Sql)))
    expect(await sql.query('select value from counter where id = $1', [one])).toEqual([{ value: 60 }])
  })

  test('rule 4: transactions that lock in opposite orders both finish', async () => {
    const [a, b] = [id(), id()]
    await sql.query(`insert into counter values ${valuesList(2, 2)}`, [a, 0, b, 0])
    const bump = (first: string, second: string) =>
      sql.transaction(async (tx) => {
        await tx.query('update counter set value = value + 1 where id = $1', [first])
        await tx.query('update counter set value = value + 1 where id = $1', [second])
      })
    await Promise.all([bump(a, b), bump(b, a), bump(a, b)])
    expect(await sql.query('select sum(value) as total from counter where id in ($1, $2)', [a, b])).toEqual([
      { total: 6 },
    ])
  })

  test('rule 6: a failed statement spoils the transaction even when its error is caught', async () => {
    const one = id()
    const failing = sql.transaction(async (tx) => {
      await tx.query(insert, [one, 1, null])
      await tx.query(insert, [one, 2, null]).catch(() => {})
      await expect(tx.query('select 1 as one')).rejects.toThrow()
      return 'looks fine'
    })
    await expect(failing).rejects.toBeInstanceOf(UniqueViolation)
    expect(await sql.query('select id from thing where id = $1', [one])).toEqual([])
  })

  test('rule 6: of statements sent together the good ones go with the bad one', async () => {
    const [one, two] = [id(), id()]
    const failing = sql.transaction((tx) =>
      Promise.all([
        tx.query(insert, [one, 1, null]),
        tx.query('insert into missing values (1)'),
        tx.query(insert, [two, 1, null]),
      ]),
    )
    await expect(failing).rejects.toThrow(/missing/)
    expect(await sql.query('select id from thing where id in ($1, $2)', [one, two])).toEqual([])
    await sql.query(insert, [one, 1, null])
  })

  test('a transaction cannot be used after it is over', async () => {
    const over = barrier()
    let late: Promise<unknown> | undefined
    await sql.transaction(async (tx) => {
      await tx.query('select 1 as one')
      late = over.opened.then(() => tx.query('select 1 as one'))
    })
    over.open()
    await expect(late).rejects.toThrow('the transaction is over')
  })

  test('rule 7: a second row under a unique key is a UniqueViolation', async () => {
    const one = id()
    await sql.query(insert, [one, 1, null])
    await expect(sql.query(insert, [one, 1, null])).rejects.toBeInstanceOf(UniqueViolation)
  })

  test('a broken statement is an ordinary error, not an unavailable store', async () => {
    const failing = sql.query('select id from nowhere')
    await expect(failing).rejects.toThrow(/nowhere/)
    await expect(failing).rejects.not.toBeInstanceOf(StoreUnavailable)
  })

  test('rule 8: integers come back exactly up to 2^53 - 1 and a larger one is an error', async () => {
    const one = id()
    await sql.query(insert, [one, Number.MAX_SAFE_INTEGER, null])
    expect(await sql.query('select amount, -amount as less from thing where id = $1', [one])).toEqual([
      { amount: Number.MAX_SAFE_INTEGER, less: -Number.MAX_SAFE_INTEGER },
    ])
    await expect(sql.query('select amount + 2 as more from thing where id = $1', [one])).rejects.toThrow(RangeError)
    await expect(sql.query(insert, [id(), 2 ** 53, null])).rejects.toThrow(RangeError)
  })

  test('sums, counts and averages of nothing have the same types on both engines', async () => {
    await sql.query('insert into counter values ($1, 2), ($2, 3)', ['sum-a', 'sum-b'])
    expect(
      await sql.query(
        `select count(*) as n, sum(value) as total, max(value) as most from counter where id like 'sum-%'`,
      ),
    ).toEqual([{ n: 2, total: 5, most: 3 }])
    expect(await sql.query('select sum(value) as total from counter where id = $1', ['absent'])).toEqual([
      { total: null },
    ])
  })

  test('rule 10: text comes back as it went in, and U+0000 and numbers that are not finite are refused', async () => {
    await fc.assert(
      fc.asyncProperty(anyText({ maxLength: 50 }), async (text) => {
        const one = id()
        const writing = sql.query(`${insert} returning note`, [one, 1, text])
        if (text.includes('\0')) await expect(writing).rejects.toThrow(RangeError)
        else expect(await writing).toEqual([{ note: text }])
      }),
      { numRuns: runs(25) },
    )
    await expect(sql.query(insert, [id(), 1, 'a\0b'])).rejects.toThrow('parameter $3 contains U+0000')
    await expect(sql.query(insert, [id(), Number.NaN, null])).rejects.toThrow(RangeError)
    expect(await sql.query(`${insert} returning note`, [id(), 1, 'a\ud800b'])).toEqual([{ note: 'a\ufffdb' }])
  })

  test('JSON is text and bytes are bytes', async () => {
    const json = JSON.stringify({ a: [1, 'ü', null], b: '\u0000' })
    const bytes = new Uint8Array([0, 1, 255])
    const rows = await sql.query<{ note: string; raw: Uint8Array }>(
      'insert into thing (id, amount, note, raw) values ($1, 1, $2, $3) returning note, raw',
      [id(), json, bytes],
    )
    expect(rows[0]?.note).toBe(json)
    expect([...(rows[0]?.raw ?? [])]).toEqual([...bytes])
  })

  test('a statement that fails is among those whose time is told', async () => {
    const before = sql.times.figures().statements
    await expect(sql.query('select 1 from nowhere')).rejects.toThrow()
    await expect(sql.transaction((tx) => tx.query('select 1 from nowhere'))).rejects.toThrow()
    expect(sql.times.figures().statements - before).toBeGreaterThanOrEqual(2)
  })

  test('a parameter may stand several times and in any order', async () => {
    const one = id()
    await sql.query('insert into thing (note, id, amount) values ($2, $1, $3)', [one, 'note', 4])
    expect(
      await sql.query('select note from thing where (id = $2 or id = $2) and amount = $1 limit $3', [4, one, 1]),
    ).toEqual([{ note: 'note' }])
  })

  test('an upsert over many rows answers with what it wrote', async () => {
    const ids = Array.from({ length: 200 }, id)
    const upsert = `insert into counter values ${valuesList(200, 2)}
      on conflict (id) do update set value = counter.value + excluded.value returning id, value`
    const params = ids.flatMap((one) => [one, 1])
    await sql.query(upsert, params)
    const rows = await sql.query<{ value: number }>(upsert, params)
    expect(rows).toHaveLength(200)
    expect(rows.every((row) => row.value === 2)).toBe(true)
  })

  test('rows inserted together come back as they went in, whatever they hold', async () => {
    interface Thing {
      readonly id: string
      readonly amount: number
      readonly note: string | null
    }
    const columns: readonly Column<Thing>[] = [
      { name: 'id', type: 'text', of: (thing) => thing.id },
      { name: 'amount', type: 'bigint', of: (thing) => thing.amount },
      { name: 'note', type: 'text', of: (thing) => thing.note },
    ]
    const insertAll = (rows: readonly Thing[], onConflict = '') =>
      sql.transaction((tx) => runStatements(tx, rowsToInsert(tx, { table: 'thing', columns, rows, onConflict })))
    const text = fc.oneof(
      fc.constantFrom('', 'NULL', 'null', '{}', '{"a"}', '"', '\\', '\\"', ',', ' ', "'", '$1', 'ä, 日本 🎉\n\t'),
      fc.string({ unit: 'grapheme' }).filter((one) => !one.includes('\0')),
    )
    const things = fc.array(fc.record({ amount: fc.maxSafeInteger(), note: fc.option(text) }), { maxLength: 70 })
    await fc.assert(
      fc.asyncProperty(things, async (some) => {
        const rows = some.map((one) => ({ id: id(), ...one }))
        await insertAll(rows)
        const ids = new Set(rows.map((row) => row.id))
        const all = await sql.query<Thing>('select id, amount, note from thing')
        expect(new Map(all.filter((row) => ids.has(row.id)).map((row) => [row.id, row]))).toEqual(
          new Map(rows.map((row) => [row.id, row])),
        )
      }),
      { numRuns: runs(15) },
    )
    const one = { id: id(), amount: 1, note: null }
    await insertAll([one])
    await expect(insertAll([one])).rejects.toBeInstanceOf(UniqueViolation)
    await insertAll([{ ...one, amount: 2 }], 'on conflict (id) do update set amount = excluded.amount')
    expect(await sql.query('select amount from thing where id = $1', [one.id])).toEqual([{ amount: 2 }])
    await expect(insertAll([{ id: id(), amount: 2 ** 53, note: null }])).rejects.toThrow(RangeError)
    await expect(insertAll([{ id: id(), amount: 1, note: 'a\0b' }])).rejects.toThrow('U+0000')
  })

  test('many concurrent queries and transactions all get their own answers', async () => {
    const answers = await Promise.all(
      Array.from({ length: 500 }, async (_, i) => {
        if (i % 3 === 0) return (await sql.query(`${insert} returning amount`, [id(), i, null]))[0]
        if (i % 3 === 1)
          return sql.transaction(async (tx) => (await tx.query(`${insert} returning amount`, [id(), i, null]))[0])
        return (await sql.query('select cast($1 as bigint) as amount', [i]))[0]
      }),
    )
    expect(answers).toEqual(answers.map((_, i) => ({ amount: i })))
  })

  test('forUpdateSkipLocked leaves out rows another node has locked', async () => {
    const other = await open()
    const [one, two] = [id(), id()]
    await sql.query(`insert into counter values ${valuesList(2, 2)}`, [one, 0, two, 0])
    const [locked, finish] = [barrier(), barrier()]
    const holder = other.transaction(async (tx) => {
      await tx.query(`select id from counter where id = $1${tx.forUpdate}`, [one])
      locked.open()
      if (engine === 'postgres') await finish.opened
    })
    await locked.opened
    const seen = await sql.transaction(async (tx) =>
      tx.query(`select id from counter where id in ($1, $2) order by id${tx.forUpdateSkipLocked}`, [one, two]),
    )
    finish.open()
    await holder
    // SQLite has one writer at a time: it waited for the other node and then had every row.
    expect(seen).toHaveLength(engine === 'postgres' ? 1 : 2)
  })

  test('rule 5: a lock held by another node beyond the timeout is a StoreUnavailable, and nothing is written', async () => {
    const other = await open()
    const one = id()
    await sql.query('insert into counter values ($1, 0)', [one])
    const [locked, finish] = [barrier(), barrier()]
    const holder = other.transaction(async (tx) => {
      await tx.query('update counter set value = 1 where id = $1', [one])
      locked.open()
      await finish.opened
    })
    await locked.opened
    const waiting = sql.transaction((tx) => tx.query('update counter set value = 2 where id = $1', [one]), {
      lockTimeoutMs: 20,
    })
    await expect(waiting).rejects.toBeInstanceOf(StoreUnavailable)
    finish.open()
    await holder
    expect(await sql.query('select value from counter where id = $1', [one])).toEqual([{ value: 1 }])
    await sql.query('update counter set value = 3 where id = $1', [one])
  })

  test('a lock is held by one node at a time and free again afterwards, also after an error', async () => {
    const other = await open()
    const inside = await sql.tryLock('job', async () => {
      expect(await other.tryLock('job', async () => 'stolen')).toBeUndefined()
      expect(await sql.tryLock('job', async () => 'stolen')).toBeUndefined()
      expect(await other.tryLock('another job / with a name', async () => 'free')).toBe('free')
      return 'mine'
    })
    expect(inside).toBe('mine')
    const error = new Error('job failed')
    await expect(other.tryLock('job', () => Promise.reject(error))).rejects.toBe(error)
    expect(await sql.tryLock('job', async () => 'again')).toBe('again')
  })

  async function counter(value = 0): Promise<{ id: string; value(): Promise<unknown> }> {
    const one = id()
    await sql.query('insert into counter values ($1, $2)', [one, value])
    return { id: one, value: async () => (await sql.query('select value from counter where id = $1', [one]))[0]?.value }
  }

  test('rule 9: a routine is one transaction: it reads, works out, writes, and hands its output on', async () => {
    const one = await counter(5)
    expect(await sql.run(addToCounter, { id: one.id, by: 2 })).toEqual({ before: 5, engine })
    expect(await one.value()).toBe(7)
  })

  test('rule 9: routines of several nodes on one row lose no update', async () => {
    const nodes = await Promise.all([open({ connectionsMax: 4 }), open({ connectionsMax: 4 })])
    const one = await counter()
    await Promise.all(Array.from({ length: 40 }, (_, i) => nodes[i % 2]!.run(addToCounter, { id: one.id, by: 1 })))
    expect(await one.value()).toBe(40)
  })

  test('rule 9: a routine and transactions that are under way do not mix', async () => {
    const one = await counter()
    const [begun, finish] = [barrier(), barrier()]
    const transaction = sql.transaction(async (tx) => {
      await tx.query('update counter set value = 10 where id = $1', [one.id])
      begun.open()
      await finish.opened
    })
    await begun.opened
    const routine = sql.run(addToCounter, { id: one.id, by: 1 })
    finish.open()
    await transaction
    expect((await routine).before).toBe(10)
    expect(await one.value()).toBe(11)
  })

  test.each([
    ['in code', Error, 'the routine failed'],
    ['in a round', Error, 'nowhere'],
    ['in the last round', Error, 'nowhere'],
    ['with a taken key', UniqueViolation, /unique/i],
    ['with a value', RangeError, 'U+0000'],
  ] as const)(
    'rule 9: a routine that fails %s leaves nothing behind, and the next one works',
    async (fails, kind, message) => {
      const one = await counter(1)
      const failing = sql.run(addToCounter, { id: one.id, by: 1, fails })
      await expect(failing).rejects.toBeInstanceOf(kind)
      await expect(failing).rejects.toThrow(message)
      expect(await one.value()).toBe(1)
      await sql.run(addToCounter, { id: one.id, by: 1 })
      expect(await one.value()).toBe(2)
    },
  )

  test('rule 9: routines that wait together may share a commit, and each gets its own output', async () => {
    const counters = await Promise.all([1, 2, 3].map((value) => counter(value)))
    const outputs = await Promise.all(
      counters.map(({ id }, i) => sql.run(addToCounters, { steps: [{ id, by: 10 * (i + 1) }] })),
    )
    const together = engine === 'sqlite' ? 3 : 1
    expect(outputs).toEqual([1, 2, 3].map((before) => [{ before, together }]))
    expect(await Promise.all(counters.map((one) => one.value()))).toEqual([11, 22, 33])
  })

  test('rule 9: of routines that wait together the one that fails fails alone', async () => {
    const counters = await Promise.all([1, 2, 3].map((value) => counter(value)))
    const outcomes = await Promise.allSettled(
      counters.map(({ id }, i) =>
        sql.run(addToCounters, { steps: [{ id, by: 10, ...(i === 1 ? { fails: 'in code' } : {}) }] }),
      ),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await Promise.all(counters.map((one) => one.value()))).toEqual([11, 2, 13])
  })

  test('rule 9: routines and transactions asked for in any order all find their turn', async () => {
    const one = await counter()
    const add = (i: number) =>
      i % 3 === 0
        ? sql.transaction((tx) => tx.query('update counter set value = value + 1 where id = $1', [one.id]))
        : sql.run(addToCounters, { steps: [{ id: one.id, by: 1 }] })
    // One at a time is what a row's lock allows on either engine; what is tested is that nobody is forgotten.
    await Promise.all(Array.from({ length: 60 }, (_, i) => add(i)))
    expect(await one.value()).toBe(60)
  })

  test('rule 5: a routine that meets a lock held beyond its timeout is a StoreUnavailable', async () => {
    const other = await open()
    const one = await counter()
    const [locked, finish] = [barrier(), barrier()]
    const holder = other.transaction(async (tx) => {
      await tx.query('update counter set value = 1 where id = $1', [one.id])
      locked.open()
      await finish.opened
    })
    await locked.opened
    const waiting = sql.run(addToCounter, { id: one.id, by: 1 }, { lockTimeoutMs: 20 })
    await expect(waiting).rejects.toBeInstanceOf(StoreUnavailable)
    finish.open()
    await holder
    expect(await one.value()).toBe(1)
  })

  test('a notice reaches listeners on this node and on others, on its channel only, until they stop', async () => {
    const other = await open()
    const heard: string[] = []
    const here = barrier()
    const there = barrier()
    const stop = await sql.listen('keys', (payload) => {
      heard.push(`here ${payload}`)
      here.open()
    })
    await other.listen('keys', (payload) => {
      if (payload === 'one') there.open()
    })
    await other.listen('else', (payload) => heard.push(`else ${payload}`))
    await sql.notify('keys', 'one')
    await Promise.all([here.opened, there.opened])
    expect(heard).toEqual(['here one'])
    await stop()
    await sql.notify('keys', 'two')
    await sql.query('select 1 as one')
    expect(heard).toEqual(['here one'])
  })

  test('the node that sends a notice has heard it when it is sent, and hears it once', async () => {
    const other = await open()
    const heard: string[] = []
    const last = barrier()
    const stop = await sql.listen('keys', (payload) => {
      heard.push(payload)
      if (payload === 'last') last.open()
    })
    for (const payload of ['one', 'two', 'two']) {
      await sql.notify('keys', payload)
      expect(heard.at(-1)).toBe(payload)
    }
    // Of another node: notices arrive in order, so those of this node are back.
    await other.notify('keys', 'two')
    await other.notify('keys', 'last')
    await last.opened
    expect(heard).toEqual(['one', 'two', 'two', 'two', 'last'])
    await stop()
  })

  test('rule 5: a closed store answers everything with StoreUnavailable, after finishing what it had begun', async () => {
    const closed = await open()
    const one = id()
    const begun = closed.transaction(async (tx) => {
      await tx.query(insert, [one, 1, null])
      await tx.query('select 1 as one')
    })
    const closing = closed.close()
    await expect(begun).resolves.toBeUndefined()
    await closing
    await closed.close()
    expect(await sql.query('select id from thing where id = $1', [one])).toHaveLength(1)
    await expect(closed.query('select 1 as one')).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(closed.query(insert, [id(), 1, null])).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(closed.transaction(async () => 1)).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(closed.tryLock('job', async () => 1)).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(closed.notify('keys', 'x')).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(closed.listen('keys', () => {})).rejects.toBeInstanceOf(StoreUnavailable)
  })
})

describe('SQLite alone', () => {
  function temporary(): { file: string; remove: () => void } {
    const folder = mkdtempSync(join(tmpdir(), 'assay-sqlite-'))
    return { file: join(folder, 'assay.db'), remove: () => rmSync(folder, { recursive: true, force: true }) }
  }

  test('a file that cannot be opened is a StoreUnavailable', async () => {
    await expect(openSqlite({ file: '/nonexistent/folder/assay.db' })).rejects.toBeInstanceOf(StoreUnavailable)
  })

  test('a full disk is a StoreUnavailable, rolls back, and the store works again when there is room', async () => {
    const { file, remove } = temporary()
    const sql = await openSqlite({ file })
    await sql.query('create table big (id integer primary key, text text)')
    const pages = (await sql.query<{ page_count: number }>('pragma page_count'))[0]?.page_count ?? 0
    await sql.query(`pragma max_page_count = ${pages + 5}`)
    const filling = sql.transaction(async (tx) => {
      await Promise.all(
        Array.from({ length: 20 }, () => tx.query('insert into big (text) values ($1)', ['x'.repeat(4000)])),
      )
    })
    await expect(filling).rejects.toBeInstanceOf(StoreUnavailable)
    expect(await sql.query('select count(*) as n from big')).toEqual([{ n: 0 }])
    await sql.query('pragma max_page_count = 100000')
    await sql.query('insert into big (text) values ($1)', ['x'.repeat(100_000)])
    expect(await sql.query('select count(*) as n from big')).toEqual([{ n: 1 }])
    await sql.close()
    remove()
  })

  test('statements sent behind a begin that found the file busy do not run on their own', async () => {
    const { file, remove } = temporary()
    const sql = await openSqlite({ file, busyTimeoutMs: 10 })
    await sql.query('create table one (id integer)')
    const other = new DatabaseSync(file)
    other.exec('begin immediate')
    const blocked = sql.transaction((tx) => tx.query('insert into one values (1)'))
    await expect(blocked).rejects.toBeInstanceOf(StoreUnavailable)
    other.exec('rollback')
    other.close()
    expect(await sql.query('select id from one')).toEqual([])
    await sql.close()
    remove()
  })

  test('a transaction that waits for itself is refused a turn instead of hanging the store', async () => {
    const { file, remove } = temporary()
    const sql = await openSqlite({ file, turnTimeoutMs: 20 })
    await sql.query('create table one (id integer)')
    const selfish = sql.transaction(() => sql.query('insert into one values (1)'))
    await expect(selfish).rejects.toBeInstanceOf(StoreUnavailable)
    await sql.query('insert into one values (2)')
    expect(await sql.query('select id from one')).toEqual([{ id: 2 }])
    await sql.close()
    remove()
  })

  test('the number of waiting transactions is bounded', async () => {
    const { file, remove } = temporary()
    const sql = await openSqlite({ file, waitingMax: 2 })
    const gate = barrier()
    const first = sql.transaction(() => gate.opened)
    const waiting = [sql.transaction(async () => 1), sql.transaction(async () => 2)]
    await expect(sql.transaction(async () => 3)).rejects.toBeInstanceOf(StoreUnavailable)
    gate.open()
    await first
    expect(await Promise.all(waiting)).toEqual([1, 2])
    await sql.close()
    remove()
  })
})

describe('PostgreSQL alone', () => {
  // Through a pooler no statement is named.
  test.skipIf(process.env.POOLER)(
    'a connection keeps the statements it uses, however many others came before, and forgets the rest',
    async () => {
      const { place, remove } = await createPlace('postgres')
      const sql = await openPlace(place, { connectionsMax: 1 })
      const prepared = async () =>
        (await sql.query<{ statement: string }>('select statement from pg_prepared_statements')).map(
          (row) => row.statement,
        )
      for (let number = 0; number < 300; number++) {
        for (let time = 0; time < 4; time++) await sql.query(`select ${number} as number`)
      }
      const kept = await prepared()
      expect(kept).toContain('select 299 as number')
      expect(kept).not.toContain('select 0 as number')
      expect(kept.length).toBeLessThanOrEqual(200)
      expect(await sql.query('select 0 as number')).toEqual([{ number: 0 }])
      expect(await prepared()).toContain('select 0 as number')
      await sql.close()
      await remove()
    },
  )

  test('a statement first named in a transaction that had failed is no trouble to a later one', async () => {
    const { place, remove } = await createPlace('postgres')
    const sql = await openPlace(place, { connectionsMax: 1 })
    const often = 'select 1 as often'
    for (let time = 0; time < 2; time++) await sql.query(often)
    // Sent together: the second gets its name, and the server does not take it any more.
    const failed = sql.transaction((tx) => Promise.all([tx.query('select 1 / 0'), tx.query(often)]))
    await expect(failed).rejects.toThrow('division by zero')
    for (let number = 0; number < 300; number++) {
      await sql.transaction(async (tx) => {
        for (let time = 0; time < 3; time++) {
          expect(await tx.query(`select ${number} as number`)).toEqual([{ number }])
        }
      })
    }
    const [row] = await sql.query<{ count: number }>('select count(*) as count from pg_prepared_statements')
    expect(row?.count).toBeLessThanOrEqual(200)
    expect(await sql.query(often)).toEqual([{ often: 1 }])
    await sql.close()
    await remove()
  })

  test('a server that is not there is a StoreUnavailable', async () => {
    await expect(openPostgres({ url: 'postgres://postgres@127.0.0.1:1/none' })).rejects.toBeInstanceOf(StoreUnavailable)
  })
})

describe('PostgreSQL that fails', () => {
  let server: Postgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server?.stop())

  test('by a crash is a StoreUnavailable, and everything works again when it is back', async () => {
    const sql = await openPostgres({ url: server.url })
    try {
      await sql.query('create table crashed (id bigint primary key)')
      const heard = barrier()
      await sql.listen('keys', (payload) => {
        if (payload === 'after') heard.open()
      })
      const crashed = sql.transaction(async (tx) => {
        await tx.query('insert into crashed values (1)')
        await server.kill('SIGQUIT')
        await tx.query('insert into crashed values (2)')
      })
      await expect(crashed).rejects.toBeInstanceOf(StoreUnavailable)
      await expect(sql.query('select id from crashed')).rejects.toBeInstanceOf(StoreUnavailable)
      await server.start()
      expect(await sql.query('select id from crashed')).toEqual([])
      const repeat = setInterval(() => void sql.notify('keys', 'after').catch(() => {}), 50)
      await heard.opened
      clearInterval(repeat)
    } finally {
      await sql.close()
    }
  })

  test('by not answering ends every wait, leaves a commit under way unknown, and is back as soon as it answers', async () => {
    const sql = await openPostgres({ url: server.url, connectionsMax: 2 })
    try {
      await sql.query('create table one (id bigint primary key)')
      const paused = barrier()
      // The statements are answered; the server stops before the commit reaches it.
      const committing = sql.transaction(async (tx) => {
        await tx.query('insert into one values (1)')
        await server.pause()
        paused.open()
        return 'done'
      })
      await paused.opened
      const waiting = [sql.query('select 2 as two'), sql.query('select 3 as three')]
      for (const answer of waiting) await expect(answer).rejects.toThrow(StoreUnavailable)
      await expect(committing).rejects.toMatchObject({ name: 'CommitUnknown', output: 'done' })
      await expect(sql.query('select 4 as four')).rejects.toThrow('does not answer')
      await server.resume()
      await expect.poll(() => sql.query('select id from one').catch(String)).toEqual([{ id: 1 }])
    } finally {
      await sql.close()
    }
  })

  test('by not answering is told from a slow statement, which is waited for', async () => {
    const { place, remove } = await createPlace('postgres')
    const sql = await openPlace(place, { connectionsMax: 1 })
    const slow = sql.query('select pg_sleep(4)::text as slept')
    const behind = sql.query('select 1 as one')
    expect(await slow).toEqual([{ slept: '' }])
    expect(await behind).toEqual([{ one: 1 }])
    await sql.close()
    await remove()
  })
})

describe.each(ENGINES)('a whole read on %s', (engine) => {
  test('is of one moment, however much is written meanwhile, and comes in pieces', async () => {
    const { place, remove } = await createPlace(engine)
    const sql = await openPlace(place)
    await sql.query('create table one (id bigint, note text)')
    const fill = (from: number) =>
      sql.query(
        `with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${from} + 4999)
         insert into one select i, 'é' from n`,
      )
    await fill(0)
    const pieces: number[] = []
    const ids: unknown[] = []
    await readWhole(place, async (read) => {
      expect(await read.query('select count(*) as rows from one')).toEqual([{ rows: 5000 }])
      for await (const rows of read.pieces('select id, note from one')) {
        if (pieces.length === 0) await fill(10_000)
        pieces.push(rows.length)
        ids.push(...rows.map(([id]) => id))
      }
    })
    expect(pieces.length).toBeGreaterThan(2)
    expect(ids).toHaveLength(5000)
    expect(Math.max(...pieces)).toBeLessThanOrEqual(2000)
    expect(Math.max(...ids.map(Number))).toBe(4999)
    expect(await sql.query('select count(*) as rows from one')).toEqual([{ rows: 10_000 }])

    await sql.query('create table long (note text)')
    for (let i = 0; i < 100; i++) await sql.query('insert into long values ($1)', ['x'.repeat(200_000)])
    const sizes: number[] = []
    await readWhole(place, async (read) => {
      for await (const rows of read.pieces('select note from long')) sizes.push(rows.length)
    })
    expect(sizes.reduce((all, size) => all + size, 0)).toBe(100)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(20)
    await sql.close()
    await remove()
  })
})

describe('migrations', () => {
  const first: Migration = { name: '0001_first', text: 'create table one (id bigint);\n' }
  const second: Migration = {
    name: '0002_second',
    text: [
      '-- A comment; with a semicolon;',
      'create table two (id bigint);',
      'create index two_by_id on two (id);',
      '-- only sqlite',
      "create trigger no_delete before delete on two begin select 1; select raise(abort, 'no'); end;",
      '-- end',
      '-- only postgres',
      'create rule no_delete as on delete to two do instead nothing;',
      '-- end',
    ].join('\n'),
  }

  test('engine markers choose statements, and an unpaired one is refused', () => {
    expect(statementsOf(second, 'sqlite')).toHaveLength(3)
    expect(statementsOf(second, 'postgres')[2]).toContain('create rule')
    expect(() => statementsOf({ name: 'x', text: '-- only sqlite\nselect 1;' }, 'sqlite')).toThrow('has no "-- end"')
    expect(() => statementsOf({ name: 'x', text: 'select 1;\n-- end' }, 'sqlite')).toThrow('unpaired')
  })

  describe.each(ENGINES)('on %s', (engine) => {
    test('are applied once, in order, and refuse an altered file and a newer database', async () => {
      const { place, remove } = await createPlace(engine)
      const sql = await openPlace(place)
      expect(await migrate(sql, [first])).toEqual({ applied: ['0001_first'] })
      expect(await migrate(sql, [first, second])).toEqual({ applied: ['0002_second'] })
      expect(await migrate(sql, [first, second])).toEqual({ applied: [] })
      await expect(migrate(sql, [first])).rejects.toThrow(/0002_second.*newer version/)
      await expect(migrate(sql, [{ ...first, text: `${first.text} ` }, second])).rejects.toThrow(
        /0001_first was altered/,
      )
      await sql.close()
      await remove()
    })

    test('one that fails leaves nothing behind and names itself', async () => {
      const { place, remove } = await createPlace(engine)
      const sql = await openPlace(place)
      const broken = { name: '0002_broken', text: 'create table half (id bigint);\ninsert into nowhere values (1);\n' }
      await expect(migrate(sql, [first, broken])).rejects.toThrow(/0002_broken failed: .*nowhere/)
      await expect(sql.query('select * from half')).rejects.toThrow()
      expect(await migrate(sql, [first, second])).toEqual({ applied: ['0002_second'] })
      await sql.close()
      await remove()
    })

    test('are safe with several nodes and processes starting at once', async () => {
      const { place, remove } = await createPlace(engine)
      const names = readMigrations().map((migration) => migration.name)
      const script = new URL('../support/migrate-once.ts', import.meta.url)
      const inProcesses = Array.from({ length: 2 }, () => {
        const child = fork(script, [JSON.stringify(place)], { execArgv: [] })
        return new Promise<string[]>((resolve, reject) => {
          child.once('message', (applied) => resolve(applied as string[]))
          child.once('exit', (code) => code !== 0 && reject(new Error(`exit ${code}`)))
        })
      })
      const inPools = Array.from({ length: 2 }, async () => {
        const sql = await openPlace(place)
        const { applied } = await migrate(sql)
        await sql.close()
        return applied
      })
      const applied = (await Promise.all([...inProcesses, ...inPools])).flat()
      expect(applied.sort()).toEqual(names)
      await remove()
    })
  })
})
