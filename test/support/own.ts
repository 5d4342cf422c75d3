import type { Sql } from '../../src/db/sql.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { openOwnKnowledge } from '../../src/own/source.ts'
import type { DecisionRule } from '../../src/risk/decide.ts'
import { compileOwn } from '../../src/risk/own/compile.ts'
import { createOwnIndexes } from '../../src/risk/own/indexes.ts'
import type { KnownCounterparty, OwnEntry, OwnKnowledge, OwnKnowledgeSource } from '../../src/risk/own/knowledge.ts'
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
    counterparties: (plan.counterparties ?? []).map((counterparty, i) => ({
      id: `cpty_${i}`,
      name: `Firm ${i}`,
      reference: null,
      since: null,
      state: 'active',
      domains: [],
      emails: [],
      networks: [],
      ...counterparty,
    })),
    entries: (plan.entries ?? []).map((entry, i) => ({
      id: `entry_${i}`,
      reason: null,
      expiresAtMs: null,
      ...entry,
    })),
  }
}

export function ownIndex(plan: Parameters<typeof ownKnowledge>[0]): OwnIndex {
  const work = compileOwn(ownKnowledge(plan))
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
