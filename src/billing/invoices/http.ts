import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { preferredType, sendCsv, sendPrintable } from '../../http/csv.ts'
import { sendPdf, turnOf } from '../../http/log-page.ts'
import { answerPage, change, LIST_LIMITS, type Operation, oneOf, operation, pageQuery } from '../../http/operation.ts'
import { jsonResponse, named, pageResponse, withForms } from '../../http/schema.ts'
import { requireOrganisation } from '../../identity/organisation/organisations.ts'
import { invoiceName } from '../../lib/money-text.ts'
import type { BillingDependencies } from '../dependencies.ts'
import { readAccount } from '../ledger/accounts.ts'
import { instructionsOf } from '../settings.ts'
import { applyDueChanges, sendDraft } from '../subscription/open-account.ts'
import { cancelInvoice } from '../subscription/subscription.ts'
import { rollUpUsage } from '../usage/usage.ts'
import { type InvoiceDocument, invoicePage } from './document.ts'
import { invoicePdfMaker } from './document-pdf.ts'
import { InvoiceSchema, invoiceView, sampleInvoice } from './invoice-view.ts'
import { INVOICE_KINDS, INVOICE_STATES, type Invoice, listInvoices, requireInvoice } from './invoices.ts'
import { StatementSchema, statementCsv, statementPage } from './statement-view.ts'
import { statementReport } from './statements.ts'
import { readTerms, setDetails, type Terms } from './terms.ts'

const line = (description: string, maxLength: number) =>
  Type.Union([Type.String({ minLength: 1, maxLength, pattern: '^[^\\u0000-\\u0009\\u000b-\\u001f]*$' }), Type.Null()], {
    description,
  })
const sampleDetails = { name: 'Example Ltd, accounts payable', address: '1 High Street\nLondon', tax_id: 'GB123456789' }
const DetailsSchema = named(
  'BillingDetails',
  {
    name: line('Name on invoices; null: the name of the organisation.', 200),
    address: line('Address on invoices, with line breaks.', 1000),
    tax_id: line('Tax number on invoices.', 64),
  },
  { additionalProperties: false, examples: [sampleDetails] },
)

export function invoiceOperations(deps: BillingDependencies): Operation[] {
  return [
    operation({
      name: 'GET /v1/billing/invoices',
      id: 'listInvoices',
      summary: 'List the invoices, newest first',
      scope: 'billing:read',
      query: pageQuery(
        { state: Type.Optional(oneOf(INVOICE_STATES)), kind: Type.Optional(oneOf(INVOICE_KINDS)) },
        LIST_LIMITS,
      ),
      answers: { 200: pageResponse('A page of invoices.', InvoiceSchema) },
      handle: async (context) => {
        const { organisationId } = context.caller
        const { state, kind } = context.query
        await applyDueChanges(deps, organisationId)
        return answerPage(context, deps, {
          list: ['invoices', state, kind],
          limitDefault: LIST_LIMITS.limitDefault,
          read: (from, limit) => listInvoices(deps.sql, { organisationId, state, kind, from, limit }),
          view: invoiceView,
        })
      },
    }),

    operation({
      name: 'GET /v1/billing/invoices/{invoice_id}',
      id: 'readInvoice',
      summary: 'Read one invoice',
      description: 'With `Accept: text/html` as a page to print, with `Accept: application/pdf` as a document.',
      scope: 'billing:read',
      answers: {
        200: withForms(jsonResponse('The invoice.', InvoiceSchema), {
          'text/html': '<!doctype html>…',
          'application/pdf': '%PDF-1.3…',
        }),
      },
      weight: (request) => (invoiceForm(request) === 'application/pdf' ? 'document' : 'read'),
      handle: async ({ caller, params, request, reply }) => {
        const invoice = await requireInvoice(deps.sql, params.invoice_id, caller.organisationId)
        const form = invoiceForm(request)
        reply.header('vary', 'accept')
        if (form === 'application/json') return invoiceView(invoice)
        await sendDraft(deps, invoice)
        const document = documentOf(deps, invoice)
        if (form === 'text/html') return sendPrintable(reply, invoicePage(document))
        const { bytes } = await deps.documents.make(invoicePdfMaker, document, turnOf({ caller, reply }))
        return sendPdf(reply, invoiceName(invoice.number), bytes)
      },
    }),

    change({
      name: 'POST /v1/billing/invoices/{invoice_id}/cancel',
      id: 'cancelInvoice',
      summary: 'Cancel an invoice that pays in advance',
      description: 'For top-ups, and for plans that begin when they are paid. Other invoices must be paid (409).',
      scope: 'billing:write',
      answers: { 200: jsonResponse('The current state.', InvoiceSchema, { ...sampleInvoice, state: 'void' }) },
      problems: ['conflict'],
      handle: async (tx, { actor, params }) => {
        const found = await requireInvoice(tx, params.invoice_id, actor.organisationId)
        return { status: 200, body: invoiceView(await cancelInvoice(tx, deps, actor, found)) }
      },
      after: ({ request }) => deps.onAccountChanged(request.caller!.organisationId),
    }),

    operation({
      name: 'GET /v1/billing/details',
      id: 'readBillingDetails',
      summary: 'Read the invoice address',
      scope: 'billing:read',
      answers: { 200: jsonResponse('The details.', DetailsSchema) },
      handle: async ({ caller }) => detailsView(await readTerms(deps.sql, caller.organisationId)),
    }),

    change({
      name: 'PUT /v1/billing/details',
      id: 'setBillingDetails',
      summary: 'Set the invoice address',
      description: 'Applies to future and open invoices; paid invoices do not change.',
      scope: 'billing:write',
      body: DetailsSchema,
      answers: { 200: jsonResponse('The details.', DetailsSchema) },
      handle: async (tx, { actor, body }) => {
        const { name, address, tax_id: taxId } = body
        return { status: 200, body: detailsView(await setDetails(tx, actor, { name, address, taxId })) }
      },
    }),
  ]
}

