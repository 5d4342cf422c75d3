import type { Command } from 'commander'
import { findInvoice, type Invoice, listInvoices } from '../billing/invoices/invoices.ts'
import { settleInvoice, voidInvoice } from '../billing/subscription/subscription.ts'
import type { Sql } from '../db/sql.ts'
import { OPERATOR_ACTOR } from '../identity/audit.ts'
import { dateText, isoOrNull, type OperatorContext, OperatorError, print, table, verb, withStore } from './context.ts'

const LISTED_MAX = 1000
const STATES = ['open', 'paid', 'void'] as const

export function registerInvoice(program: Command, context: OperatorContext): void {
  const invoice = program.command('invoice').description('invoices: what organisations are to pay')

  verb(invoice, 'list', `show invoices, newest first, at most ${LISTED_MAX}`)
    .option('--org <id>', 'only those of one organisation')
    .option('--state <state>', STATES.join(', '))
    .action(async (options: { org?: string; state?: string; json?: boolean }) => {
      const state = STATES.find((one) => one === options.state)
      if (options.state !== undefined && !state)
        throw new OperatorError(`--state: must be one of ${STATES.join(', ')}.`)
      await withStore(context, async ({ sql }) => {
        const { invoices } = await listInvoices(sql, { organisationId: options.org, state, limit: LISTED_MAX })
        print(context, options.json, invoices.map(view), () =>
          table(
            ['INVOICE', 'ORGANISATION', 'NUMBER', 'KIND', 'STATE', 'PENCE', 'ISSUED', 'DUE'],
            invoices.map((row) => [
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
      })
    })

  verb(invoice, 'settle', 'note that an invoice was paid; credit is posted and an unpaid account runs again')
    .requiredOption('--invoice <id>', 'id of the invoice')
    .option('--reference <text>', 'names the payment, for the record')
    .action(async (options: { invoice: string; reference?: string; json?: boolean }) => {
      await withStore(context, async ({ sql, plans }) => {
        await requireInvoice(sql, options.invoice)
        const nowMs = context.clock.now()
        const { invoice: settled, repeated } = await sql.transaction((tx) =>
          settleInvoice(tx, plans, {
            invoiceId: options.invoice,
            reference: options.reference ?? null,
            actor: OPERATOR_ACTOR,
            nowMs,
          }),
        )
        print(context, options.json, { ...view(settled), repeated }, () =>
          repeated
            ? `Invoice ${settled.id} was settled before; nothing changed.`
            : `Invoice ${settled.id} is ${settled.state}.`,
        )
      })
    })

  verb(invoice, 'void', 'take an invoice back: nothing is to be paid, its overage is forgiven')
    .requiredOption('--invoice <id>', 'id of the invoice')
    .action(async (options: { invoice: string; json?: boolean }) => {
      await withStore(context, async ({ sql, plans }) => {
        const found = await requireInvoice(sql, options.invoice)
        if (found.state === 'paid') throw new OperatorError(`Invoice ${found.id} is paid and cannot be taken back.`)
        const nowMs = context.clock.now()
        const voided = await sql.transaction((tx) =>
          voidInvoice(tx, plans, { invoiceId: options.invoice, reference: null, actor: OPERATOR_ACTOR, nowMs }),
        )
        print(context, options.json, view(voided), () => `Invoice ${voided.id} is void.`)
      })
    })
}

async function requireInvoice(sql: Sql, id: string): Promise<Invoice> {
  const invoice = await findInvoice(sql, id)
  if (!invoice) throw new OperatorError(`There is no invoice ${id}. "assayd invoice list" shows them all.`)
  return invoice
}

function view(invoice: Invoice) {
  return {
    invoice_id: invoice.id,
    organisation_id: invoice.organisation_id,
    number: invoice.number,
    kind: invoice.kind,
    state: invoice.state,
    total_pence: invoice.total_pence,
    lines: invoice.lines,
    issued_at: isoOrNull(invoice.issued_at),
    due_at: isoOrNull(invoice.due_at),
    settled_at: isoOrNull(invoice.settled_at),
    payment_reference: invoice.payment_reference,
  }
}
