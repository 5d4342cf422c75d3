import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operatorIn } from '../../src/access/actor.ts'
import type { Scope } from '../../src/access/scopes.ts'
import { readAccount } from '../../src/billing/ledger/accounts.ts'
import { createMeter, type Meter, type MeterDependencies } from '../../src/billing/ledger/meter.ts'
import { refundCharge } from '../../src/billing/ledger/refund-charge.ts'
import { keepUncertainCharges } from '../../src/billing/ledger/uncertain-charges.ts'
import type { Plans } from '../../src/billing/plans.ts'
import { type BillingSettings, DEFAULT_SETTINGS } from '../../src/billing/settings.ts'
import type { BillingRules } from '../../src/billing/subscription/open-account.ts'
import {
  addCredit,
  type OPERATOR_WORDS,
  openAccount,
  setOperatorWord,
  setPlan,
} from '../../src/billing/subscription/subscription.ts'
import { changeIn, type Sql } from '../../src/db/sql.ts'
import { keptAnswers } from '../../src/db/stored-response.ts'
import { createKey } from '../../src/identity/keys/keys.ts'
import { organisations } from '../../src/identity/organisation/organisations.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { ringOf } from '../../src/lib/seal.ts'
import { sealingOfChecks } from '../../src/record/sealed.ts'

/** Accounts for tests below the API: the real rules, with a fixed organisation id. */
export function testAccounts({
  sql,
  clock,
  plans,
  settings = {},
}: {
  readonly sql: Sql
  readonly clock: Clock
  readonly plans: Plans
  readonly settings?: Partial<BillingSettings>
}) {
  const rules: BillingRules = {
    plans,
    settings: { ...DEFAULT_SETTINGS, contact: 'billing@operator.example', ...settings },
    provider: 'invoice',
  }
  return {
    rules,
    deps: { ...rules, sql, clock },
    /** An organisation opened by the operator. */
    open: (organisationId: string, planId: string) =>
      changeIn(sql, clock, async (tx) => {
        await organisations.insert(tx, {
          id: organisationId,
          name: 'Test',
          state: 'active',
          state_reason: null,
          state_until: null,
          disabled_at: null,
          deactivated_at: null,
          awaiting_approval: false,
          requires_second_factor: false,
          second_factor_from: null,
          allow_needs_approval: false,
          history: 'console',
          history_days: 400,
          erased_at: null,
          decisions_need_two: false,
          created_at: 0,
          updated_at: 0,
        })
        await openAccount(tx, rules, { organisationId, planId })
      }),
    credit: (organisationId: string, pence: number, more: { reason?: string; reference?: string } = {}) =>
      changeIn(sql, clock, (tx) =>
        addCredit(tx, rules, operatorIn(organisationId), { pence, reason: 'test', ...more }),
      ),
    setPlan: (organisationId: string, planId: string) =>
      changeIn(sql, clock, (tx) => setPlan(tx, rules, operatorIn(organisationId), planId)),
    /** An operator action: disable, enable, deactivate, activate, approve. */
    say: (organisationId: string, word: keyof typeof OPERATOR_WORDS) =>
      changeIn(sql, clock, (tx) => setOperatorWord(tx, rules, operatorIn(organisationId), word)),
    key: (organisationId: string, name: string, scopes: readonly Scope[]) =>
      changeIn(sql, clock, (tx) => createKey(tx, operatorIn(organisationId), { name, scopes, expiresAtMs: null })),
    read: (organisationId: string) => readAccount({ ...rules, sql, clock }, organisationId),
  }
}

/** Shared by the whole test server: its meter and its routes open each other's stored answers. */
export const TEST_SECRET = 'the secret of the tests, long enough'

/** A meter that writes uncertain charges to its own folder. */
/** It waits as long as a test may take: on a busy machine a test would reach the limits of the product. */
export function testMeter(
  deps: Pick<MeterDependencies, 'sql' | 'clock' | 'rules' | 'limits' | 'onOutcome'> &
    Partial<Pick<MeterDependencies, 'seal' | 'sealing'>>,
): Meter {
  const { sql, clock, rules, limits } = deps
  const uncertain = keepUncertainCharges({
    folder: join(tmpdir(), 'assay-uncertain', randomUUID()),
    refund: (charge) => changeIn(sql, clock, (tx) => refundCharge(tx, rules, charge)),
    logger: { error: () => {}, warn: () => {} },
  })
  const ring = ringOf(TEST_SECRET)
  const sealing = () => sealingOfChecks(ring)
  const meter = createMeter({
    seal: keptAnswers(ring),
    sealing,
    ...deps,
    limits: { lockTimeoutMs: 60_000, waitMsMax: 60_000, ...limits },
    uncertain,
  })
  return {
    charge: meter.charge,
    foresee: meter.foresee,
    get pending() {
      return meter.pending
    },
    async close() {
      await meter.close()
      await uncertain.close()
    },
  }
}
