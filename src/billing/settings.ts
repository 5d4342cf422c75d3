import type { Terms } from '../identity/people/terms.ts'
import { type Plans, PlansError } from './plans.ts'

export interface BillingSettings {
  /** Who may sign up: anybody, anybody with the operator's approval, or nobody. */
  readonly signUp: 'open' | 'approval' | 'closed'
  /** Ids of the plans that customers may choose themselves; the operator may set any. */
  readonly signUpPlans: readonly string[] | 'all'
  /** The terms that a newcomer must accept; null: none. */
  readonly terms: Terms | null
  readonly privacyUrl: string | null
  /** Included credit given before a customer's first payment; 0: a paid plan begins when its invoice is paid. */
  readonly creditBeforePaymentPence: number
  readonly issuer: { readonly name: string; readonly address: string; readonly taxId: string | null }
  /** How an invoice is paid without a card: bank details as the operator wrote them; null where there are none. */
  readonly paymentInstructions: string | null
  /** How customers reach the operator; null where they are not told. */
  readonly contact: string | null
  /** Free checks a day of a visitor of the front page; 0 for none. */
  readonly freeTries: number
  /** Days between the request to erase a person or an organisation and the erasure. */
  readonly erasureDays: number
  /** Years for which the invoices of an erased organisation are kept. */
  readonly invoicesKeptYears: number
  /** False while the server is tried out: then everything is offered, and nobody is expected to pay. */
  readonly production: boolean
}

export const DEFAULT_SETTINGS: BillingSettings = {
  signUp: 'open',
  signUpPlans: 'all',
  terms: null,
  privacyUrl: null,
  creditBeforePaymentPence: 0,
  issuer: { name: 'The operator of this server', address: '', taxId: null },
  paymentInstructions: null,
  contact: null,
  freeTries: 0,
  erasureDays: 7,
  invoicesKeptYears: 10,
  production: false,
}

export const instructionsOf = ({ paymentInstructions, contact }: BillingSettings): string | null =>
  paymentInstructions ?? (contact === null ? null : `Ask ${contact} how to pay.`)

export const NO_PAYMENT_WORDS =
  'The operator has set up no way to pay: card payment, ASSAY_PAYMENT_INSTRUCTIONS or ASSAY_CONTACT.'

/** True if customers can learn how to pay. Otherwise nothing that costs money is sold in production. */
export const takesMoney = ({ settings, provider }: { readonly settings: BillingSettings; readonly provider: string }) =>
  !settings.production || provider !== 'invoice' || instructionsOf(settings) !== null

/** A misspelt plan would silently exclude customers, so the server refuses to start. */
export function refuseUnknownSignUpPlans(settings: Pick<BillingSettings, 'signUpPlans'>, plans: Plans): void {
  if (settings.signUpPlans === 'all') return
  const unknown = settings.signUpPlans.filter((id) => !plans.has(id))
  if (unknown.length === 0) return
  const names = unknown.map((id) => JSON.stringify(id)).join(' or ')
  throw new PlansError(`ASSAY_SIGN_UP_PLANS: there is no plan ${names}; the plans are: ${[...plans.keys()].join(', ')}`)
}
