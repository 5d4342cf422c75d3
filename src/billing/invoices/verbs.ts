import type { Command } from 'commander'
import { operatorIn } from '../../access/actor.ts'
import { isoOrNull } from '../../lib/time-text.ts'
import {
  dateText,
  type OperatorContext,
  oneOfWords,
  print,
  table,
  verb,
  wholeNumber,
  withStore,
} from '../../operator/context.ts'
import { settleByHand } from '../payments/payments.ts'
import { refundByHand } from '../payments/refunds-and-disputes.ts'
import { voidInvoice } from '../subscription/subscription.ts'
import { INVOICE_STATES, type Invoice, listInvoices, requireInvoice } from './invoices.ts'

const LISTED_MAX = 1000

export function registerInvoiceVerbs(program: Command, context: OperatorContext): void {
  const invoice = program.command('invoice').description('invoices: what organisations are to pay')

  verb(invoice, 'list', `show invoices, newest first, at most ${LISTED_MAX}`)
    .option('--org <id>', 'only those of one organisation')
    .option('--state <state>', INVOICE_STATES.join(', '), oneOfWords('--state', INVOICE_STATES))
    .action((options: { org?: string; state?: Invoice['state']; json?: boolean }) =>
      withStore(context, async ({ sql }) => {
        const { rows } = await listInvoices(sql, {
          organisationId: options.org,
          state: options.state,
          limit: LISTED_MAX,
        })
        print(context, options.json, rows.map(view), () =>
          table(
            ['INVOICE', 'ORGANISATION', 'NUMBER', 'KIND', 'STATE', 'PENCE', 'ISSUED', 'DUE'],
            rows.map((row) => [
              row.id,
              row.organisation_id,
              String(row.number),
              row.kind,
              row.state,
              String(row.total_pence),
              dateText(row.issued_at),
              dateText(row.due_at),
            ]),
            'There is no such invoice.',
          ),
        )
      }),
    )

  verb(invoice, 'settle', 'note that an invoice was paid; what it is for is given, and an unpaid account runs again')
    .requiredOption('--invoice <id>', 'id of the invoice')
    .option('--reference <text>', 'names the payment; a second payment of its own becomes credit')
    .action((options: { invoice: string; reference?: string; json?: boolean }) =>
      withStore(context, async (store) => {
        const found = await requireInvoice(store.sql, options.invoice)
        const actor = operatorIn(found.organisation_id)
        const { payment, repeated, ...receipt } = await store.change((tx) =>
          settleByHand(tx, store, actor, { invoice: found, reference: options.reference ?? null }),
        )
        await store.announceAccount(found.organisation_id)
        const settled = receipt.invoice ?? found
        print(context, options.json, { ...view(settled), outcome: payment.outcome, repeated }, () =>
          repeated
            ? `Invoice ${settled.id} was settled before; nothing changed.`
            : payment.outcome === 'credited'
              ? `Invoice ${settled.id} is ${settled.state}: the payment became ${payment.amount_pence} pence of credit.`
              : `Invoice ${settled.id} is ${settled.state}.`,
        )
      }),
    )

  verb(invoice, 'void', 'take an invoice back: nothing is to be paid, its overage is forgiven')
    .requiredOption('--invoice <id>', 'id of the invoice')
    .action((options: { invoice: string; json?: boolean }) =>
      withStore(context, async (store) => {
        const found = await requireInvoice(store.sql, options.invoice)
        const actor = operatorIn(found.organisation_id)
        const voided = await store.change((tx) => voidInvoice(tx, store, actor, found))
        await store.announceAccount(found.organisation_id)
        print(context, options.json, view(voided), () => `Invoice ${voided.id} is void.`)
      }),
    )

  verb(invoice, 'refund', 'note that money of a paid invoice went back to the customer')
    .requiredOption('--invoice <id>', 'id of the invoice')
    .option('--pence <n>', 'how much; default all of it', wholeNumber('--pence', 1, 1_000_000_000))
    .action((options: { invoice: string; pence?: number; json?: boolean }) =>
      withStore(context, async (store) => {
        const found = await requireInvoice(store.sql, options.invoice)
        const actor = operatorIn(found.organisation_id)
        const pence = options.pence ?? found.total_pence - found.refunded_pence
        await store.change((tx) => refundByHand(tx, store, actor, { invoice: found, pence }))
        await store.announceAccount(found.organisation_id)
        const after = await requireInvoice(store.sql, found.id)
        print(
          context,
          options.json,
          view(after),
          () => `Of invoice ${after.id}, ${after.refunded_pence} pence went back.`,
        )
      }),
    )
}

function view(invoice: Invoice) {
  return {
    invoice_id: invoice.id,
    organisation_id: invoice.organisation_id,
    number: invoice.number,
    kind: invoice.kind,
    state: invoice.state,
    in_advance: invoice.in_advance,
    total_pence: invoice.total_pence,
    refunded_pence: invoice.refunded_pence,
    lines: invoice.lines,
    issued_at: isoOrNull(invoice.issued_at),
    due_at: isoOrNull(invoice.due_at),
    settled_at: isoOrNull(invoice.settled_at),
    payment_reference: invoice.payment_reference,
  }
}
