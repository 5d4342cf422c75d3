import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { changeIn } from '../../db/sql.ts'
import { conflict } from '../../errors.ts'
import { type Context, change, type Operation, oneOf, operation } from '../../http/operation.ts'
import {
  closed,
  flags,
  orNull,
  type PageOperation,
  pageOperation,
  texts,
  textsOrNull,
} from '../../http/page-operation.ts'
import { AcceptTerms, jsonResponse, NewPassword, named, Pence, TextLike } from '../../http/schema.ts'
import { checkedName } from '../../identity/organisation/organisations.ts'
import { checkedPassword } from '../../identity/people/password-choice.ts'
import { hashPassword } from '../../identity/people/passwords.ts'
import { checkedEmail, normaliseSignInEmail } from '../../identity/people/people.ts'
import { mailSignUpAgain } from '../../identity/people/sign-ups.ts'
import { requireAccepted } from '../../identity/people/terms.ts'
import { refuseWait, requireAttemptFrom, takeAttempt } from '../../identity/people/throttle.ts'
import { iso, periodOf } from '../../lib/clock.ts'
import { sha256Hex } from '../../lib/hashing.ts'
import { invoiceName } from '../../lib/money-text.ts'
import { type AttemptLimit, LIMITS } from '../../limits.ts'
import type { BillingDependencies } from '../dependencies.ts'
import { findInvoice, type Invoice } from '../invoices/invoices.ts'
import { HowToPaySchema, howToPay, PaymentSchema, startPayment } from '../payments/http.ts'
import { periodEndMs } from '../period.ts'
import { takesMoney } from '../settings.ts'
import { TopUpPence } from '../subscription/http.ts'
import { applyDueChanges } from '../subscription/open-account.ts'
import { offeredPlans } from '../subscription/subscription.ts'
import { type Checkout, checkoutState, claimCheckout, findCheckout } from './checkout.ts'
import { beginCheckout, requireSignUp } from './sign-up.ts'

/** Signing up: public, so the buyer's token is the credential. */

const CheckoutSchema = named('Checkout', {
  id: TextLike('cko_5TgBnHyUjMkIlOpQaZwS'),
  state: oneOf(['pending', 'complete'], {
    description: 'pending: the first invoice is unpaid, or the operator must approve the account.',
  }),
  organisation_id: TextLike('org_0Fv3kQ2mXb7TzR1yLw9c'),
  plan: TextLike('growth'),
  amount_due_pence: Pence('State of the first invoice.', 9900),
  key_shown: Type.Boolean({ description: 'True if the key was already requested.' }),
})
const sampleToken = '1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUv'
const ClaimToken = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The token from the response that started the checkout.',
})
const claiming = { scope: 'public', body: closed({ claim_token: ClaimToken }, { claim_token: sampleToken }) } as const
interface Claiming extends Pick<Context<never, unknown, unknown>, 'request' | 'reply'> {
  readonly params: { readonly checkout_id: string }
  readonly body: { readonly claim_token: string }
}

const TOO_MANY = 'Too many requests came from here.'

