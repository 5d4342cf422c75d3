/**
 * New organisations: by sign-up, by the operator, and the one of a first start. All of it is made in one transaction.
 */
import { type Actor, operatorIn, systemIn, themselvesIn } from '../../access/actor.ts'
import type { Tx } from '../../db/sql.ts'
import { forbidden, Problem } from '../../errors.ts'
import { audit } from '../../identity/audit.ts'
import { createKey } from '../../identity/keys/keys.ts'
import { admit } from '../../identity/members/members.ts'
import { createOrganisation, type Organisation } from '../../identity/organisation/organisations.ts'
import type { LinkMaker } from '../../identity/people/links.ts'
import { checkedEmail, createPerson } from '../../identity/people/people.ts'
import { putSignUp } from '../../identity/people/sign-ups.ts'
import type { BillingRules } from '../subscription/open-account.ts'
import {
  addCredit,
  openAccount,
  requireMoney,
  requireOffered,
  requirePlan,
  signUp,
} from '../subscription/subscription.ts'
import { createCheckout } from './checkout.ts'

export interface NewOwner {
  readonly email: string
  readonly name: string
  readonly passwordHash: string
}

/** The operator sets up an organisation with its account, its first key and, optionally, credit and an owner. */
export async function arrangeOrganisation(
  tx: Tx,
  rules: BillingRules,
  input: {
    readonly name: string
    readonly planId: string
    readonly creditPence?: number
    readonly keyName?: string
    readonly owner?: NewOwner
  },
): Promise<{ organisation: Organisation; actor: Actor; apiKey: string; keyId: string }> {
  const organisation = await createOrganisation(tx, { name: input.name, awaitingApproval: false })
  const { id: organisationId } = organisation
  const actor = operatorIn(organisationId)
  await openAccount(tx, rules, { organisationId, planId: input.planId })
  await audit(tx, actor, 'organisation.create', organisationId, { name: organisation.name, plan: input.planId })
  if (input.creditPence) await addCredit(tx, rules, actor, { pence: input.creditPence, reason: 'opening credit' })
  const made = await createKey(tx, actor, { name: input.keyName ?? 'first key', expiresAtMs: null })
  if (input.owner) {
    const person = await createPerson(tx, { ...input.owner, emailVerified: false })
    await admit(tx, actor, { personId: person.id, role: 'owner' })
  }
  return { organisation, actor, apiKey: made.secret, keyId: made.key.id }
}

export interface SignUp {
  readonly organisationName: string
  readonly owner: NewOwner
  readonly planId: string
  /** Prepaid credit bought with it, on plans without a price. */
  readonly topUpPence: number
  readonly from: { readonly ip: string; readonly requestId: string }
}

export function requireSignUp(rules: BillingRules, input: Pick<SignUp, 'planId' | 'topUpPence'>): void {
  if (rules.settings.signUp === 'closed') throw forbidden('Sign-up is closed here. Ask the operator for an account.')
  const plan = requirePlan(rules, input.planId)
  requireOffered(rules, undefined, plan)
  if (input.topUpPence > 0) requireMoney(rules, 'Credit cannot be bought here yet.')
  if (input.topUpPence > 0 && plan.monthly_price_pence > 0) {
    throw new Problem('validation_failed', {
      detail: 'Credit is bought at checkout on plans without a monthly price. Subscribe first, then top up.',
      errors: [{ pointer: '/top_up_pence', code: 'invalid', detail: 'The plan has a monthly price.' }],
    })
  }
}

/**
 * Somebody signs up: organisation, owner, account, subscription and its first invoice. With `mail` the owner is attached
 * when they open the link that is sent to them: until then nobody learns whether the address has an account.
 */
export async function beginCheckout(tx: Tx, rules: BillingRules, input: SignUp, mail?: LinkMaker) {
  requireSignUp(rules, input)
  const awaitingApproval = rules.settings.signUp === 'approval'
  const organisation = await createOrganisation(tx, {
    name: input.organisationName,
    awaitingApproval,
    unconfirmed: mail !== undefined,
  })
  const { id: organisationId } = organisation
  const person = mail ? undefined : await createPerson(tx, { ...input.owner, emailVerified: false })
  const actor = person
    ? themselvesIn(organisationId, { id: person.id, ...input.from })
    : systemIn(organisationId, { id: 'checkout', ...input.from })
  await audit(tx, actor, 'organisation.create', organisationId, { name: organisation.name, plan: input.planId })
  if (person) await admit(tx, actor, { personId: person.id, role: 'owner' })
  if (mail) await putSignUp(tx, mail, { ...input.owner, email: checkedEmail(input.owner.email), organisation })
  const { planId, topUpPence } = input
  const invoice = await signUp(tx, rules, { organisationId, planId, topUpPence })
  const { id, claimToken } = await createCheckout(tx, {
    organisationId,
    personId: person?.id ?? null,
    invoiceId: invoice?.id ?? null,
  })
  const { terms } = rules.settings
  await audit(tx, actor, 'checkout.complete', id, { plan: input.planId, ...(terms && { terms_accepted: terms }) })
  return { checkoutId: id, claimToken, organisationId, invoice }
}
