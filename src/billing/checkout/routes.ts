import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { DEFAULT_KEY_SCOPES } from '../../access/scopes.ts'
import { type SqlTransaction, UniqueViolation } from '../../db/sql.ts'
import { invalidField, Problem } from '../../errors.ts'
import { answerChange, type ChangeDependencies, type Changed, sendJson } from '../../http/change.ts'
import { resourceValidator } from '../../http/validate.ts'
import { type AuditActor, recordAudit } from '../../identity/audit.ts'
import { createKey } from '../../identity/key-store.ts'
import { createOrganisation, organisationNameProblem } from '../../identity/organisation/organisations.ts'
import { hashPassword } from '../../identity/passwords.ts'
import { createPerson, normaliseSignInEmail, setMembership, signInEmailProblem } from '../../identity/people.ts'
import { addressKey, takeAttempt } from '../../identity/people-throttle.ts'
import { DAY_MS, HOUR_MS } from '../../lib/clock.ts'
import { sha256Hex } from '../../lib/hashing.ts'
import { findInvoice } from '../invoices/invoices.ts'
import type { BillingStore } from '../ledger/accounts.ts'
import type { PaymentProvider } from '../payments/provider.ts'
import type { Plan, Plans } from '../plans.ts'
import { findSubscription, settleInvoice, startSubscription } from '../subscription/subscription.ts'
import { type Checkout, CLAIM_DAYS, claimCheckout, createCheckout, findCheckout } from './checkout.ts'
import {
  type CheckoutBody,
  type ClaimBody,
  checkoutPaymentSchema,
  checkoutStateSchema,
  claimSchema,
  createCheckoutSchema,
  webhookSchema,
} from './schema.ts'

export interface CheckoutDependencies extends ChangeDependencies {
  readonly plans: Plans
  readonly accounts: BillingStore
  readonly baseUrl: string
  readonly payments: PaymentProvider
}

type WithCheckout = { Params: { checkout_id: string } }

const SIGN_UPS = { attemptsMax: 20, windowMs: HOUR_MS }
const LOOKS = { attemptsMax: 600, windowMs: HOUR_MS }

