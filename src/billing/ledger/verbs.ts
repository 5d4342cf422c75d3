import type { Command } from 'commander'
import { isoDay } from '../../lib/clock.ts'
import { counted } from '../../lib/counted.ts'
import type { Ring } from '../../lib/seal.ts'
import { type VerbContext, VerbError } from '../../verb/context.ts'
import { listAnswer } from '../../verb/output.ts'
import { type RingOpener, type Store, withStore } from '../../verb/store.ts'
import { flag, verbsOf, withoutStore } from '../../verb/verb.ts'
import { loadPlans } from '../plans.ts'
import { anchorLine, anchorNow } from './anchors-file.ts'
import { acceptRestore, type LedgerReport, verifyLedger, verifyRecent } from './verify.ts'
import type { Difference } from './verify-anchors.ts'

export interface AnchorKeys extends RingOpener {
  /** For a verb that only reads: undefined without a secret; never creates one. */
  readonly findRing: (store: Store) => Promise<Ring | undefined>
}

export function registerLedgerVerbs(program: Command, context: VerbContext, { openRing, findRing }: AnchorKeys): void {
  const ledger = program.command('ledger').description('the append-only ledger')
  const add = verbsOf(ledger, context, withStore)
  const signing = async (store: Store) => ({ ...store, ring: await openRing(store) })

  add('verify', 'prove that every entry and balance adds up and that nothing was edited manually', {
    since: flag(
      '--since-anchor',
      'only the entries since the last anchor but one; the server does this once a day, after its anchor',
    ),
    restored: flag(
      '--accept-restore',
      'accept that the database was restored from a backup; compare with anchors.log from now on',
    ),
  }).runs(async (store, { restored, since }) => {
    if (restored && since) throw new VerbError('--accept-restore verifies everything: leave --since-anchor out.')
    const ring = restored ? undefined : await findRing(store)
    const report = restored
      ? await acceptRestore(await signing(store))
      : await (since ? verifyRecent : verifyLedger)(store.sql, ring ? { ...store, ring } : store)
    return { value: report, text: reportText(report), exitCode: report.clean ? 0 : 2 }
  })

  add('anchor', 'anchor the ledger and the audit log now; the server does so once a day', {}).runs(async (store) => {
    const made = await anchorNow(await signing(store))
    if (!made) throw new VerbError('A server is creating an anchor now. Try again later.')
    const line = anchorLine(made)
    return { value: line, text: `Anchor ${line.number} of ${line.made_at}: ${line.hash}` }
  })
}

export function reportText(report: LedgerReport): string {
  const { uncheckedSignatures: unchecked } = report
  if (unchecked === 0) return findingText(report)
  return `${findingText(report)}
The signatures of anchors were NOT checked (${counted(unchecked, 'anchor')}): there is no secret here. Set ASSAY_SECRET to the secret the server runs with.`
}

function findingText(report: LedgerReport): string {
  if (report.clean) {
    const { entries, accounts, auditEntries, anchors, anchoredAtMs, archives, archivedEntries } = report
    const anchored =
      anchoredAtMs === null ? 'no anchor yet' : `${counted(anchors, 'anchor')}, the last of ${isoDay(anchoredAtMs)}`
    const inFiles =
      archives === 0 ? '' : `, ${counted(archives, 'archive')} with ${counted(archivedEntries, 'entry', 'entries')}`
    const charged = `${counted(entries, 'entry', 'entries')} of ${counted(accounts, 'account')}`
    const audited = counted(auditEntries, 'audit entry', 'audit entries')
    return `The ledger adds up: ${charged}, ${audited}, ${anchored}${inFiles}.`
  }
  const found = [report.difference, ...report.more]
  const lines = ['The ledger does NOT add up:', ...found.map((difference) => `  ${differenceText(difference)}`)]
  if (found.some(({ part }) => part === 'restore')) {
    lines.push('If you restored a backup yourself, accept it: assayd ledger verify --accept-restore')
  }
  if (found.some(({ part }) => part === 'usage')) {
    lines.push(
      'Usage is made from the ledger: delete the rows of the organisation in usage_total, usage_rollup, ledger_month and usage_progress, and it is made again. Keep the rows of usage for archived months (assayd archive list): their entries are no longer in the database.',
    )
  }
  return lines.join('\n')
}

function differenceText({ part, organisationId, seq, problem }: Difference): string {
  if (organisationId === undefined) return part === 'restore' ? problem : `${part} ${seq}: ${problem}`
  const log = part === 'audit' ? 'audit log' : part === 'usage' ? 'usage' : 'account'
  const what = seq === undefined ? `the ${log}` : `${part === 'audit' ? 'audit entry' : 'entry'} ${seq}`
  return `${what} of ${organisationId === '' ? 'the operator' : organisationId}: ${problem}`
}

export function registerPlanVerbs(program: Command, context: VerbContext): void {
  const plan = program.command('plan').description('plans and prices')
  verbsOf(plan, context, withoutStore)('list', 'show the plans of plans.json', {}).runs(() => {
    const plans = [...loadPlans(context.config().ASSAY_PLANS_FILE).values()]
    return listAnswer(plans, (row) => row, 'plans.json has no plan.', {
      PLAN: (row) => row.id,
      NAME: (row) => row.name,
      MONTHLY: (row) => `${row.monthly_price_pence}p`,
      CREDIT: (row) => `${row.included_credit_pence}p`,
      'EMAIL/DOMAIN/IP': (row) => `${Object.values(row.unit_price_pence).join('/')}p`,
      'FREE UNITS': (row) => row.free_units,
      OVERAGE: (row) => (row.overage_allowed ? overageText(row.overage_limit_pence) : 'no'),
      'REQUESTS/S': (row) => row.requests_per_second,
      BULK: (row) => (row.bulk_allowed ? 'yes' : 'no'),
    })
  })
}

const overageText = (limitPence: number | undefined) => (limitPence === undefined ? 'yes' : `up to ${limitPence}p`)
