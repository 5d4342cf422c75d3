/** Evaluates alerts and low credit in the background, so that the contacts are told. */
import { changeIn } from '../../db/sql.ts'
import { requireOrganisation } from '../../identity/organisation/organisations.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { type AccountReader, planOf, readAccount } from '../ledger/accounts.ts'
import { overageLimitOf } from '../ledger/ledger.ts'
import { type NoticeRules, tellCreditLow } from '../notices.ts'
import { periodStartMs } from '../period.ts'
import type { Plan } from '../plans.ts'
import { creditOfMonth } from '../usage/usage.ts'
import { isCreditAlertReached, organisationsWithAlerts, readAlerts, readFigures } from './alerts.ts'

export interface WatchDependencies extends AccountReader, NoticeRules {
  readonly onError: (organisationId: string, error: unknown) => void
}

const LOOKED_AT_TOGETHER = 200

/** Evaluates every alert; a crossing is reported in its transaction. */
export async function watchAlerts(deps: WatchDependencies, signal?: AbortSignal): Promise<void> {
  await walk(
    (afterId) => organisationsWithAlerts(deps.sql, { afterId, limit: LOOKED_AT_TOGETHER }),
    async (organisationId) => {
      await readAlerts(deps, { organisationId, figures: await readFigures(deps, organisationId) })
    },
    deps.onError,
    signal,
  )
}

const CHECKS_LEFT_MIN = 100

/** Credit is low when it pays for fewer than a hundred checks of the most expensive kind. */
const lowBelowPence = (plan: Plan) => CHECKS_LEFT_MIN * Math.max(...Object.values(plan.unit_price_pence))

/**
 * Reports credit that is nearly used up where checks are refused after it. Skips plans with overage, organisations that
 * used no credit this month, and those whose alert has already reported it.
 */
export async function watchCredit(deps: WatchDependencies, signal?: AbortSignal): Promise<void> {
  if (!deps.sendsMail) return
  const highestPence = Math.max(...[...deps.plans.values()].map(lowBelowPence))
  // Skip accounts without changes since the last run.
  const sinceMs = deps.clock.now() - DAY_MS
  await walk(
    async (afterId) => {
      const rows = await deps.sql.query<{ id: string }>(
        `select organisation_id as id from billing_account where organisation_id > $1 and updated_at > $2
           and included_pence + prepaid_pence < $3 order by organisation_id limit ${LOOKED_AT_TOGETHER}`,
        [afterId, sinceMs, highestPence],
      )
      return rows.map(({ id }) => id)
    },
    (organisationId) => watchCreditOf(deps, organisationId),
    deps.onError,
    signal,
  )
}

async function watchCreditOf(deps: WatchDependencies, organisationId: string): Promise<void> {
  const account = await readAccount(deps, organisationId)
  const plan = planOf(deps.plans, account)
  const creditPence = account.includedPence + account.prepaidPence
  if (creditPence >= lowBelowPence(plan)) return
  if (plan.overage_allowed && overageLimitOf(account, plan) > 0) return
  if ((await creditOfMonth(deps.sql, organisationId, account.period)) <= 0) return
  await changeIn(deps.sql, deps.clock, async (tx) => {
    if (await isCreditAlertReached(tx, organisationId)) return
    const organisation = await requireOrganisation(tx, organisationId)
    await tellCreditLow(tx, deps, organisation, { creditPence, monthStartMs: periodStartMs(account.period) })
  })
}

/** A failure for one organisation does not stop the others. */
async function walk(
  page: (afterId: string) => Promise<readonly string[]>,
  look: (organisationId: string) => Promise<void>,
  onError: WatchDependencies['onError'],
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let afterId: string | undefined = ''; afterId !== undefined; ) {
    const ids: readonly string[] = await page(afterId)
    for (const id of ids) {
      if (signal?.aborted) return
      await look(id).catch((error: unknown) => onError(id, error))
    }
    afterId = ids.length < LOOKED_AT_TOGETHER ? undefined : ids.at(-1)
  }
}
