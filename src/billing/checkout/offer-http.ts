import Type from 'typebox'
import { oneOf } from '../../http/operation.ts'
import { flags, type PageOperation, pageOperation } from '../../http/page-operation.ts'
import type { BillingDependencies } from '../dependencies.ts'
import { offeredPlans } from '../subscription/subscription.ts'

const OfferSchema = Type.Object(
  {
    sign_up: oneOf(['open', 'approval', 'closed']),
    plans: Type.Array(Type.String()),
    ...flags('by_card'),
  },
  { $id: 'Offer', description: 'Who may sign up here, for which plans, and whether by card.' },
)

/** Sign-up mode, offered plans and ways to pay, for the pricing page. */
export function offerPages(deps: Pick<BillingDependencies, 'plans' | 'settings' | 'payments'>): PageOperation[] {
  return [
    pageOperation({
      name: 'GET /api/sign-up',
      access: 'anybody',
      answer: OfferSchema,
      cached: 'public, max-age=300',
      handle: async () => ({
        sign_up: deps.settings.signUp,
        plans: offeredPlans(deps).map(({ id }) => id),
        by_card: deps.payments.name !== 'invoice',
      }),
    }),
  ]
}
