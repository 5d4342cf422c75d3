import type { SqlQueries } from './sql.ts'

const BYTES = {
  sqlite: 'select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()',
  postgres: 'select pg_database_size(current_database()) as bytes',
}

/** `migration` is the last applied one; null on a database without any. */
export async function databaseState(sql: SqlQueries) {
  const [size] = await sql.query<{ bytes: number }>(BYTES[sql.engine])
  const [last] = await sql.query<{ name: string; applied_at: number }>(
    'select name, applied_at from schema_migration order by name desc limit 1',
  )
  return {
    engine: sql.engine,
    bytes: size?.bytes ?? 0,
    migration: last?.name ?? null,
    migrated_at: last?.applied_at ?? null,
  }
}
