import type { Command } from 'commander'
import { type OperatorContext, print, table, verb, withStore } from '../../operator/context.ts'
import { loadPlans } from '../plans.ts'
import { verifyLedger } from './verify.ts'

export function registerLedgerVerbs(program: Command, context: OperatorContext): void {
  const ledger = program.command('ledger').description('the append-only ledger')
  verb(ledger, 'verify', 'prove that every entry and balance adds up').action(async (options: { json?: boolean }) => {
    await withStore(context, async ({ sql }) => {
      const result = await verifyLedger(sql)
      print(context, options.json, result, () =>
        result.clean
          ? `The ledger adds up: ${result.entries} entries of ${result.accounts} accounts.`
          : `The ledger does NOT add up. First difference: organisation ${result.difference.organisationId}, ${result.difference.seq === undefined ? 'its account' : `entry ${result.difference.seq}`}: ${result.difference.problem}`,
      )
      if (!result.clean) context.exitCode = 2
    })
  })
}

export function registerPlanVerbs(program: Command, context: OperatorContext): void {
  const plan = program.command('plan').description('plans and prices')
  verb(plan, 'list', 'show the plans of plans.json').action((options: { json?: boolean }) => {
    const plans = [...loadPlans(context.config().ASSAY_PLANS_FILE).values()]
    print(context, options.json, plans, () =>
      table(
        ['PLAN', 'NAME', 'MONTHLY', 'CREDIT', 'EMAIL/DOMAIN/IP', 'FREE UNITS', 'OVERAGE', 'REQUESTS/S', 'BULK'],
        plans.map((row) => [
          row.id,
          row.name,
          `${row.monthly_price_pence}p`,
          `${row.included_credit_pence}p`,
          `${Object.values(row.unit_price_pence).join('/')}p`,
          String(row.free_units),
          row.overage_allowed ? overageText(row.overage_limit_pence) : 'no',
          String(row.requests_per_second),
          row.bulk_allowed ? 'yes' : 'no',
        ]),
        'plans.json has no plan.',
      ),
    )
  })
}

const overageText = (limitPence: number | undefined) => (limitPence === undefined ? 'yes' : `up to ${limitPence}p`)
