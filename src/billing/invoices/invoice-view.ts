import Type from 'typebox'
import { oneOf } from '../../http/operation.ts'
import { named, Pence, Time, TimeOrNull } from '../../http/schema.ts'
import { iso, isoOrNull } from '../../lib/time-text.ts'
import { INVOICE_KINDS, INVOICE_STATES, type Invoice, LINE_KINDS } from './invoices.ts'

/** An invoice as the API shows it. */
export const InvoiceSchema = named('Invoice', {
  id: Type.String(),
  number: Type.Integer({ minimum: 1 }),
  kind: oneOf(INVOICE_KINDS),
  state: oneOf(INVOICE_STATES),
  in_advance: Type.Boolean({
    description:
      'What it is for is given when it is paid. While it is open it can be cancelled, and never falls overdue.',
  }),
  total_pence: Pence('To be paid.'),
  lines: Type.Array(
    Type.Object({
      kind: oneOf(LINE_KINDS),
      month: Type.String(),
      description: Type.String(),
      amount_pence: Pence('Amount.'),
    }),
  ),
  issued_at: Time('When it was issued.'),
  due_at: Time('When it is due.'),
  settled_at: TimeOrNull('When it was paid or cancelled.'),
})

export const sampleInvoice = {
  id: 'bil_1QwErTyUiOpAsDfGhJkL',
  number: 3,
  kind: 'subscription',
  state: 'open',
  in_advance: false,
  total_pence: 9950,
  lines: [
    { kind: 'overage', month: '2026-02', description: 'Checks beyond the credit, 2026-02', amount_pence: 50 },
    { kind: 'plan', month: '2026-03', description: 'Growth, 2026-03', amount_pence: 9900 },
  ],
  issued_at: '2026-03-01T00:00:00.000Z',
  due_at: '2026-03-15T00:00:00.000Z',
  settled_at: null,
}

export function invoiceView(invoice: Invoice): Type.Static<typeof InvoiceSchema> {
  return {
    id: invoice.id,
    number: invoice.number,
    kind: invoice.kind,
    state: invoice.state,
    in_advance: invoice.in_advance,
    total_pence: invoice.total_pence,
    lines: invoice.lines.map(({ plan_id: _, plan_price_pence: __, ...line }) => line),
    issued_at: iso(invoice.issued_at),
    due_at: iso(invoice.due_at),
    settled_at: isoOrNull(invoice.settled_at),
  }
}
