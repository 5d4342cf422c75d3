import type { Command } from 'commander'
import { loadPlans } from '../billing/plans.ts'
import { verifyLedger } from '../billing/ledger/verify.ts'
import { migrate } from '../db/migrate.ts'
import { openStore } from '../db/open.ts'
import { type OperatorContext, print, table, verb, withStore } from './context.ts'

export function registerLedger(program: Command, context: OperatorContext): void {
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

export function registerPlan(program: Command, context: OperatorContext): void {
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
          row.overage_allowed ? 'yes' : 'no',
          String(row.requests_per_second),
          row.bulk_allowed ? 'yes' : 'no',
        ]),
        'plans.json has no plan.',
      ),
    )
  })
}

export function registerMigrate(program: Command, context: OperatorContext): void {
  verb(program, 'migrate', 'bring the database up to date').action(async (options: { json?: boolean }) => {
    const config = context.config()
    const sql = await openStore({
      dataDir: config.ASSAY_DATA_DIR,
      ...(config.ASSAY_DATABASE_URL ? { databaseUrl: config.ASSAY_DATABASE_URL } : {}),
    })
    try {
      const result = { engine: sql.engine, ...(await migrate(sql)) }
      print(context, options.json, result, () =>
        result.applied.length === 0
          ? `The ${result.engine} database is up to date.`
          : `Applied to ${result.engine}: ${result.applied.join(', ')}.`,
      )
    } finally {
      await sql.close()
    }
  })
}
