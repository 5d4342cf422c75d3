import type { Sql } from '../../src/db/sql.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { domainsOf } from '../../src/own/counterparties/content.ts'
import { openOwnKnowledge } from '../../src/own/source.ts'
import type { DecisionRule } from '../../src/risk/decide.ts'
import { compileOwn } from '../../src/risk/own/compile.ts'
import { createOwnIndexes } from '../../src/risk/own/indexes.ts'
import {
  FIELDS,
  type KnownCounterparty,
  type OwnEntry,
  type OwnKnowledge,
  type OwnKnowledgeSource,
} from '../../src/risk/own/knowledge.ts'
import { OwnIndex } from '../../src/risk/own/own-index.ts'

/** The knowledge of an organisation, defined in a test. */
export function ownKnowledge(plan: {
  readonly version?: number
  readonly domains?: readonly string[]
  readonly counterparties?: readonly Partial<KnownCounterparty>[]
  readonly rules?: readonly DecisionRule[]
  readonly entries?: readonly (Pick<OwnEntry, 'list' | 'kind' | 'indicator'> & Partial<OwnEntry>)[]
}): OwnKnowledge {
  return {
    version: plan.version ?? 1,
    domains: plan.domains ?? [],
    rules: plan.rules && JSON.stringify(plan.rules),
    counterparties: (plan.counterparties ?? []).map((counterparty, i) =>
      lineOf({ id: `cpty_${i}`, name: `Firm ${i}`, ...counterparty }),
    ),
    domainsOf,
    entries: (plan.entries ?? []).map((entry, i) => ({
      id: `entry_${i}`,
      reason: null,
      expiresAtMs: null,
      ...entry,
    })),
  }
}

/** A counterparty as the database puts it together. */
function lineOf(counterparty: Partial<KnownCounterparty>): string {
  const values: Partial<KnownCounterparty> = { state: 'active', ...counterparty }
  const fields = Object.keys(FIELDS) as (keyof typeof FIELDS)[]
  return fields.map((field) => [values[field] ?? ''].flat().join(' ')).join('\t')
}

export const ownIndex = (plan: Parameters<typeof ownKnowledge>[0]): OwnIndex => indexOf(ownKnowledge(plan))

export function indexOf(knowledge: OwnKnowledge): OwnIndex {
  const work = compileOwn(knowledge)
  for (;;) {
    const step = work.next()
    if (step.done) return new OwnIndex(step.value)
  }
}

/** The knowledge of organisations in a database, for an engine. Close it before the database. */
export async function storedOwn(sql: Sql, clock: Clock) {
  const source = await openOwnKnowledge({ sql, clock })
  return { own: createOwnIndexes({ source }), close: source.close }
}

/** A source in memory, which counts how often it is read. */
export function memoryOwnSource(organisations: ReadonlyMap<string, OwnKnowledge>) {
  const reads: string[] = []
  const source: OwnKnowledgeSource = {
    version: (organisationId) => organisations.get(organisationId)?.version ?? 0,
    async read(organisationId) {
      reads.push(organisationId)
      return organisations.get(organisationId) ?? ownKnowledge({ version: 0 })
    },
  }
  return { source, reads }
}