export function checkoutOperations(deps: BillingDependencies): Operation[] {
  const throttle = ({ ip }: FastifyRequest, name: string, limit: AttemptLimit) =>
    requireAttemptFrom(deps, name, ip, limit, TOO_MANY)
  const ownCheckout = async ({ request, reply, params, body }: Claiming): Promise<Checkout> => {
    reply.header('cache-control', 'no-store')
    await throttle(request, 'checkout look', LIMITS.attempts.checkoutLooks)
    const found = await findCheckout(deps.sql, params.checkout_id, body.claim_token)
    await applyDueChanges(deps, found.organisation_id)
    return findCheckout(deps.sql, params.checkout_id, body.claim_token)
  }
  const openInvoice = async (context: Claiming): Promise<Invoice> => {
    const { invoice_id: id } = await ownCheckout(context)
    const invoice = id === null ? undefined : await findInvoice(deps.sql, id)
    if (invoice?.state !== 'open') throw conflict('There is nothing to pay.')
    return invoice
  }
  return [
    change({
      name: 'POST /v1/checkout',
      id: 'checkOut',
      summary: 'Subscribe: create an organisation, its owner and its subscription',
      description:
        'Public. The response contains a token that is shown only once. With it the page starts the payment, follows the state, and requests the API key, once.',
      scope: 'public',
      body: closed(
        {
          organisation_name: Type.String({ minLength: 1, maxLength: 200 }),
          name: Type.String({
            minLength: 1,
            maxLength: 200,
            description: 'Name of the person, who becomes the owner.',
          }),
          email: Type.String({ minLength: 3, maxLength: 254, description: 'Email address for signing in.' }),
          password: NewPassword,
          plan: Type.String({ minLength: 1, maxLength: 32 }),
          top_up_pence: Type.Optional(
            Type.Integer({
              ...TopUpPence,
              description: 'Prepaid credit to buy at checkout, on plans without a price.',
            }),
          ),
          accept_terms: AcceptTerms,
        },
        {
          organisation_name: 'Example Ltd',
          name: 'Jane Doe',
          email: 'jane@company.example',
          password: 'a long pass phrase',
          plan: 'growth',
          accept_terms: true,
        },
      ),
      answers: {
        201: jsonResponse(
          'The checkout; complete immediately if nothing has to be paid first.',
          named('NewCheckout', {
            ...CheckoutSchema.properties,
            claim_token: TextLike(sampleToken, 'Shown only once.'),
            confirm_email: Type.Boolean({
              description:
                'True if the server sends mail: the owner can sign in after opening the mailed link. The response is the same for an address that already has an account; then the link adds the organisation to that account.',
            }),
          }),
        ),
      },
      problems: ['forbidden', 'conflict', 'rate_limited', 'store_unavailable'],
      // Scoped to the buyer's address, so that two strangers with the same key do not collide.
      repeater: ({ body }) => `checkout ${sha256Hex(normaliseSignInEmail(body.email))}`,
      prepare: async ({ body, request, reply }) => {
        reply.header('cache-control', 'no-store')
        requireAccepted(deps.settings.terms, body.accept_terms)
        requireSignUp(deps, { planId: body.plan, topUpPence: body.top_up_pence ?? 0 })
        checkedEmail(body.email)
        checkedName(body.organisation_name, '/organisation_name')
        checkedName(body.name)
        checkedPassword(body.password, { ...body, organisation: body.organisation_name })
        await throttle(request, 'checkout', LIMITS.attempts.signUpsPerAddress)
        const { waitMs } = await takeAttempt(deps.sql, 'checkouts in all', LIMITS.attempts.signUps, deps.clock.now())
        refuseWait(waitMs, 'Too many people are signing up at the same time.')
        return hashPassword(body.password)
      },
      handle: async (tx, { body, request, prepared: passwordHash }) => {
        const confirmsEmail = deps.sendsMail === true
        const signUp = {
          organisationName: body.organisation_name,
          owner: { email: body.email, name: body.name, passwordHash },
          planId: body.plan,
          topUpPence: body.top_up_pence ?? 0,
          from: { ip: request.ip, requestId: request.id },
        }
        const { checkoutId, claimToken } = await beginCheckout(tx, deps, signUp, confirmsEmail ? deps : undefined)
        const view = checkoutView(await findCheckout(tx, checkoutId, claimToken))
        return { status: 201, body: { ...view, claim_token: claimToken, confirm_email: confirmsEmail } }
      },
    }),

    operation({
      name: 'POST /v1/checkout/{checkout_id}/state',
      id: 'readCheckout',
      summary: 'Read the state of a checkout',
      description: 'Public: the token is the credential.',
      ...claiming,
      answers: { 200: jsonResponse('The current state.', CheckoutSchema) },
      problems: ['not_found', 'rate_limited', 'store_unavailable'],
      handle: async (context) => checkoutView(await ownCheckout(context)),
    }),

    operation({
      name: 'POST /v1/checkout/{checkout_id}/payment',
      id: 'payCheckout',
      summary: 'Start paying the first invoice',
      description: 'Public: the token is the credential. A repeated request returns the same page.',
      ...claiming,
      answers: { 200: jsonResponse('The payment page.', PaymentSchema) },
      problems: ['not_found', 'conflict', 'payment_unavailable', 'rate_limited', 'store_unavailable'],
      handle: async (context) => {
        const invoice = await openInvoice(context)
        const page = `${deps.baseUrl}/checkout?checkout=${context.params.checkout_id}`
        return startPayment(deps, invoice, {
          description: invoice.lines[0]?.description ?? `Invoice ${invoiceName(invoice.number)}`,
          returnUrl: page,
          cancelUrl: `${page}&cancelled=true`,
        })
      },
    }),

    operation({
      name: 'POST /v1/checkout/{checkout_id}/how-to-pay',
      id: 'howToPayCheckout',
      summary: 'Read how to pay the first invoice',
      description: 'Public: the token is the credential.',
      ...claiming,
      answers: { 200: jsonResponse('How to pay.', HowToPaySchema) },
      problems: ['not_found', 'conflict', 'rate_limited', 'store_unavailable'],
      handle: async (context) => howToPay(deps, await openInvoice(context)),
    }),

    change({
      name: 'POST /v1/checkout/{checkout_id}/claim',
      id: 'claimKey',
      summary: 'Read the API key of a checkout, once',
      description: 'Public: the token is the credential. For complete checkouts only; a second request gets 409.',
      ...claiming,
      answers: {
        200: jsonResponse(
          'The key, shown only once.',
          named('ClaimedKey', {
            organisation_id: CheckoutSchema.properties.organisation_id,
            key_id: TextLike('key_9aBcDeFgHiJkLmNoPqRs'),
            api_key: TextLike('ask_<32 characters and a checksum, shown once>', 'Shown only once.'),
            curl: TextLike(firstRequest('http://localhost:8080', 'ask_…'), 'A first request to try.'),
          }),
        ),
      },
      problems: ['not_found', 'conflict', 'rate_limited', 'store_unavailable'],
      repeater: ({ params }) => `checkout ${params.checkout_id}`,
      prepare: ownCheckout,
      handle: async (tx, { request, params, body }) => {
        const from = { ip: request.ip, requestId: request.id }
        const which = { id: params.checkout_id, claimToken: body.claim_token }
        const { organisationId, keyId, secret } = await claimCheckout(tx, which, from)
        const curl = firstRequest(deps.baseUrl, secret)
        return { status: 200, body: { organisation_id: organisationId, key_id: keyId, api_key: secret, curl } }
      },
    }),
  ]
}

