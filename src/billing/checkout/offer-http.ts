import type { FastifyInstance } from 'fastify'
import type { BillingDependencies } from '../dependencies.ts'
import { offeredPlans } from '../subscription/subscription.ts'

/** Who may sign up, for which plans and how they pay: what the pricing page needs to know before anybody signs up. */
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
