/** Decision rules tried on the checks on record: which decisions would have been others. Runs on the documents thread. */
import { keptChecks } from '../db/kept-checks.ts'
import type { SqlQueries } from '../db/sql.ts'
import { ROWS_AT_ONCE } from '../documents/log.ts'
import { reportMaker } from '../documents/maker.ts'
import { iso } from '../lib/clock.ts'
import { LIMITS } from '../limits.ts'
import { type DecisionRule, decideBy } from '../risk/decide.ts'
import { openChecks } from './check-log.ts'
import { signalsIn } from './feedback.ts'
import type { Trial } from './schema.ts'

export interface TrialInput {
  readonly organisationId: string
  readonly rules: readonly DecisionRule[]
  /** The keys that open the records (sealed.ts): this thread has no ring. */
  readonly keys: readonly string[]
}

const EXAMPLES_MAX = 20

export const rulesTrial = reportMaker(import.meta.url, 'rulesTrial', tryRules)

/** Pure in the rules: what an answer said about accounts is not on record, so no rule about accounts matches. */
async function tryRules(sql: SqlQueries, { organisationId, rules, keys }: TrialInput): Promise<Trial> {
  const decide = decideBy(rules)
  const counts = new Map<string, Trial['by'][number]>()
  const examples: Trial['examples'] = []
  let tried = 0
  for await (const { check, text } of lastChecks(sql, organisationId, keys)) {
    const signals = text && signalsIn(text.answer)
    if (!signals) continue
    tried++
    const { kind, score, level: risk, outcome: from } = check
    const decision = decide({ kind, score, signals })
    const to = decision?.outcome ?? null
    if (to === from) continue
    const known = counts.get(`${from} ${to}`)
    counts.set(`${from} ${to}`, { from, to, count: (known?.count ?? 0) + 1 })
    if (examples.length < EXAMPLES_MAX) {
      examples.push({
        check_id: check.id,
        asked_at: iso(check.created_at),
        kind,
        risk,
        from,
        to,
        rule: decision?.rule ?? null,
      })
    }
  }
  const by = [...counts.values()].sort((a, b) => b.count - a.count)
  return { tried, would_change: by.reduce((sum, { count }) => sum + count, 0), by, examples }
}

/** Newest first (ids are in the order of time), a few at a time: answers are long. */
async function* lastChecks(sql: SqlQueries, organisationId: string, keys: readonly string[]) {
  let last: string | undefined
  let left = LIMITS.counts.trialChecksMax
  for (;;) {
    const limit = Math.min(ROWS_AT_ONCE, left)
    const clause = `organisation_id = $1 ${last === undefined ? '' : 'and id < $2'} order by id desc limit ${limit}`
    const checks = await keptChecks.where(sql, clause, [organisationId, ...(last === undefined ? [] : [last])])
    yield* await openChecks(sql, keys, checks)
    last = checks.at(-1)?.id
    left -= limit
    if (checks.length < limit || left === 0) return
  }
}
