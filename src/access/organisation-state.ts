/** `disabled`: by the operator. `inactive`: not subscribed, not paid, or not approved yet. */
export const ORGANISATION_STATES = ['active', 'disabled', 'inactive'] as const
export type OrganisationState = (typeof ORGANISATION_STATES)[number]

/** Why an organisation is not served, and what to do: for the API, the console and the operator. */
export const STATE_REASONS = {
  disabled: 'The operator has disabled this account. Contact the operator.',
  awaiting_approval: 'The operator has not approved this account yet. Wait for the approval, or contact the operator.',
  overdue: 'An invoice is overdue. Pay it to continue.',
  disputed: 'A payment of this account is disputed with the bank. Settle the dispute, or contact the operator.',
  deactivated: 'The operator has ended the subscription. Choose a plan to continue, or contact the operator.',
  ended: 'The subscription has ended. Choose a plan to continue.',
  first_payment: 'The first invoice is not paid yet. Pay it to start.',
} as const
export type StateReason = keyof typeof STATE_REASONS

/** The error text for a refused caller, who may be a person in the console. */
export function inactiveWords(reason: StateReason | null): string {
  return `${STATE_REASONS[reason ?? 'ended']} See Usage and billing in the console.`
}