export function registerCheckoutRoutes(app: FastifyInstance, deps: CheckoutDependencies): void {
  const validatorCompiler = resourceValidator

  app.post('/v1/checkout', { validatorCompiler, schema: createCheckoutSchema }, async (request, reply) => {
    const body = request.body as Static<typeof CheckoutBody>
    const plan = checkedPlan(body, deps.plans)
    await throttle(deps, request, 'checkout', SIGN_UPS)
    const passwordHash = await hashPassword(body.password)
    // Under the buyer's own name, so that two strangers with the same key do not meet.
    const repeater = `checkout ${sha256Hex(normaliseSignInEmail(body.email))}`
    reply.header('cache-control', 'no-store')
    return answerChange(request, reply, deps, repeater, (tx, nowMs) =>
      begin(tx, deps, request, { body, plan, passwordHash, nowMs }),
    ).catch((error: unknown) => {
      if (!(error instanceof UniqueViolation)) throw error
      throw new Problem('conflict', {
        detail: 'There is an account with this email address. Sign in; a plan can be chosen in the console.',
      })
    })
  })

  app.post<WithCheckout>(
    '/v1/checkout/:checkout_id/state',
    { validatorCompiler, schema: checkoutStateSchema },
    async (request, reply) => {
      const checkout = await ownCheckout(deps, request)
      return sendJson(reply.header('cache-control', 'no-store'), checkoutView(checkout))
    },
  )

  app.post<WithCheckout>(
    '/v1/checkout/:checkout_id/payment',
    { validatorCompiler, schema: checkoutPaymentSchema },
    async (request, reply) => {
      const checkout = await ownCheckout(deps, request)
      const invoice = checkout.invoice_id === null ? undefined : await findInvoice(deps.sql, checkout.invoice_id)
      if (invoice?.state !== 'open') throw new Problem('conflict', { detail: 'There is nothing to pay.' })
      const page = `${deps.baseUrl}/checkout?checkout=${checkout.id}`
      const subscription = await findSubscription(deps.sql, checkout.organisation_id)
      const started = await deps.payments.startPayment({
        invoiceId: invoice.id,
        organisationId: invoice.organisation_id,
        amountPence: invoice.total_pence,
        description: invoice.lines[0]?.description ?? `Invoice ${invoice.number}`,
        returnUrl: page,
        cancelUrl: `${page}&cancelled=true`,
        payer: subscription?.payer ?? null,
      })
      return sendJson(reply.header('cache-control', 'no-store'), { url: started?.url ?? null })
    },
  )

  app.post<WithCheckout>(
    '/v1/checkout/:checkout_id/claim',
    { validatorCompiler, schema: claimSchema },
    async (request, reply) => {
      const checkout = await ownCheckout(deps, request)
      reply.header('cache-control', 'no-store')
      return answerChange(request, reply, deps, `checkout ${checkout.id}`, (tx, nowMs) =>
        claim(tx, deps, request, checkout, nowMs),
      )
    },
  )

  app.post('/v1/webhooks/stripe', { validatorCompiler, schema: webhookSchema }, async (request, reply) => {
    const { readEvent } = deps.payments
    if (!readEvent) throw new Problem('not_found', { detail: 'Payments do not go through Stripe here.' })
    const signature = request.headers['stripe-signature']
    const nowMs = deps.clock.now()
    const event = readEvent(request.rawBody ?? Buffer.alloc(0), typeof signature === 'string' ? signature : '', nowMs)
    if (event.kind === 'paid') {
      const { invoiceId, amountPence, reference, payer, paymentMethod } = event
      await deps.sql.transaction(async (tx) => {
        const seen = await tx.query(
          'insert into payment_event (id, received_at) values ($1, $2) on conflict do nothing returning id',
          [event.id, nowMs],
        )
        if (seen.length === 0) return
        const invoice = await findInvoice(tx, invoiceId)
        if (!invoice || invoice.total_pence !== amountPence) {
          // Genuine, but not about an invoice of ours as it stands: a person must look at it.
          request.log.error(
            { request_id: request.id, event_id: event.id, invoice_id: invoiceId, amount_pence: amountPence },
            'payment not matched',
          )
          return
        }
        const actor: AuditActor = { kind: 'system', id: deps.payments.name, ip: request.ip, requestId: request.id }
        await settleInvoice(tx, deps.plans, { invoiceId, reference, actor, nowMs, payer, paymentMethod })
      })
    }
    return sendJson(reply, { received: true })
  })
}

function checkedPlan(body: Static<typeof CheckoutBody>, plans: Plans): Plan {
  const plan = plans.get(body.plan)
  if (!plan) throw invalidField('/plan', `There is no such plan; there are: ${[...plans.keys()].join(', ')}.`)
  if (!body.accept_terms) throw invalidField('/accept_terms', 'The terms must be accepted.')
  const wrongEmail = signInEmailProblem(body.email)
  if (wrongEmail) throw invalidField('/email', `The address ${wrongEmail}.`)
  for (const field of ['organisation_name', 'name'] as const) {
    const wrong = organisationNameProblem(body[field])
    if (wrong) throw invalidField(`/${field}`, `The name ${wrong}.`)
  }
  return plan
}