const invoiceForm = (request: FastifyRequest) =>
  preferredType(request, ['application/json', 'text/html', 'application/pdf'])

const detailsView = ({ name, address, taxId }: Terms) => ({ name, address, tax_id: taxId })

function documentOf({ settings }: BillingDependencies, invoice: Invoice): InvoiceDocument {
  const reference = invoiceName(invoice.number)
  const refunded = invoice.state === 'paid' && invoice.refunded_pence >= invoice.total_pence
  const state = refunded ? 'refunded' : invoice.state
  // A node of an earlier version may have written none.
  const customer = { name: '', address: '', tax_id: null, ...(invoice.customer as Partial<Invoice['customer']>) }
  const paymentInstructions = instructionsOf(settings)
  return { ...invoice, ...settings, paymentInstructions, customer, number: reference, reference, state }
}

export function statementOperations(deps: BillingDependencies): Operation[] {
  return [
    operation({
      name: 'GET /v1/billing/statements/{month}',
      id: 'readStatement',
      summary: 'Read the statement of a month',
      description: 'With `Accept: text/csv` as CSV, with `Accept: text/html` as a page to print.',
      scope: 'billing:read',
      answers: {
        200: withForms(jsonResponse('The statement; it adds up to the ledger.', StatementSchema), {
          'text/csv': 'section,item,units\r\n',
          'text/html': '<!doctype html>…',
        }),
      },
      weight: () => 'report',
      handle: async ({ caller, params: { month }, request, reply }) => {
        const { organisationId } = caller
        // Close a finished month in the ledger before summing it up.
        await applyDueChanges(deps, organisationId)
        await rollUpUsage(deps.sql, organisationId)
        const account = await readAccount(deps, organisationId)
        const input = { account, month, nowMs: deps.clock.now() }
        const { head: statement } = await deps.documents.make(statementReport, input, turnOf({ caller, reply }))
        reply.header('vary', 'accept')
        const form = preferredType(request, ['application/json', 'text/csv', 'text/html'])
        if (form === 'text/csv') return sendCsv(reply, `statement-${month}.csv`, statementCsv(statement))
        if (form === 'application/json') return statement
        return sendPrintable(reply, statementPage(statement, await requireOrganisation(deps.sql, organisationId)))
      },
    }),
  ]
}
