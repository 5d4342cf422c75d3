import Type from 'typebox'
import { ORGANISATION_STATES } from '../../access/organisation-state.ts'
import { Problem } from '../../errors.ts'
import type { ChangeDependencies } from '../../http/change.ts'
import { sendCsv } from '../../http/csv.ts'
import { bytesOf, turnOf } from '../../http/log-page.ts'
import { type OperationDependencies, oneOf } from '../../http/operation.ts'
import {
  closed,
  counts,
  NoFields,
  operatorChange,
  type PageOperation,
  pageOperation,
  texts,
} from '../../http/page-operation.ts'
import { Pence, TextOrNull } from '../../http/schema.ts'
import { MemberSchema, memberView } from '../../identity/members/http.ts'
import { listMembers } from '../../identity/members/members.ts'
import { type Organisation, requireOrganisation } from '../../identity/organisation/organisations.ts'
import { iso, isoOrNull, shown } from '../../lib/clock.ts'
import { InvoiceSchema, invoiceView } from '../invoices/invoice-view.ts'
import { listInvoices, openInvoices, requireInvoice } from '../invoices/invoices.ts'
import { readEntryPage } from '../ledger/accounts.ts'
import { EntrySchema } from '../ledger/http.ts'
import { entryView } from '../ledger/ledger-log.ts'
import { PAYMENT_OUTCOMES, type Payment } from '../payments/payment-table.ts'
import { listPayments, settleByHand } from '../payments/payments.ts'
import { DISPUTE_STATES, type Dispute, listDisputes } from '../payments/return-rows.ts'
import { isPeriod } from '../period.ts'
import { rollUpUsage } from '../usage/usage.ts'
import { usageExport } from '../usage/usage-report.ts'
import { billingView, standingView } from './account-view.ts'
import { BillingSchema, StandingSchema } from './http.ts'
import type { AccountDependencies } from './open-account.ts'
import { findOrganisations, type OrganisationOverview, organisationSearch } from './overview.ts'
import { addCredit, OPERATOR_WORD_NAMES, openWords, setOperatorWord, voidInvoice } from './subscription.ts'

/** Organisations on the operator's pages, and what the operator does to them: each act as the verb of the same name. */
export type OperatorDependencies = ChangeDependencies &
  AccountDependencies &
  Pick<OperationDependencies, 'onAccountChanged' | 'documents'>

const ROWS_MAX = 200
const MEMBERS_SHOWN = 200
const INVOICES_SHOWN = 50
const PAYMENTS_SHOWN = 50
const ENTRIES_SHOWN = 10
const ORGANISATION = '/api/operator/organisations/{organisation_id}'
const INVOICE = '/api/operator/invoices/{invoice_id}'

const Line = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[^\\u0000-\\u001f]*$' })

const OrganisationState = {
  ...texts('id', 'name'),
  state: oneOf(ORGANISATION_STATES),
  state_reason: StandingSchema.properties.reason,
}
const OrganisationRow = Type.Object(
  {
    ...OrganisationState,
    ...texts('plan', 'created_at'),
    ...counts('members', 'credit_pence'),
    overage_pence: Pence('Overage that is not settled.'),
    owed_pence: Pence('Sum of open invoices for services already given.'),
    erased_at: TextOrNull('When everything of it was erased.'),
  },
  { $id: 'OrganisationRow' },
)
const PaymentRow = Type.Object(
  {
    ...texts('id', 'reference', 'currency', 'received_at'),
    outcome: oneOf(PAYMENT_OUTCOMES),
    ...counts('amount_pence'),
    refunded_pence: Pence('Refunded to the payer.'),
    lost_pence: Pence('Lost in disputes.'),
    disputes: Type.Array(Type.Object({ ...texts('id'), state: oneOf(DISPUTE_STATES) })),
  },
  { $id: 'PaymentRow' },
)
const OneOrganisation = Type.Object(
  {
    ...OrganisationState,
    ...texts('created_at'),
    acts: Type.Array(oneOf(OPERATOR_WORD_NAMES, { $id: 'OperatorWord' }), {
      description: 'The actions that are possible now, named like the verbs of `assayd org`.',
    }),
    billing: BillingSchema,
    standing: StandingSchema,
    members: Type.Array(MemberSchema),
    invoices: Type.Array(InvoiceSchema),
    payments: Type.Array(PaymentRow, { description: 'The latest payments with their refunds and disputes.' }),
    ledger: Type.Array(EntrySchema, { description: 'The last entries, newest first.' }),
  },
  { $id: 'OneOrganisation' },
)
const Settled = Type.Object(
  {
    invoice: InvoiceSchema,
    outcome: oneOf(PAYMENT_OUTCOMES),
    ...counts('amount_pence'),
    repeated: Type.Boolean({ description: 'True if it was already settled; nothing changed.' }),
  },
  { $id: 'Settled' },
)

