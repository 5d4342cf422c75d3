import type { Sql, SqlQueries } from '../db/sql.ts'
import { type Clock, SECOND_MS } from '../lib/clock.ts'
import { cacheLookUps } from '../lib/look-up-cache.ts'
import { thenSync } from '../lib/maybe.ts'
import { FIELDS, type OwnKnowledge, type OwnKnowledgeSource } from '../risk/own/knowledge.ts'
import { domainsOf } from './counterparties/content.ts'
import { readRules } from './decisions/rules.ts'
import { readDomains } from './domains/domains.ts'
import { readEntries } from './lists/entries.ts'
import { OWN_CHANNEL, readVersion } from './version.ts'

/** A change is visible on every node within 5 s, also when its announcement was lost. */
const VERSION_AGE_MS_MAX = 3 * SECOND_MS
const ORGANISATIONS_MAX = 50_000
/** Read in short statements: on SQLite they run on the caller's thread. */
const ROWS_AT_ONCE = 500

/**
 * The knowledge of an organisation, for its checks. `read` may be called on any thread with a connection of its own
 * (`readOwnKnowledge`).
 */
export async function openOwnKnowledge({
  sql,
  clock,
}: {
  readonly sql: Sql
  readonly clock: Clock
}): Promise<OwnKnowledgeSource & { close(): Promise<void> }> {
  const versions = cacheLookUps(
    async (organisationId) => ({ organisationId, version: await readVersion(sql, organisationId) }),
    { clock, ttlMs: VERSION_AGE_MS_MAX, entriesMax: ORGANISATIONS_MAX },
  )
  const stop = await sql.listen(OWN_CHANNEL, (changed) =>
    versions.forget(({ organisationId }) => organisationId === changed),
  )
  return {
    version: (organisationId) => thenSync(versions.find(organisationId), ({ version }) => version),
    read: (organisationId) => readOwnKnowledge(sql, organisationId),
    close: stop,
  }
}

/** The version is read first: a change made while the rest is read makes the version newer, and is read next time. */
export async function readOwnKnowledge(sql: SqlQueries, organisationId: string): Promise<OwnKnowledge> {
  const version = await readVersion(sql, organisationId)
  const [domains, entries, rules, counterparties] = await Promise.all([
    readDomains(sql, organisationId),
    readEntries(sql, organisationId),
    readRules(sql, organisationId),
    readCounterparties(sql, organisationId),
  ])
  return { version, domains, entries, rules, counterparties, domainsOf }
}

async function readCounterparties(sql: SqlQueries, organisationId: string): Promise<string[]> {
  const [known] = await sql.query<{ generation: number }>(
    'select generation from own_knowledge where organisation_id = $1',
    [organisationId],
  )
  const found: string[] = []
  if (!known) return found
  for (let after = ''; ; ) {
    const rows = await sql.query<{ line: string }>(
      `select ${LINE} as line from counterparty
       where organisation_id = $1 and generation = $2 and id > $3 order by id limit ${ROWS_AT_ONCE}`,
      [organisationId, known.generation, after],
    )
    for (const { line } of rows) found.push(line)
    if (rows.length < ROWS_AT_ONCE) return found
    after = found.at(-1)!.split('\t')[FIELDS.id]!
  }
}

/** No value contains a tab: control characters are refused. */
const LINE = `concat_ws('\t', ${Object.keys(FIELDS).map((field) => `coalesce(${field}, '')`)})`
