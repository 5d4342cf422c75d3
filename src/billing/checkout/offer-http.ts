import type { FastifyInstance } from 'fastify'
import type { BillingDependencies } from '../dependencies.ts'
import { offeredPlans } from '../subscription/subscription.ts'

/** Sign-up mode, offered plans and ways to pay, for the pricing page. */
export function registerOfferRoute(
  app: FastifyInstance,
  deps: Pick<BillingDependencies, 'plans' | 'settings' | 'payments'>,
): void {
  app.get('/api/sign-up', { schema: { hide: true } as object }, (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send({
      sign_up: deps.settings.signUp,
      plans: offeredPlans(deps).map(({ id }) => id),
      by_card: deps.payments.name !== 'invoice',
    }),
  )
}
