import type { Command } from 'commander'
import { iso, isoOrNull } from '../../lib/time-text.ts'
import type { VerbContext } from '../../verb/context.ts'
import { dateText, listAnswer } from '../../verb/output.ts'
import { withStore } from '../../verb/store.ts'
import { oneOfWords, optional, verbsOf } from '../../verb/verb.ts'
import { PAYMENT_OUTCOMES, type Payment } from './payment-table.ts'
import { listPayments } from './payments.ts'

const LISTED_MAX = 1000

export function registerPaymentVerbs(program: Command, context: VerbContext): void {
  const payment = program.command('payment').description('received payments and their outcome')
  verbsOf(payment, context, withStore)('list', `show payments, newest first, at most ${LISTED_MAX}`, {
    organisationId: optional('--org <id>', 'only those of one organisation'),
    outcome: optional('--outcome <outcome>', PAYMENT_OUTCOMES.join(', '), oneOfWords('--outcome', PAYMENT_OUTCOMES)),
  }).runs(async ({ sql }, { organisationId, outcome }) => {
    const own = organisationId === undefined ? {} : { organisation_id: organisationId }
    const rows = await listPayments(sql, { ...own, ...(outcome && { outcome }) }, LISTED_MAX)
    return listAnswer(rows, view, 'There is no such payment.', {
      PAYMENT: (row) => row.reference,
      ORGANISATION: (row) => row.organisation_id,
      INVOICE: (row) => row.invoice_id,
      PENCE: (row) => row.amount_pence,
      CURRENCY: (row) => row.currency,
      OUTCOME: (row) => row.outcome,
      REFUNDED: (row) => row.refunded_pence,
      DISPUTED: (row) => dateText(row.disputed_at),
      RECEIVED: (row) => dateText(row.received_at),
    })
  })
}

const view = ({ id, disputed_at, received_at, ...rest }: Payment) => ({
  payment_id: id,
  ...rest,
  disputed_at: isoOrNull(disputed_at),
  received_at: iso(received_at),
})
