import type { Command } from 'commander'
import { DAY_MS, iso, shown } from '../../lib/clock.ts'
import { type VerbContext, VerbError } from '../../verb/context.ts'
import { dateText, listAnswer, table } from '../../verb/output.ts'
import { stripeSettingsOf } from '../../verb/settings.ts'
import { withStore } from '../../verb/store.ts'
import { flag, oneOfWords, optional, required, verbsOf, wholeNumber, withDefault } from '../../verb/verb.ts'
import { withBilling } from '../verbs.ts'
import { PAYMENT_OUTCOMES, type Payment } from './payment-table.ts'
import { listOddPayments, listPayments } from './payments.ts'
import { type Difference, reconcile } from './reconcile.ts'
import { closeDispute } from './refunds-and-disputes.ts'
import { type Dispute, listDisputes } from './return-rows.ts'
import { createStripeProvider } from './stripe.ts'

const LISTED_MAX = 1000
const RECONCILED_DAYS = 30

export function registerPaymentVerbs(program: Command, context: VerbContext): void {
  const payment = program.command('payment').description('received payments and their outcome')
  const add = verbsOf(payment, context, withStore)

  add('list', `show payments, newest first, at most ${LISTED_MAX}`, {
    organisationId: optional('--org <id>', 'only those of one organisation'),
    outcome: optional('--outcome <outcome>', PAYMENT_OUTCOMES.join(', '), oneOfWords('--outcome', PAYMENT_OUTCOMES)),
    attention: flag('--attention', 'only those that need you: unmatched, or more was returned than was paid'),
  }).runs(async ({ sql }, { organisationId, outcome, attention = false }) => {
    const own = organisationId === undefined ? {} : { organisation_id: organisationId }
    const isAsked = (row: Payment) =>
      (organisationId ?? row.organisation_id) === row.organisation_id && (outcome ?? row.outcome) === row.outcome
    const rows = attention
      ? (await listOddPayments(sql, LISTED_MAX)).filter(isAsked)
      : await listPayments(sql, { ...own, ...(outcome && { outcome }) }, LISTED_MAX)
    return listAnswer(rows, view, 'There is no such payment.', {
      PAYMENT: (row) => row.reference,
      ORGANISATION: (row) => row.organisation_id,
      INVOICE: (row) => row.invoice_id,
      PENCE: (row) => row.amount_pence,
      CURRENCY: (row) => row.currency,
      OUTCOME: (row) => row.outcome,
      REFUNDED: (row) => row.refunded_pence,
      LOST: (row) => row.lost_pence,
      DISPUTED: (row) => dateText(row.disputed_at),
      RECEIVED: (row) => dateText(row.received_at),
    })
  })

  add('reconcile', 'compare payments, refunds and disputes with the provider; the exit code is 2 if they differ', {
    days: withDefault('--days <n>', 'how far to look back', RECONCILED_DAYS, wholeNumber('--days', 1, 3650)),
  }).runs(async ({ sql, clock }, { days }) => {
    const { name: provider, records } = recordsFrom(context)
    const sinceMs = clock.now() - days * DAY_MS
    const result = await reconcile(sql, { provider, records, sinceMs })
    const { differences } = result
    const compared = `${result.payments} payments and ${result.disputes} disputes of the last ${days} days`
    return {
      value: { since: iso(sinceMs), ...result },
      text:
        differences.length === 0
          ? `${compared} agree with ${provider}.`
          : [
              `${differences.length} differences in ${compared}:`,
              table<Difference>(differences, '', {
                PAYMENT: (one) => one.reference,
                ORGANISATION: (one) => one.organisation_id,
                DIFFERENCE: (one) => one.problem,
              }),
              'Let the provider send its message again, or record what is missing: assayd invoice settle, assayd invoice refund, assayd payment dispute close.',
            ],
      exitCode: differences.length === 0 ? 0 : 2,
    }
  })

  const dispute = payment.command('dispute').description('disputes and inquiries of the payers’ banks')
  const addToDispute = verbsOf(dispute, context, withBilling)

  addToDispute('list', `show disputes, newest first, at most ${LISTED_MAX}`, {
    organisationId: optional('--org <id>', 'only those of one organisation'),
    open: flag('--open', 'only those that are not decided'),
  }).runs(async ({ sql }, { organisationId, open }) =>
    listAnswer(
      await listDisputes(sql, { organisationId, undecided: open }, LISTED_MAX),
      disputeView,
      'There is no such dispute.',
      {
        DISPUTE: (row) => row.id,
        PAYMENT: (row) => row.reference,
        ORGANISATION: (row) => row.organisation_id,
        PENCE: (row) => row.amount_pence,
        STATE: (row) => row.state,
        OPENED: (row) => dateText(row.opened_at),
        CLOSED: (row) => dateText(row.closed_at),
      },
    ),
  )

  addToDispute('close', 'decide a dispute by hand, when the message of the provider did not arrive', {
    id: required('--dispute <id>', 'id of the dispute, as in the list'),
    outcome: required('--outcome <outcome>', 'won, lost', oneOfWords('--outcome', ['won', 'lost'])),
  }).runs(async (store, { id, outcome }) => {
    const closed = await store.change((tx) => closeDispute(tx, store, { id, outcome }))
    const organisationId = closed.payment?.organisation_id ?? null
    if (organisationId !== null) await store.announceAccount(organisationId)
    return {
      value: disputeView({ ...closed.dispute, organisation_id: organisationId }),
      text: `Dispute ${id} of payment ${closed.dispute.reference} is ${outcome}.`,
    }
  })
}

function recordsFrom(context: VerbContext) {
  const stripe = stripeSettingsOf(context.config())
  if (!stripe) {
    throw new VerbError(
      'Payments are recorded by the operator here: there is no provider to compare with. Card payment needs ASSAY_STRIPE_SECRET_KEY and ASSAY_STRIPE_WEBHOOK_SECRET.',
    )
  }
  const { name, records } = createStripeProvider(stripe)
  return { name, records: records! }
}

const view = ({ id, ...payment }: Payment) => ({ payment_id: id, ...shown(payment) })

const disputeView = ({ id, ...dispute }: Dispute & { organisation_id: string | null }) => ({
  dispute_id: id,
  ...shown(dispute),
})
