import Type from 'typebox'
import { CHANGE_PROBLEMS, ChangeHeaders, jsonResponse, problemResponses, REPLAYED_HEADER } from '../../http/schema.ts'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../../identity/passwords.ts'
import { PaymentSchema } from '../schema.ts'

/** Signing up: public, so the buyer's token is the credential. */

const COMMON = ['rate_limited', 'internal', 'store_unavailable', 'shutting_down'] as const
const State = Type.String({
  enum: ['pending', 'complete'],
  description: 'pending: the first invoice waits to be paid.',
})
const claimToken = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'From the answer that began the checkout.',
})
const params = Type.Object({ checkout_id: Type.String({ description: 'Id of the checkout.' }) })

export const CheckoutBody = Type.Object(
  {
    organisation_name: Type.String({ minLength: 1, maxLength: 200 }),
    name: Type.String({ minLength: 1, maxLength: 200, description: 'Of the person, who becomes its owner.' }),
    email: Type.String({ minLength: 3, maxLength: 254, description: 'What they sign in with.' }),
    password: Type.String({ minLength: PASSWORD_LENGTH_MIN, maxLength: PASSWORD_LENGTH_MAX }),
    plan: Type.String({ minLength: 1, maxLength: 32 }),
    accept_terms: Type.Boolean({ description: 'Must be true.' }),
  },
  {
    additionalProperties: false,
    examples: [
      {
        organisation_name: 'Example Ltd',
        name: 'Jane Doe',
        email: 'jane@company.example',
        password: 'a long pass phrase',
        plan: 'growth',
        accept_terms: true,
      },
    ],
  },
)
const CheckoutSchema = Type.Object({
  id: Type.String(),
  state: State,
  organisation_id: Type.String(),
  plan: Type.String(),
  amount_due_pence: Type.Integer({ minimum: 0, description: 'Of the first invoice.' }),
  key_shown: Type.Boolean({ description: 'The key was asked for already.' }),
})
const sample = {
  id: 'chk_5TgBnHyUjMkIlOpQaZwS',
  state: 'complete',
  organisation_id: 'org_0Fv3kQ2mXb7TzR1yLw9c',
  plan: 'growth',
  amount_due_pence: 9900,
  key_shown: false,
}
export const createCheckoutSchema = {
  tags: ['Checkout'],
  operationId: 'checkOut',
  summary: 'Subscribe: make an organisation, its owner and its subscription',
  description:
    'Public. The answer holds a token that is shown this once: with it the page starts the payment, follows the state, and asks for the API key, once.',
  security: [],
  headers: ChangeHeaders,
  body: CheckoutBody,
  response: {
    201: jsonResponse(
      'Begun; complete at once where nothing is to be paid first.',
      Type.Object({ ...CheckoutSchema.properties, claim_token: Type.String({ description: 'Shown this once.' }) }),
      { ...sample, claim_token: '1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUv' },
      REPLAYED_HEADER,
    ),
    ...problemResponses([...CHANGE_PROBLEMS, 'conflict', ...COMMON]),
  },
}
export const ClaimBody = Type.Object(
  { claim_token: claimToken },
  { additionalProperties: false, examples: [{ claim_token: '1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUv' }] },
)
const withToken = (operationId: string, summary: string, description: string) => ({
  tags: ['Checkout'],
  operationId,
  summary,
  description,
  security: [],
  params,
  body: ClaimBody,
})
export const checkoutStateSchema = {
  ...withToken('readCheckout', 'Read how a checkout stands', 'Public: the token is the credential.'),
  response: {
    200: jsonResponse('As it stands.', CheckoutSchema, sample),
    ...problemResponses([
      'malformed_json',
      'not_found',
      'body_too_large',
      'unsupported_media_type',
      'validation_failed',
      ...COMMON,
    ]),
  },
}
export const checkoutPaymentSchema = {
  ...withToken(
    'payCheckout',
    'Start paying the first invoice',
    'Public: the token is the credential. Asked again, the same page comes back.',
  ),
  response: {
    200: jsonResponse('Where to pay.', PaymentSchema, { url: 'https://checkout.stripe.com/c/pay/cs_test_a1' }),
    ...problemResponses([
      'malformed_json',
      'not_found',
      'conflict',
      'body_too_large',
      'unsupported_media_type',
      'validation_failed',
      'payment_unavailable',
      ...COMMON,
    ]),
  },
}
export const claimSchema = {
  ...withToken(
    'claimKey',
    'See the API key of a checkout, once',
    'Public: the token is the credential. Complete checkouts only; a second time gets 409.',
  ),
  headers: ChangeHeaders,
  response: {
    200: jsonResponse(
      'The key, shown this once.',
      Type.Object({
        organisation_id: Type.String(),
        key_id: Type.String(),
        api_key: Type.String({ description: 'Shown this once.' }),
        curl: Type.String({ description: 'A first request to try.' }),
      }),
      {
        organisation_id: 'org_0Fv3kQ2mXb7TzR1yLw9c',
        key_id: 'key_9aBcDeFgHiJkLmNoPqRs',
        api_key: 'ask_<32 characters and a checksum, shown once>',
        curl: "curl -s http://localhost:8080/v1/payment-risk -H 'x-api-key: ask_…' -H 'content-type: application/json' -d '{\"email\":\"accounts@example.com\"}'",
      },
      REPLAYED_HEADER,
    ),
    ...problemResponses([...CHANGE_PROBLEMS, 'not_found', 'conflict', ...COMMON]),
  },
}
export const webhookSchema = {
  tags: ['Checkout'],
  operationId: 'receiveStripeEvent',
  summary: 'Messages of Stripe',
  description: 'Called by Stripe, which signs every message. A message that comes again changes nothing.',
  security: [],
  headers: Type.Object({ 'stripe-signature': Type.String() }),
  body: Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'An event object of Stripe.',
      examples: [{ id: 'evt_1', object: 'event' }],
    },
  ),
  response: {
    200: jsonResponse('Taken.', Type.Object({ received: Type.Boolean() }), { received: true }),
    ...problemResponses([
      'signature_invalid',
      'malformed_json',
      'body_too_large',
      'unsupported_media_type',
      'not_found',
      'internal',
      'store_unavailable',
      'shutting_down',
    ]),
  },
}
