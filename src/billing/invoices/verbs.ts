import type { Command } from 'commander'
import { operatorIn } from '../../access/actor.ts'
import { shown } from '../../lib/clock.ts'
import { invoiceName, pounds } from '../../lib/money-text.ts'
import type { VerbContext } from '../../verb/context.ts'
import { dateText, listAnswer } from '../../verb/output.ts'
import { oneOfWords, optional, required, verbsOf, wholeNumber } from '../../verb/verb.ts'
import { settleByHand } from '../payments/payments.ts'
import { refundByHand } from '../payments/refunds-and-disputes.ts'
import { voidInvoice } from '../subscription/subscription.ts'
import { withBilling } from '../verbs.ts'
import { INVOICE_STATES, type Invoice, listInvoices, requireInvoice } from './invoices.ts'

const LISTED_MAX = 1000
const ONE = { id: required('--invoice <id>', 'id of the invoice, or its name: INV-1') }

export function registerInvoiceVerbs(program: Command, context: VerbContext): void {
  const invoice = program.command('invoice').description('invoices of organisations')
  const add = verbsOf(invoice, context, withBilling)

  add('list', `show invoices, newest first, at most ${LISTED_MAX}`, {
    organisationId: optional('--org <id>', 'only those of one organisation'),
    state: optional('--state <state>', INVOICE_STATES.join(', '), oneOfWords('--state', INVOICE_STATES)),
  }).runs(async ({ sql }, { organisationId, state }) => {
    const { rows } = await listInvoices(sql, { organisationId, state, limit: LISTED_MAX })
    return listAnswer(rows, view, 'There is no such invoice.', {
      INVOICE: (row) => row.id,
      ORGANISATION: (row) => row.organisation_id,
      NUMBER: (row) => invoiceName(row.number),
      KIND: (row) => row.kind,
      STATE: (row) => row.state,
      PENCE: (row) => row.total_pence,
      ISSUED: (row) => dateText(row.issued_at),
      DUE: (row) => dateText(row.due_at),
    })
  })

  add('settle', 'record that an invoice was paid; its plan or credit begins, and an inactive account becomes active', {
    ...ONE,
    reference: optional(
      '--reference <text>',
      'reference of the payment; a second payment with another reference becomes credit',
    ),
  }).runs(async (store, { id, reference = null }) => {
    const found = await requireInvoice(store.sql, id)
    const { payment, repeated, ...receipt } = await store.change((tx) =>
      settleByHand(tx, store, operatorIn(found.organisation_id), { invoice: found, reference }),
    )
    await store.announceAccount(found.organisation_id)
    const settled = receipt.invoice ?? found
    const name = invoiceName(settled.number)
    return {
      value: { ...view(settled), outcome: payment.outcome, repeated },
      text: repeated
        ? `Invoice ${name} was already settled; nothing changed.`
        : payment.outcome === 'credited'
          ? `Invoice ${name} is ${settled.state}: the payment became ${pounds(payment.amount_pence)} of credit.`
          : `Invoice ${name} is ${settled.state}.`,
    }
  })

  add('void', 'cancel an invoice: nothing has to be paid, its overage is waived', ONE).runs(async (store, { id }) => {
    const found = await requireInvoice(store.sql, id)
    const voided = await store.change((tx) => voidInvoice(tx, store, operatorIn(found.organisation_id), found))
    await store.announceAccount(found.organisation_id)
    return { value: view(voided), text: `Invoice ${invoiceName(voided.number)} is void.` }
  })

  add('refund', 'record a refund of a paid invoice to the customer', {
    ...ONE,
    pence: optional('--pence <n>', 'amount; default the whole payment', wholeNumber('--pence', 1, 1_000_000_000)),
  }).runs(async (store, { id, pence }) => {
    const invoice = await requireInvoice(store.sql, id)
    const actor = operatorIn(invoice.organisation_id)
    const all = invoice.total_pence - invoice.refunded_pence
    await store.change((tx) => refundByHand(tx, store, actor, { invoice, pence: pence ?? all }))
    await store.announceAccount(invoice.organisation_id)
    const after = await requireInvoice(store.sql, id)
    return {
      value: view(after),
      text: `${pounds(after.refunded_pence)} of invoice ${invoiceName(after.number)} was refunded.`,
    }
  })
}

function view({ id, customer: _, overage_pence: __, tried_at: ___, ...invoice }: Invoice) {
  return { invoice_id: id, ...shown(invoice) }
}