export function operatorPages(deps: OperatorDependencies): PageOperation[] {
  return [...reading(deps), ...acts(deps), ...invoiceActs(deps)]
}

function reading(deps: OperatorDependencies): PageOperation[] {
  return [
    pageOperation({
      name: 'GET /api/operator/organisations',
      access: 'operator',
      query: Type.Object({
        search: Type.Optional(Type.String({ maxLength: 200 })),
        state: Type.Optional(oneOf([...ORGANISATION_STATES, 'awaiting_approval'])),
      }),
      answer: Type.Object({ data: Type.Array(OrganisationRow), more: Type.Boolean() }),
      async handle({ query: { search = '', state }, who, reply }) {
        const query = {
          search: search.trim(),
          ...(state === 'awaiting_approval' ? { awaitingApproval: true } : { state }),
          limit: ROWS_MAX + 1,
        }
        const turn = turnOf({ caller: { organisationId: who.person.id }, reply })
        const onThread = async () => (await deps.documents.make(organisationSearch, query, turn)).head
        const rows = await findOrganisations(deps, query, query.search === '' ? undefined : onThread)
        return { data: rows.slice(0, ROWS_MAX).map(overviewOf), more: rows.length > ROWS_MAX }
      },
    }),
    pageOperation({
      name: `GET ${ORGANISATION}`,
      access: 'operator',
      answer: OneOrganisation,
      async handle({ params: { organisation_id: id } }) {
        await requireOrganisation(deps.sql, id)
        // First, since it brings the account to the current.
        const billing = await billingView(deps, id)
        const [organisation, standing, members, open, recent, payments, disputes, ledger] = await Promise.all([
          requireOrganisation(deps.sql, id),
          standingView(deps, id),
          listMembers(deps.sql, id, { limit: MEMBERS_SHOWN }),
          openInvoices(deps.sql, id),
          listInvoices(deps.sql, { organisationId: id, limit: INVOICES_SHOWN }),
          listPayments(deps.sql, { organisation_id: id }, PAYMENTS_SHOWN),
          listDisputes(deps.sql, { organisationId: id }, PAYMENTS_SHOWN),
          readEntryPage(deps.sql, { organisationId: id, limit: ENTRIES_SHOWN }),
        ])
        return {
          ...organisationOf(organisation),
          created_at: iso(organisation.created_at),
          acts: openWords(organisation),
          billing,
          standing,
          members: members.rows.map(memberView),
          // Invoices that need an action first, whatever their age.
          invoices: [...open, ...recent.rows.filter(({ state }) => state !== 'open')].map(invoiceView),
          payments: payments.map((payment) => paymentView(payment, disputes)),
          ledger: ledger.entries.map(entryView),
        }
      },
    }),
    pageOperation({
      name: `GET ${ORGANISATION}/usage/{month}`,
      access: 'operator',
      async handle({ params: { organisation_id: organisationId, month }, who, reply }) {
        await requireOrganisation(deps.sql, organisationId)
        if (!isPeriod(month)) throw new Problem('not_found', { detail: 'Write the month as 2026-10.' })
        await rollUpUsage(deps.sql, organisationId)
        const turn = turnOf({ caller: { organisationId: who.person.id }, reply })
        const { bytes } = await deps.documents.make(usageExport, { organisationId, month }, turn)
        return sendCsv(reply, `usage-${organisationId}-${month}.csv`, bytesOf(bytes))
      },
    }),
  ]
}

