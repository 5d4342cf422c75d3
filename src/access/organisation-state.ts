/** `disabled`: by the operator. `inactive`: not subscribed, not paid, or not approved yet. */
export const ORGANISATION_STATES = ['active', 'disabled', 'inactive'] as const
export type OrganisationState = (typeof ORGANISATION_STATES)[number]

/** Why an organisation is not served, and what to do about it. The 403, the console and the operator's list show it. */
export const STATE_REASONS = {
  disabled: 'The operator has disabled this account. Contact the operator.',
  awaiting_approval: 'The operator has not approved this account yet. Wait for the approval, or contact the operator.',
  overdue: 'An invoice is overdue. Pay it to go on: GET /v1/billing/invoices?state=open, or Billing in the console.',
  disputed: 'A payment of this account is disputed with the bank. Settle the dispute, or contact the operator.',
  deactivated: 'The operator has ended the subscription. Choose a plan to go on, or contact the operator.',
  ended:
    'The subscription has ended. Choose a plan to go on: POST /v1/billing/subscription, or Billing in the console.',
  first_payment:
    'The first invoice is not paid yet. Pay it to start: GET /v1/billing/invoices?state=open, or Billing in the console.',
} as const
export type StateReason = keyof typeof STATE_REASONS
