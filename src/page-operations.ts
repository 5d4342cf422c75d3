import { offerPages } from './billing/checkout/http.ts'
import { type OperatorDependencies, operatorPages } from './billing/subscription/operator-http.ts'
import { inboxPages } from './events/http.ts'
import { type IntelligenceDependencies, intelligencePages } from './feeds/routes.ts'
import type { PageOperation } from './http/page-operation.ts'
import { type AccountDependencies, accountPages, personActs } from './identity/people/account-http.ts'
import { applicationPages } from './identity/people/consents-http.ts'
import { type FactorDependencies, factorPages } from './identity/sessions/factor-http.ts'
import { type SessionDependencies, sessionPages } from './identity/sessions/session-http.ts'
import { type LeavingPageDependencies, leavingPages } from './leaving/http.ts'
import { digestPages } from './notify/http.ts'
import { type DeviceDependencies, devicePages } from './oauth/device-routes.ts'
import { type InteractionDependencies, interactionPages } from './oauth/interaction-routes.ts'
import { type FeedbackDependencies, feedbackPages } from './record/feedback-http.ts'
import { receiptPages } from './record/receipts-http.ts'
import { samplePages } from './risk/samples-http.ts'
import { type TryDependencies, tryPages } from './risk/try-http.ts'
import { statusPages } from './status/http.ts'
import type { StatusDependencies } from './status/status.ts'
import { type SupportDependencies, supportPages } from './support/http.ts'

/** Every operation of the console's pages, for the server and for the generator of the console's client. */

type PublicDependencies = Parameters<typeof offerPages>[0] &
  Parameters<typeof samplePages>[0] &
  Parameters<typeof receiptPages>[0] &
  TryDependencies

/** Operations that need no sign-in; a server without sign-in has only these. */
export function publicPages(deps: PublicDependencies): PageOperation[] {
  return [...offerPages(deps), ...samplePages(deps), ...tryPages(deps), ...receiptPages(deps)]
}

export function signedInPages(
  deps: SessionDependencies &
    FactorDependencies &
    InteractionDependencies &
    DeviceDependencies &
    AccountDependencies &
    LeavingPageDependencies &
    OperatorDependencies &
    IntelligenceDependencies &
    StatusDependencies &
    SupportDependencies &
    FeedbackDependencies,
): PageOperation[] {
  return [
    ...sessionPages(deps),
    ...factorPages(deps),
    ...interactionPages(deps),
    ...devicePages(deps),
    ...accountPages(deps),
    ...leavingPages(deps),
    ...applicationPages(deps),
    ...personActs(deps),
    ...operatorPages(deps),
    ...intelligencePages(deps),
    ...statusPages(deps),
    ...supportPages(deps),
    ...feedbackPages(deps),
    ...inboxPages(deps),
    ...digestPages(deps),
  ]
}
