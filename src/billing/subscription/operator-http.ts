import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { ORGANISATION_STATES } from '../../access/organisation-state.ts'
import { oneOf } from '../../http/operation.ts'
import { listMembers } from '../../identity/members/members.ts'
import { type Organisation, requireOrganisation } from '../../identity/organisation/organisations.ts'
import {
  NoBody,
  type OperatorDependencies as OperatorSession,
  operatorChange,
  operatorRead,
} from '../../identity/people/operator-http.ts'
import { iso } from '../../lib/time-text.ts'
import { invoiceView } from '../invoices/invoice-view.ts'
import { listInvoices, openInvoices, requireInvoice } from '../invoices/invoices.ts'
import { readEntryPage } from '../ledger/entries.ts'
import { entryView } from '../ledger/entry-view.ts'
import { settleByHand } from '../payments/payments.ts'
import { billingView, standingView } from './account-view.ts'
import { findOrganisations, type OrganisationOverview } from './overview.ts'
import type { PresentDependencies } from './present.ts'
import { addCredit, OPERATOR_WORD_NAMES, openWords, setOperatorWord, voidInvoice } from './subscription.ts'

/** Organisations on the operator's pages, and what the operator does to them: each act as the verb of the same name. */
export interface OperatorDependencies extends OperatorSession, PresentDependencies {
  /** Told after a commit that may have changed whether an organisation is served. */
  readonly onAccountChanged: (organisationId: string) => Promise<void>
}

const ROWS_MAX = 200
const MEMBERS_SHOWN = 200
const INVOICES_SHOWN = 50
const ENTRIES_SHOWN = 10
const ORGANISATION = '/api/operator/organisations/:organisation_id'
const INVOICE = '/api/operator/invoices/:invoice_id'

/** One line as somebody types it. */
const Line = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[^\\u0000-\\u001f]*$' })

export function registerOperatorRoutes(app: FastifyInstance, deps: OperatorDependencies): void {
  registerReading(app, deps)
  registerActs(app, deps)
  registerInvoiceActs(app, deps)
}

function registerReading(app: FastifyInstance, deps: OperatorDependencies): void {
  operatorRead(app, deps, {
    path: '/api/operator/organisations',
    query: Type.Object({
      search: Type.Optional(Type.String({ maxLength: 200 })),
      state: Type.Optional(oneOf([...ORGANISATION_STATES, 'awaiting_approval'])),
    }),
    async handle(_, { search = '', state }) {
      const rows = await findOrganisations(deps, {
        search: search.trim(),
        ...(state === 'awaiting_approval' ? { awaitingApproval: true } : { state }),
        limit: ROWS_MAX + 1,
      })
      return { data: rows.slice(0, ROWS_MAX).map(overviewOf), more: rows.length > ROWS_MAX }
    },
  })

  const none = Type.Object({})
  operatorRead<typeof none, 'organisation_id'>(app, deps, {
    path: ORGANISATION,
    query: none,
    async handle({ organisation_id: id }) {
      await requireOrganisation(deps.sql, id)
      // First, since it brings the account to the present.
      const billing = await billingView(deps, id)
      const [organisation, standing, members, open, recent, ledger] = await Promise.all([
        requireOrganisation(deps.sql, id),
        standingView(deps, id),
        listMembers(deps.sql, id, { limit: MEMBERS_SHOWN }),
        openInvoices(deps.sql, id),
        listInvoices(deps.sql, { organisationId: id, limit: INVOICES_SHOWN }),
        readEntryPage(deps.sql, { organisationId: id, limit: ENTRIES_SHOWN }),
      ])
      return {
        ...organisationOf(organisation),
        created_at: iso(organisation.created_at),
        acts: openWords(organisation),
        billing,
        standing,
        members: members.rows.map(({ id: person, name, email, role, state, created_at }) => ({
          id: person,
          name,
          email,
          role,
          state,
          joined_at: iso(created_at),
        })),
        // What can be acted on first, however old it is.
        invoices: [...open, ...recent.rows.filter(({ state }) => state !== 'open')].map(invoiceView),
        ledger: ledger.entries.map(entryView),
      }
    },
  })
}

function registerActs(app: FastifyInstance, deps: OperatorDependencies): void {
  const after = ({ organisation_id: id }: { readonly organisation_id: string }) => deps.onAccountChanged(id)
  for (const word of OPERATOR_WORD_NAMES) {
    operatorChange<typeof NoBody, 'organisation_id'>(app, deps, {
      path: `${ORGANISATION}/${word}`,
      body: NoBody,
      async handle(tx, { params, by }) {
        await setOperatorWord(tx, deps, by(params.organisation_id), word)
        return { status: 200, body: organisationOf(await requireOrganisation(tx, params.organisation_id)) }
      },
      after,
    })
  }

  const Credit = Type.Object({ pence: Type.Integer(), reason: Line(500) }, { additionalProperties: false })
  operatorChange<typeof Credit, 'organisation_id'>(app, deps, {
    path: `${ORGANISATION}/credit`,
    body: Credit,
    async handle(tx, { params, body, by }) {
      const { account } = await addCredit(tx, deps, by(params.organisation_id), body)
      return { status: 200, body: { credit_pence: account.includedPence + account.prepaidPence } }
    },
    after,
  })
}

function registerInvoiceActs(app: FastifyInstance, deps: OperatorDependencies): void {
  const Settling = Type.Object({ reference: Type.Optional(Line(200)) }, { additionalProperties: false })
  const after = async ({ invoice_id: id }: { readonly invoice_id: string }) =>
    deps.onAccountChanged((await requireInvoice(deps.sql, id)).organisation_id)
  operatorChange<typeof Settling, 'invoice_id'>(app, deps, {
    path: `${INVOICE}/settle`,
    body: Settling,
    async handle(tx, { params, body, by }) {
      const invoice = await requireInvoice(tx, params.invoice_id)
      const actor = by(invoice.organisation_id)
      const receipt = await settleByHand(tx, deps, actor, { invoice, reference: body.reference ?? null })
      const { outcome, amount_pence } = receipt.payment
      return {
        status: 200,
        body: {
          invoice: invoiceView(receipt.invoice ?? invoice),
          outcome,
          amount_pence,
          repeated: receipt.repeated,
        },
      }
    },
    after,
  })
  operatorChange<typeof NoBody, 'invoice_id'>(app, deps, {
    path: `${INVOICE}/void`,
    body: NoBody,
    async handle(tx, { params, by }) {
      const invoice = await requireInvoice(tx, params.invoice_id)
      const voided = await voidInvoice(tx, deps, by(invoice.organisation_id), invoice)
      return { status: 200, body: { invoice: invoiceView(voided) } }
    },
    after,
  })
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
})
