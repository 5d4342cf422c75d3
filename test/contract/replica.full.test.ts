import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/db/postgres.ts'
import { openReplica, type Replica } from '../../src/db/replica.ts'
import type { Sql, SqlQueries } from '../../src/db/sql.ts'
import { newFolder, until } from '../faults/fault.ts'
import type { Postgres } from '../support/postgres.ts'
import { assayd, startProcess } from '../support/process.ts'
import { query, startPair } from '../support/standby.ts'

let primary: Postgres
let standby: Postgres
let sql: Sql
let replica: Replica

beforeAll(async () => {
  ;({ primary, standby } = await startPair({ synchronous: false }))
  sql = await openPostgres({ url: primary.url })
  await sql.query('create table written (id bigint)')
  replica = openReplica({ primary: sql, url: standby.url })
}, 120_000)
afterAll(async () => {
  await replica.close()
  await sql.close()
  await standby.stop()
  await primary.stop()
})

let last = 0
const write = () => sql.query('insert into written values ($1)', [++last])
const isStandby = async (reader: SqlQueries) =>
  (await reader.query<{ is: boolean }>('select pg_is_in_recovery() as is'))[0]!.is
const newest = async (reader: SqlQueries) =>
  (await reader.query<{ id: number }>('select max(id) as id from written'))[0]!.id
const comesIntoUse = () => until('the standby is in use', async () => isStandby(await replica.reading()))

describe('a read replica', () => {
  it('answers, with everything that was written before the read', async () => {
    await comesIntoUse()
    const seen: unknown[] = []
    for (let times = 0; times < 50; times++) {
      await write()
      const reader = await replica.reading()
      seen.push((await newest(reader)) === last)
    }
    expect(new Set(seen)).toEqual(new Set([true]))
    await replica.look()
    expect(replica.lagSeconds()).toBeLessThan(10)
  })

  it('that stands still leaves reads to the primary, and its lag is told', async () => {
    await comesIntoUse()
    await query(standby, 'select pg_wal_replay_pause()')
    const isPaused = `select pg_get_wal_replay_pause_state() = 'paused' as paused`
    await until('it stands still', async () => (await query<{ paused: boolean }>(standby, isPaused))[0]!.paused)
    await write()
    const reader = await replica.reading()
    expect([await isStandby(reader), await newest(reader)]).toEqual([false, last])
    await replica.look()
    expect(replica.lagSeconds()).toBeGreaterThan(0)
    await query(standby, 'select pg_wal_replay_resume()')
    await comesIntoUse()
  })

  it('that dies leaves a read under way to the primary, and is used again when it is back', async () => {
    await comesIntoUse()
    const reader = await replica.reading()
    await standby.kill('SIGQUIT')
    expect(await newest(reader)).toBe(last)
    await replica.look()
    expect([replica.lagSeconds(), replica.isUsable()]).toEqual([undefined, false])
    expect(await newest(await replica.reading())).toBe(last)
    await standby.start()
    await comesIntoUse()
  })

  it('is not used if it is no standby of this database', async () => {
    const wrong = openReplica({ primary: sql, url: primary.url })
    await wrong.look()
    expect(wrong.lagSeconds()).toBeUndefined()
    await wrong.close()
  })

  it('serves usage, statements, audit and history of a node, which shows its lag', async () => {
    await comesIntoUse()
    const folder = newFolder()
    const env = {
      ASSAY_DATA_DIR: folder.path,
      ASSAY_DATABASE_URL: primary.url,
      ASSAY_DATABASE_READ_URL: standby.url,
      ASSAY_SECRET: 'a secret for the tests of the read replica',
    }
    const node = await startProcess(env)
    const [organisation] = await sql.query<{ id: string }>(`update organisation set history = 'all' returning id`)
    const scopes = ['--scope', 'risk:payment,billing:read,organisation:read']
    const made = await assayd(['key', 'create', '--org', organisation!.id, '--name', 'reads', ...scopes, '--json'], env)
    const apiKey: string = JSON.parse(made.stdout).api_key
    const ask = async (path: string, body?: object) => {
      const response = await fetch(node.url + path, {
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
      expect([path, response.status]).toEqual([path, 200])
      return (await response.json()) as { data: unknown[]; totals: { units: number } }
    }
    const tables = ['audit_entry', 'kept_check', 'ledger_entry', 'usage_total']
    // PostgreSQL counts the reads of a table on each server by itself.
    const scanned = `select relname as name from pg_stat_user_tables where coalesce(seq_scan, 0) + coalesce(idx_scan, 0) > 0`
    try {
      await until('the node uses the standby', async () => {
        const { stdout } = await assayd(['status', '--json'], env)
        return JSON.parse(stdout).nodes[0]?.replica?.lag_seconds === 0
      })
      for (let times = 1; times <= 5; times++) {
        await ask('/v1/payment-risk', { email: `someone-${times}@company.example` })
        expect((await ask('/v1/checks')).data).toHaveLength(times)
        expect((await ask('/v1/billing/usage?granularity=hour')).totals.units).toBe(times)
      }
      await ask('/v1/organisation/audit?limit=500')
      await ask(`/v1/billing/statements/${new Date().toISOString().slice(0, 7)}`)
      await until('each of them was read on the standby', async () => {
        const names = (await query<{ name: string }>(standby, scanned)).map(({ name }) => name)
        return tables.every((table) => names.includes(table))
      })
    } finally {
      await node.kill('SIGTERM')
      folder.remove()
    }
  }, 120_000)
})
