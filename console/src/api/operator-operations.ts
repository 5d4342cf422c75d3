import type { Operations } from '@assay/sdk'
import type { Status } from './status.ts'

/** What the operator of the server sees of an organisation, and does to it. */

type Answer<Name extends keyof Operations> = Operations[Name]['response']
type Standing = Answer<'GET /v1/billing/standing'>
type Invoice = Answer<'GET /v1/billing/invoices'>['data'][number]

/** The operator's words about an organisation, as the verbs of `assayd org`. */
export type OperatorWord = 'disable' | 'enable' | 'deactivate' | 'activate' | 'approve'

interface OrganisationState {
  readonly id: string
  readonly name: string
  readonly state: Standing['state']
  /** Why it is not active. */
  readonly state_reason: Standing['reason']
}

export interface OrganisationRow extends OrganisationState {
  readonly plan: string
  readonly credit_pence: number
  /** Used beyond the credit and not settled. */
  readonly overage_pence: number
  /** Of open invoices for what was given already. */
  readonly owed_pence: number
  readonly members: number
  readonly created_at: string
}

export interface OneOrganisation extends OrganisationState {
  readonly created_at: string
  /** The words that would change something now. */
  readonly acts: readonly OperatorWord[]
  readonly billing: Answer<'GET /v1/billing'>
  readonly standing: Standing
  readonly members: Answer<'GET /v1/organisation/members'>['data']
  readonly invoices: readonly Invoice[]
  /** The last entries, newest first. */
  readonly ledger: Answer<'GET /v1/billing/ledger'>['data']
}

export interface Settled {
  readonly invoice: Invoice
  readonly outcome: 'settled' | 'credited' | 'unmatched'
  readonly amount_pence: number
  /** It was settled before; nothing changed. */
  readonly repeated: boolean
}

type OfOrganisation = { readonly organisation_id: string }
type OfInvoice = { readonly invoice_id: string }

interface Operation<Path, Query, Body, Response> {
  path: Path
  query: Query
  body: Body
  response: Response
}
type Nothing = Record<never, never>
type Act<Path, Body, Response> = Operation<Path, Nothing, Body, Response>

export type OperatorOperations = {
  'GET /api/operator/organisations': Operation<
    unknown,
    { readonly search?: string; readonly state?: StateFilter },
    undefined,
    { readonly data: readonly OrganisationRow[]; readonly more: boolean }
  >
  'GET /api/operator/status': Operation<unknown, Nothing, undefined, Status>
  'GET /api/operator/organisations/{organisation_id}': Operation<OfOrganisation, Nothing, undefined, OneOrganisation>
  'POST /api/operator/organisations/{organisation_id}/credit': Act<
    OfOrganisation,
    { readonly pence: number; readonly reason: string },
    { readonly credit_pence: number }
  >
  'POST /api/operator/invoices/{invoice_id}/settle': Act<OfInvoice, { readonly reference?: string }, Settled>
  'POST /api/operator/invoices/{invoice_id}/void': Act<OfInvoice, Nothing, { readonly invoice: Invoice }>
  'POST /api/operator/people/{person_id}/reset-password': Act<
    { readonly person_id: string },
    Nothing,
    { readonly id: string; readonly email: string; readonly password: string }
  >
} & {
  [Word in OperatorWord as `POST /api/operator/organisations/{organisation_id}/${Word}`]: Act<
    OfOrganisation,
    Nothing,
    OrganisationState
  >
}

export const STATE_FILTERS = {
  active: 'Active',
  inactive: 'Inactive',
  disabled: 'Disabled',
  awaiting_approval: 'Waiting for approval',
} as const
export type StateFilter = keyof typeof STATE_FILTERS
