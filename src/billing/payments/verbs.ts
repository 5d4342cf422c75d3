import type { Command } from 'commander'
import { iso, isoOrNull } from '../../lib/time-text.ts'
import { dateText, type OperatorContext, oneOfWords, print, table, verb, withStore } from '../../operator/context.ts'
import { PAYMENT_OUTCOMES, type Payment } from './payment-table.ts'
import { listPayments } from './payments.ts'

const LISTED_MAX = 1000

export function registerPaymentVerbs(program: Command, context: OperatorContext): void {
  const payment = program.command('payment').description('payments that arrived, and what became of them')

  verb(payment, 'list', `show payments, newest first, at most ${LISTED_MAX}`)
    .option('--org <id>', 'only those of one organisation')
    .option('--outcome <outcome>', PAYMENT_OUTCOMES.join(', '), oneOfWords('--outcome', PAYMENT_OUTCOMES))
    .action((options: { org?: string; outcome?: Payment['outcome']; json?: boolean }) =>
      withStore(context, async ({ sql }) => {
        const rows = await listPayments(sql, {
          organisationId: options.org,
          outcome: options.outcome,
          limit: LISTED_MAX,
        })
        print(context, options.json, rows.map(view), () =>
          table(
            ['PAYMENT', 'ORGANISATION', 'INVOICE', 'PENCE', 'CURRENCY', 'OUTCOME', 'REFUNDED', 'DISPUTED', 'RECEIVED'],
            rows.map((row) => [
              row.reference,
              row.organisation_id ?? '-',
              row.invoice_id ?? '-',
              String(row.amount_pence),
              row.currency,
              row.outcome,
              String(row.refunded_pence),
              row.disputed_at === null ? '-' : dateText(row.disputed_at),
              dateText(row.received_at),
            ]),
            'There is no such payment.',
          ),
        )
      }),
    )
}

const view = ({ id, disputed_at, received_at, ...rest }: Payment) => ({
  payment_id: id,
  ...rest,
  disputed_at: isoOrNull(disputed_at),
  received_at: iso(received_at),
})