async function begin(
  tx: SqlTransaction,
  deps: CheckoutDependencies,
  request: FastifyRequest,
  input: {
    readonly body: Static<typeof CheckoutBody>
    readonly plan: Plan
    readonly passwordHash: string
    readonly nowMs: number
  },
): Promise<Changed> {
  const { body, plan, passwordHash, nowMs } = input
  const organisation = await createOrganisation(tx, { name: body.organisation_name, nowMs })
  const organisationId = organisation.id
  const person = await createPerson(tx, {
    email: body.email,
    emailVerified: false,
    name: body.name,
    passwordHash,
    nowMs,
  })
  await setMembership(tx, { personId: person.id, organisationId, role: 'owner', nowMs })
  await deps.accounts.openAccount(tx, { organisationId, planId: plan.id, nowMs })
  const { name: provider, payFirst } = deps.payments
  const invoice = await startSubscription(tx, { organisationId, plan, provider, payFirst, nowMs })
  const { id, claimToken } = await createCheckout(tx, { organisationId, invoiceId: invoice?.id ?? null, nowMs })
  await recordAudit(tx, {
    organisationId,
    actor: { kind: 'person', id: person.id, ip: request.ip, requestId: request.id },
    action: 'checkout.complete',
    targetId: id,
    detail: { plan: plan.id, terms_accepted: true },
    nowMs,
  })
  return {
    status: 201,
    body: {
      id,
      state: invoice && payFirst ? 'pending' : 'complete',
      organisation_id: organisationId,
      plan: plan.id,
      amount_due_pence: invoice?.total_pence ?? 0,
      key_shown: false,
      claim_token: claimToken,
    },
  }
}

async function claim(
  tx: SqlTransaction,
  deps: CheckoutDependencies,
  request: FastifyRequest,
  checkout: Checkout,
  nowMs: number,
): Promise<Changed> {
  if (stateOf(checkout) !== 'complete') {
    throw new Problem('conflict', { detail: 'The first invoice is not paid yet.' })
  }
  if (nowMs > checkout.created_at + CLAIM_DAYS * DAY_MS) {
    throw new Problem('conflict', { detail: 'This checkout is too old to show a key. Sign in and make one.' })
  }
  await claimCheckout(tx, { id: checkout.id, nowMs })
  const organisationId = checkout.organisation_id
  const name = 'first key'
  const { key, secret } = await createKey(tx, {
    organisationId,
    name,
    scopes: DEFAULT_KEY_SCOPES,
    expiresAtMs: null,
    nowMs,
  })
  await tx.query('update checkout set key_id = $2 where id = $1', [checkout.id, key.id])
  await recordAudit(tx, {
    organisationId,
    actor: { kind: 'system', id: 'checkout', ip: request.ip, requestId: request.id },
    action: 'key.create',
    targetId: key.id,
    detail: { name, checkout_id: checkout.id },
    nowMs,
  })
  const curl = `curl -s ${deps.baseUrl}/v1/payment-risk -H 'x-api-key: ${secret}' -H 'content-type: application/json' -d '{"email":"accounts@example.com"}'`
  return { status: 200, body: { organisation_id: organisationId, key_id: key.id, api_key: secret, curl } }
}

/** Where the operator settles invoices the account runs at once; else it waits for the first payment. */
function stateOf(checkout: Checkout): 'pending' | 'complete' {
  return checkout.invoice_state === 'open' && checkout.organisation_state === 'inactive' ? 'pending' : 'complete'
}

function checkoutView(checkout: Checkout) {
  return {
    id: checkout.id,
    state: stateOf(checkout),
    organisation_id: checkout.organisation_id,
    plan: checkout.plan_id,
    amount_due_pence: checkout.total_pence ?? 0,
    key_shown: checkout.claimed_at !== null,
  }
}

async function ownCheckout(deps: CheckoutDependencies, request: FastifyRequest): Promise<Checkout> {
  await throttle(deps, request, 'checkout look', LOOKS)
  const { claim_token: token } = request.body as Static<typeof ClaimBody>
  return findCheckout(deps.sql, (request.params as WithCheckout['Params']).checkout_id, token)
}

async function throttle(
  deps: CheckoutDependencies,
  request: FastifyRequest,
  name: string,
  limit: { readonly attemptsMax: number; readonly windowMs: number },
): Promise<void> {
  const { waitMs } = await takeAttempt(deps.sql, `${name} ${addressKey(request.ip)}`, limit, deps.clock.now())
  if (waitMs === 0) return
  const seconds = Math.ceil(waitMs / 1000)
  throw new Problem('rate_limited', {
    detail: `Too many requests from here. Wait ${seconds} s.`,
    headers: { 'retry-after': String(seconds) },
  })
}
