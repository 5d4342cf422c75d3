import pg from 'pg'
import { until } from '../faults/fault.ts'
import { type Postgres, startPostgres } from './postgres.ts'

export async function query<Row extends object>({ url }: Pick<Postgres, 'url'>, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

/** A PostgreSQL and its streaming standby. Synchronous: a commit is answered when the standby has it. */
export async function startPair({ synchronous }: { synchronous: boolean }) {
  const primary = await startPostgres()
  await primary.kill('SIGINT')
  const standby = await startPostgres({ standbyOf: primary })
  await primary.start()
  if (synchronous) {
    await query(primary, `alter system set synchronous_standby_names = '*'`)
    await query(primary, 'select pg_reload_conf()')
  }
  await until('the standby streams', async () => {
    const rows = await query<{ sync_state: string }>(primary, 'select sync_state from pg_stat_replication')
    return rows.some(({ sync_state }) => sync_state === (synchronous ? 'sync' : 'async'))
  })
  return { primary, standby }
}
