/** Decision rules: an organisation's table, in versions. The highest version applies, even if it is empty. */
import type { ACTOR_KINDS, Actor } from '../../access/actor.ts'
import { requireProof } from '../../access/rights.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { defineTable, type EntityOf, integer, json, orNull, type Page, type PageOptions, text } from '../../db/table.ts'
import { type FieldError, orNotFound, Problem } from '../../errors.ts'
import { actorName, audit } from '../../identity/audit.ts'
import { lockForWriter } from '../../identity/organisation/organisations.ts'
import { newId } from '../../lib/ids.ts'
import { nameTextProblem } from '../../lib/name-text.ts'
import { LIMITS } from '../../limits.ts'
import { type DecisionRule, SIGNAL_CODES } from '../../risk/decide.ts'
import { touch } from '../version.ts'

const versions = defineTable({
  name: 'decision_rules',
  key: ['id'],
  columns: {
    id: text(),
    organisation_id: text(),
    version: integer(),
    rules: json<readonly DecisionRule[]>(),
    author_kind: text<(typeof ACTOR_KINDS)[number]>(),
    author_id: text(),
    author_name: orNull(text()),
    created_at: integer(),
  },
})
export type RulesVersion = EntityOf<typeof versions>

/** Undefined before the first version. */
export async function currentRules(sql: SqlQueries, organisationId: string): Promise<RulesVersion | undefined> {
  const [newest] = await versions.list(sql, { organisation_id: organisationId }, { order: 'version desc', limit: 1 })
  return newest
}

/** Newest first. */
export function listVersions(sql: SqlQueries, organisationId: string, page: PageOptions): Promise<Page<RulesVersion>> {
  return versions.page(sql, { organisation_id: organisationId }, { ...page, newestFirst: true })
}

export function requireVersion(sql: SqlQueries, organisationId: string, version: number): Promise<RulesVersion> {
  const found = versions.find(sql, { organisation_id: organisationId, version })
  return orNotFound(found, 'There is no such version, or it was deleted as too old.')
}

/** `isAsRead` throws if somebody saved rules since the caller read them. Equal rules make no version. */
export async function saveRules(
  tx: Tx,
  actor: Actor,
  rules: readonly DecisionRule[],
  isAsRead: (before: RulesVersion | undefined) => void = () => {},
): Promise<RulesVersion> {
  await lockForWriter(tx, actor)
  requireProof(actor)
  const before = await currentRules(tx, actor.organisationId)
  isAsRead(before)
  checkRules(rules)
  if (before && JSON.stringify(before.rules) === JSON.stringify(rules)) return before
  const version = (before?.version ?? 0) + 1
  const saved = await versions.insert(tx, {
    id: newId('dec'),
    organisation_id: actor.organisationId,
    version,
    rules,
    author_kind: actor.kind,
    author_id: actor.id,
    author_name: await actorName(tx, actor),
    created_at: tx.nowMs,
  })
  await tx.query('delete from decision_rules where organisation_id = $1 and version <= $2', [
    actor.organisationId,
    version - LIMITS.counts.decisionVersionsMax,
  ])
  await touch(tx, actor.organisationId)
  await audit(tx, actor, 'decision_rules.update', saved.id, { version, rules: rules.length })
  return saved
}

export function checkRules(rules: readonly DecisionRule[]): void {
  const errors: FieldError[] = []
  const seen = new Map<string, number>()
  for (const [i, { name, when }] of rules.entries()) {
    const wrong = nameTextProblem(name) ?? (seen.has(name) ? `is that of rule ${seen.get(name)}, too` : undefined)
    if (wrong) errors.push({ pointer: `/rules/${i}/name`, code: 'invalid', detail: `The name ${wrong}.` })
    seen.set(name, i + 1)
    for (const [at, signal] of when.signals?.entries() ?? []) {
      if (SIGNAL_CODES.has(signal)) continue
      const detail = `No signal has the code ${signal}, so the rule could never match. Explained answers show the codes.`
      errors.push({ pointer: `/rules/${i}/when/signals/${at}`, code: 'unknown_signal', detail })
    }
  }
  if (errors.length > 0) throw new Problem('validation_failed', { detail: errors[0]!.detail, errors })
}

/** As JSON, for checks; undefined if there are none. */
export async function readRules(sql: SqlQueries, organisationId: string): Promise<string | undefined> {
  const { rules = [] } = (await currentRules(sql, organisationId)) ?? {}
  return rules.length === 0 ? undefined : JSON.stringify(rules)
}
