import type { Operations } from '@assay/sdk'
import { queryOptions } from '@tanstack/react-query'
import type { OrganisationApi } from './organisation.ts'

export type Billing = Operations['GET /v1/billing']['response']
export type Plan = Billing['plan']
export type Quote = Operations['POST /v1/billing/quote']['response']

export const billingQuery = (api: OrganisationApi) =>
  queryOptions({
    queryKey: [api.organisationId, 'billing'],
    queryFn: ({ signal }) => api.call<Billing>('GET', '/v1/billing', { signal }),
  })
