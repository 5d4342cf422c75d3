import Type from 'typebox'
import { oneOf } from '../../http/operation.ts'
import { named, Pence, sampleOf, TextLike, Time, TimeOrNull } from '../../http/schema.ts'
import { shown } from '../../lib/clock.ts'
import { INVOICE_KINDS, INVOICE_STATES, type Invoice, LINE_KINDS } from './invoices.ts'

export const InvoiceSchema = named('Invoice', {
  id: TextLike('bil_1QwErTyUiOpAsDfGhJkL'),
  number: Type.Integer({
    minimum: 1,
    description:
      'Number in the one series of all invoices. It is final when the invoice is sent or paid: one in advance that is cancelled before may give its number to the next invoice, and is then gone.',
    examples: [3],
  }),
  kind: oneOf(INVOICE_KINDS),
  state: oneOf(INVOICE_STATES),
  in_advance: Type.Boolean({
    description:
      'True if the plan or credit is given when the invoice is paid. While open it can be cancelled, and never becomes overdue.',
  }),
  total_pence: Pence('Amount to pay.', 9950),
  lines: Type.Array(
    Type.Object({
      kind: oneOf(LINE_KINDS),
      month: Type.String(),
      description: Type.String(),
      amount_pence: Pence('Amount.'),
    }),
    {
      examples: [
        [
          { kind: 'overage', month: '2026-02', description: 'Checks beyond the credit, 2026-02', amount_pence: 50 },
          { kind: 'plan', month: '2026-03', description: 'Growth, 2026-03', amount_pence: 9900 },
        ],
      ],
    },
  ),
  issued_at: Time('When it was issued.', '2026-03-01T00:00:00.000Z'),
  due_at: Time('When it is due.', '2026-03-15T00:00:00.000Z'),
  settled_at: TimeOrNull('When it was paid or cancelled.'),
})

export const sampleInvoice = sampleOf(InvoiceSchema) as object

export function invoiceView(invoice: Invoice): Type.Static<typeof InvoiceSchema> {
  return {
    ...shown(
      invoice,
      'id',
      'number',
      'kind',
      'state',
      'in_advance',
      'total_pence',
      'issued_at',
      'due_at',
      'settled_at',
    ),
    lines: invoice.lines.map(({ plan_id: _, plan_price_pence: __, ...line }) => line),
  }
}
