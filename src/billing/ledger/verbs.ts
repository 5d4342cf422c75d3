import type { Command } from 'commander'
import { isoDay } from '../../lib/time-text.ts'
import {
  type OperatorContext,
  OperatorError,
  print,
  type Store,
  table,
  verb,
  withStore,
} from '../../operator/context.ts'
import { loadPlans } from '../plans.ts'
import { acceptRestore } from './accept-restore.ts'
import { anchorNow } from './anchor-job.ts'
import { anchorLine } from './anchors-file.ts'
import type { Difference } from './difference.ts'
import { type LedgerReport, verifyLedger } from './verify.ts'

export function registerLedgerVerbs(program: Command, context: OperatorContext): void {
  const ledger = program.command('ledger').description('the append-only ledger')
  verb(ledger, 'verify', 'prove that every entry and balance adds up and that nothing was edited by hand')
    .option('--accept-restore', 'the database was restored from a backup: compare with anchors.log from here on')
    .action(async (options: { acceptRestore?: boolean; json?: boolean }) => {
      await withStore(context, async (store) => {
        const report = await (options.acceptRestore ? acceptRestore(await withRing(store)) : verify(store))
        print(context, options.json, report, () => reportText(report))
        if (!report.clean) context.exitCode = 2
      })
    })
  verb(ledger, 'anchor', 'anchor the ledger and the audit log now; the server does so once a day').action(
    async (options: { json?: boolean }) => {
      await withStore(context, async (store) => {
        const made = await anchorNow(await withRing(store))
        if (!made) throw new OperatorError('A server is making an anchor at this moment. Try again in a while.')
        const line = anchorLine(made)
        print(context, options.json, line, () => `Anchor ${line.number} of ${line.made_at}: ${line.hash}`)
      })
    },
  )
}

const withRing = async (store: Store) => ({ ...store, ring: await store.openRing() })

/** Proves what can be proved without the secret where none is at hand. */
async function verify(store: Store): Promise<LedgerReport> {
  const ring = await store.findRing()
  return verifyLedger(store.sql, ring ? { ...store, ring } : store)
}

export function reportText(report: LedgerReport): string {
  const { uncheckedSignatures: unchecked } = report
  if (unchecked === 0) return findingText(report)
  return `${findingText(report)}
The signatures of anchors were NOT checked (${unchecked} anchors): there is no secret here. Set ASSAY_SECRET to the secret the server runs with.`
}

function findingText(report: LedgerReport): string {
  if (report.clean) {
    const { entries, accounts, auditEntries, anchors, anchoredAtMs } = report
    const anchored = anchoredAtMs === null ? 'no anchor yet' : `${anchors} anchors, the last of ${isoDay(anchoredAtMs)}`
    return `The ledger adds up: ${entries} entries of ${accounts} accounts, ${auditEntries} audit entries, ${anchored}.`
  }
  const found = [report.difference, ...report.more]
  const lines = ['The ledger does NOT add up:', ...found.map((difference) => `  ${differenceText(difference)}`)]
  if (found.some(({ part }) => part === 'restore')) {
    lines.push('If you restored a backup yourself, say so: assayd ledger verify --accept-restore')
  }
  return lines.join('\n')
}

function differenceText({ part, organisationId, seq, problem }: Difference): string {
  if (organisationId === undefined) return part === 'anchor' ? `anchor ${seq}: ${problem}` : problem
  const log = part === 'audit' ? 'audit log' : 'account'
  const what = seq === undefined ? `the ${log}` : `${part === 'audit' ? 'audit entry' : 'entry'} ${seq}`
  return `${what} of ${organisationId === '' ? 'the operator' : organisationId}: ${problem}`
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