const firstRequest = (baseUrl: string, apiKey: string) =>
  `curl -s ${baseUrl}/v1/payment-risk -H 'x-api-key: ${apiKey}' -H 'content-type: application/json' -d '{"email":"accounts@paypa1-login.com"}'`

function checkoutView(checkout: Checkout) {
  return {
    id: checkout.id,
    state: checkoutState(checkout),
    organisation_id: checkout.organisation_id,
    plan: checkout.plan_id,
    amount_due_pence: checkout.total_pence ?? 0,
    key_shown: checkout.claimed_at !== null,
  }
}

const OfferSchema = Type.Object(
  {
    sign_up: oneOf(['open', 'approval', 'closed']),
    plans: Type.Array(Type.String()),
    ...flags('by_card', 'begins_unpaid'),
    sells: Type.Boolean({ description: 'False while the operator has set up no way to pay: then nothing is sold.' }),
    ...textsOrNull('contact', 'privacy_url'),
    terms: orNull(Type.Object(texts('url', 'version')), { description: 'The terms to accept; null: none.' }),
    next_month_at: Type.String(),
    free_tries: Type.Integer({ description: 'Free checks a day on the front page; 0 for none.' }),
  },
  {
    $id: 'Offer',
    description: 'The sign-up rules: who may sign up, the plans, the terms, when and how plans are paid.',
  },
)

/** Sign-up mode, offered plans and ways to pay, for the pages that strangers see; the mail of a sign-up once more. */
export function offerPages(
  deps: Pick<BillingDependencies, 'plans' | 'settings' | 'payments' | 'sql' | 'clock' | 'ring' | 'baseUrl'>,
): PageOperation[] {
  const rules = { ...deps, provider: deps.payments.name }
  const { settings } = deps
  return [
    pageOperation({
      name: 'GET /api/sign-up',
      access: 'anybody',
      answer: OfferSchema,
      cached: 'public, max-age=300',
      handle: async () => ({
        sign_up: settings.signUp,
        plans: offeredPlans(rules).map(({ id }) => id),
        by_card: rules.provider !== 'invoice',
        sells: takesMoney(rules),
        begins_unpaid: settings.creditBeforePaymentPence > 0,
        contact: settings.contact,
        next_month_at: iso(periodEndMs(periodOf(deps.clock.now()))),
        free_tries: settings.freeTries,
        terms: settings.terms,
        privacy_url: settings.privacyUrl,
      }),
    }),
    pageOperation({
      name: 'POST /api/sign-up/{checkout_id}/mail',
      access: 'anybody',
      body: closed({ claim_token: ClaimToken, email: Type.Optional(Type.String({ minLength: 3, maxLength: 254 })) }),
      status: 202,
      answer: Type.Object(texts('email')),
      async handle({ request, params: { checkout_id: id }, body: { claim_token, email } }) {
        const { sql, clock } = deps
        const look = LIMITS.attempts.checkoutLooks
        await requireAttemptFrom(deps, 'checkout look', request.ip, look, TOO_MANY)
        const { organisation_id } = await findCheckout(sql, id, claim_token)
        const { waitMs } = await takeAttempt(sql, `sign-up mail ${id}`, LIMITS.attempts.signUpMails, clock.now())
        refuseWait(waitMs, 'Too many mails were sent for this sign-up.')
        return changeIn(sql, clock, (tx) => mailSignUpAgain(tx, deps, organisation_id, email))
      },
    }),
  ]
}