function acts(deps: OperatorDependencies): PageOperation[] {
  const after = ({ organisation_id: id }: { readonly organisation_id: string }) => deps.onAccountChanged(id)
  return [
    ...OPERATOR_WORD_NAMES.map((word) =>
      operatorChange(deps, {
        name: `POST ${ORGANISATION}/${word}`,
        body: NoFields,
        answer: Type.Object(OrganisationState),
        async handle(tx, { params, by }) {
          await setOperatorWord(tx, deps, by(params.organisation_id), word)
          return organisationOf(await requireOrganisation(tx, params.organisation_id))
        },
        after,
      }),
    ),
    operatorChange(deps, {
      name: `POST ${ORGANISATION}/credit`,
      body: closed({ pence: Type.Integer(), reason: Line(500) }),
      answer: Type.Object(counts('credit_pence')),
      async handle(tx, { params, body, by }) {
        const { account } = await addCredit(tx, deps, by(params.organisation_id), body)
        return { credit_pence: account.includedPence + account.prepaidPence }
      },
      after,
    }),
  ]
}

function invoiceActs(deps: OperatorDependencies): PageOperation[] {
  const after = async ({ invoice_id: id }: { readonly invoice_id: string }) =>
    deps.onAccountChanged((await requireInvoice(deps.sql, id)).organisation_id)
  return [
    operatorChange(deps, {
      name: `POST ${INVOICE}/settle`,
      body: closed({ reference: Type.Optional(Line(200)) }),
      answer: Settled,
      async handle(tx, { params, body, by }) {
        const invoice = await requireInvoice(tx, params.invoice_id)
        const actor = by(invoice.organisation_id)
        const receipt = await settleByHand(tx, deps, actor, { invoice, reference: body.reference ?? null })
        const { outcome, amount_pence } = receipt.payment
        return { invoice: invoiceView(receipt.invoice ?? invoice), outcome, amount_pence, repeated: receipt.repeated }
      },
      after,
    }),
    operatorChange(deps, {
      name: `POST ${INVOICE}/void`,
      body: NoFields,
      answer: Type.Object({ invoice: InvoiceSchema }),
      async handle(tx, { params, by }) {
        const invoice = await requireInvoice(tx, params.invoice_id)
        return { invoice: invoiceView(await voidInvoice(tx, deps, by(invoice.organisation_id), invoice)) }
      },
      after,
    }),
  ]
}

function paymentView(payment: Payment, disputes: readonly Dispute[]) {
  const { provider, reference } = payment
  const own = disputes.filter((one) => one.provider === provider && one.reference === reference)
  const sums = shown(payment, 'currency', 'outcome', 'amount_pence', 'refunded_pence', 'lost_pence')
  return {
    ...shown(payment, 'id', 'reference', 'received_at'),
    ...sums,
    disputes: own.map((one) => ({ id: one.id, state: one.state })),
  }
}

const organisationOf = ({ id, name, state, state_reason }: Organisation) => ({ id, name, state, state_reason })

const overviewOf = ({ organisation, account, members, owedPence }: OrganisationOverview) => ({
  ...organisationOf(organisation),
  plan: account.planId,
  credit_pence: account.includedPence + account.prepaidPence,
  overage_pence: account.overagePence,
  owed_pence: owedPence,
  members,
  created_at: iso(organisation.created_at),
  erased_at: isoOrNull(organisation.erased_at),
})
