import { connect, createServer, type Server, type Socket } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { Sql } from '../../src/db/sql.ts'
import { watchStoreWrites } from '../../src/ops/store-writes.ts'
import { createTestEngine } from '../support/engine.ts'
import { freePort } from '../support/ports.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { createMigratedPlace, ENGINES, openPlace, type StorePlace } from '../support/stores.ts'

/** /readyz tells whether requests can be answered, writes included, and tells strangers no more than that. */

/** Makes a real store refuse every write, while it still answers questions. */
async function refuseWrites(place: StorePlace): Promise<() => Promise<void>> {
  if (place.engine === 'sqlite') {
    const other = new DatabaseSync(place.file)
    other.exec('begin immediate')
    return async () => other.close()
  }
  // As on a replica: error 25006.
  const name = new URL(place.url).pathname.slice(1)
  const setReadOnly = async (value: 'on' | 'off') => {
    const client = new pg.Client({ connectionString: inject('postgresUrl') })
    await client.connect()
    await client.query(`alter database ${name} set default_transaction_read_only = ${value}`)
    // The setting is for new connections.
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    await client.end()
  }
  await setReadOnly('on')
  return () => setReadOnly('off')
}

describe.each(ENGINES)('readiness on %s', (engine) => {
  let place: StorePlace
  let remove: () => Promise<void>
  let sql: Sql
  let server: TestServer
  const lines: string[] = []

  beforeAll(async () => {
    ;({ place, remove } = await createMigratedPlace(engine))
    sql = await openPlace(place, { busyTimeoutMs: 50 })
    server = await startTestServer({ sql, engine: createTestEngine(), log: { write: (line) => lines.push(line) } })
  })
  afterAll(async () => {
    await server.close()
    await sql.close()
    await remove()
  })

  const readyz = () => server.send('/readyz')

  it('says so while nothing can be written, and when it can be again', async () => {
    expect(await readyz()).toMatchObject({ status: 200, json: { status: 'ready' } })
    const allowWrites = await refuseWrites(place)
    await expect.poll(async () => (await readyz()).status).toBe(503)
    // Questions are answered all the while; connections that were ended are replaced.
    await expect.poll(() => sql.query('select count(*) as n from organisation').catch(String)).toEqual([{ n: 0 }])
    const refused = await readyz()
    expect(await server.app.isReady()).toBe(false)
    expect((await server.send('/livez')).status).toBe(200)
    expect(refused.json).toEqual({
      status: 'not ready',
      parts: [
        { part: 'server', ready: true },
        { part: 'store', ready: false },
        { part: 'engine', ready: true },
      ],
    })
    for (let i = 0; i < 5; i++) await readyz()
    const told = () => lines.map((line) => JSON.parse(line)).filter(({ part }) => part === 'store')
    expect(told()).toMatchObject([{ level: 'error', msg: 'not ready' }])
    expect(told()[0].err.message).toMatch(engine === 'sqlite' ? /locked/ : /^PostgreSQL: /)
    await allowWrites()
    await expect.poll(async () => (await readyz()).status).toBe(200)
    expect(told()).toMatchObject([{ msg: 'not ready' }, { msg: 'ready again' }])
    expect(await server.app.isReady()).toBe(true)
  })

  it('writes at most once in a second, and not at all while others do', async () => {
    let writes = 0
    let nowMs = 0
    const counting: Sql = {
      ...sql,
      query(text, params) {
        writes++
        return sql.query(text, params)
      },
    }
    const store = watchStoreWrites(counting, { everyMs: 1000, nowMs: () => nowMs })
    await Promise.all(Array.from({ length: 50 }, () => store.problem()))
    nowMs = 999
    await store.problem()
    expect(writes).toBe(1)
    nowMs = 1000
    await store.problem()
    expect(writes).toBe(2)
    nowMs = 2500
    store.wrote()
    nowMs = 3400
    expect(await store.problem()).toBeUndefined()
    expect(writes).toBe(2)
    // By default a commit is no proof any more when a second has nearly passed.
    const byDefault = watchStoreWrites(counting, { nowMs: () => nowMs })
    byDefault.wrote()
    nowMs += 900
    await byDefault.problem()
    expect(writes).toBe(3)
  })
})

/** A line to PostgreSQL that can be cut. */
async function startLine(target: URL, port: number): Promise<() => Promise<void>> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
}

describe('readiness without PostgreSQL', () => {
  it('is refused while it cannot be reached, without its address, and is back with it', async () => {
    const { place, remove } = await createMigratedPlace('postgres')
    const far = new URL(place.engine === 'postgres' ? place.url : '')
    const near = new URL(far)
    near.port = String(await freePort())
    let cut = await startLine(far, Number(near.port))
    const sql = await openPlace({ engine: 'postgres', url: near.href })
    const server = await startTestServer({ sql, engine: createTestEngine() })
    const status = async () => (await server.send('/readyz')).status
    expect(await status()).toBe(200)
    await cut()
    await expect.poll(status).toBe(503)
    const { text } = await server.send('/readyz')
    expect(text).not.toMatch(/127\.0\.0\.1|ECONN|postgres/i)
    expect((await server.send('/livez')).status).toBe(200)
    cut = await startLine(far, Number(near.port))
    await expect.poll(status).toBe(200)
    await server.close()
    await sql.close()
    await cut()
    await remove()
  })
})
