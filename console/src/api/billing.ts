import { queryOptions } from '@tanstack/react-query'
import { type Answer, server } from './client.ts'
import { type OrganisationApi, readQuery } from './organisation.ts'

export type Billing = Answer<'GET /v1/billing'>
export type Plan = Billing['plan']
export type Usage = Answer<'GET /v1/billing/usage'>
export type LedgerPage = Answer<'GET /v1/billing/ledger'>
export type Entry = LedgerPage['data'][number]
export type Invoice = Answer<'POST /v1/billing/top-ups'>
export type Statement = Answer<'GET /v1/billing/statements/{month}'>
export type Alert = Answer<'GET /v1/billing/alerts'>['data'][number]
export type Standing = Answer<'GET /v1/billing/standing'>
export type PlanChoice = Answer<'GET /v1/billing/plans'>['data'][number]
export type Ending = NonNullable<Answer<'GET /v1/billing/plans'>['ending']>
export type Details = Answer<'GET /v1/billing/details'>
export type HowToPay = Answer<'GET /v1/billing/invoices/{invoice_id}/payment'>

export type { Offer } from './generated/pages.ts'

export const billingQuery = (api: OrganisationApi) => readQuery(api, 'GET /v1/billing')
export const standingQuery = (api: OrganisationApi) => readQuery(api, 'GET /v1/billing/standing')
export const alertsQuery = (api: OrganisationApi) => readQuery(api, 'GET /v1/billing/alerts')
/** The plans to choose from, the effect of choosing each, and the effect of ending the subscription. */
export const choicesQuery = (api: OrganisationApi) => readQuery(api, 'GET /v1/billing/plans')

/** The plans of the server, readable without an account. */
export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: async ({ signal }) => (await server.call('GET /v1/plans', { signal })).data,
})

export const offerQuery = queryOptions({
  queryKey: ['sign-up'],
  queryFn: ({ signal }) => server.call('GET /api/sign-up', { signal }),
})
