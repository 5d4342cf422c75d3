import { queryOptions } from '@tanstack/react-query'
import { type Answer, server } from './client.ts'
import { type OrganisationApi, pagesQuery } from './organisation.ts'

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

export const billingQuery = (api: OrganisationApi) =>
  queryOptions({
    queryKey: [api.organisationId, 'billing'],
    queryFn: ({ signal }) => api.call('GET /v1/billing', { signal }),
  })

export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: async ({ signal }) => (await server.call('GET /v1/plans', { signal })).data,
})

export const offerQuery = queryOptions({
  queryKey: ['sign-up'],
  queryFn: ({ signal }) => server.call('GET /api/sign-up', { signal }),
})

export const standingQuery = (api: OrganisationApi) =>
  queryOptions({
    queryKey: [api.organisationId, 'standing'],
    queryFn: ({ signal }) => api.call('GET /v1/billing/standing', { signal }),
  })

/** The plans to choose from, what choosing each brings about, and what ending the subscription does. */
export const choicesQuery = (api: OrganisationApi) =>
  queryOptions({
    queryKey: [api.organisationId, 'plan choices'],
    queryFn: ({ signal }) => api.call('GET /v1/billing/plans', { signal }),
  })

export const detailsQuery = (api: OrganisationApi) =>
  queryOptions({
    queryKey: [api.organisationId, 'details'],
    queryFn: ({ signal }) => api.call('GET /v1/billing/details', { signal }),
  })

/** By day and family, from that day on. */
export const usageQuery = (api: OrganisationApi, from: string) =>
  queryOptions({
    queryKey: [api.organisationId, 'usage', from],
    queryFn: ({ signal }) =>
      api.call('GET /v1/billing/usage', { query: { from, granularity: 'day', group_by: 'family' }, signal }),
  })

export const ledgerQuery = (api: OrganisationApi) => pagesQuery(api, 'GET /v1/billing/ledger', { limit: 25 })

export const statementQuery = (api: OrganisationApi, month: string) =>
  queryOptions({
    queryKey: [api.organisationId, 'statement', month],
    queryFn: ({ signal }) => api.call('GET /v1/billing/statements/{month}', { path: { month }, signal }),
  })

export const invoicesQuery = (api: OrganisationApi) => pagesQuery(api, 'GET /v1/billing/invoices', { limit: 20 })

export const invoiceQuery = (api: OrganisationApi, id: string) =>
  queryOptions({
    queryKey: [api.organisationId, 'invoice', id],
    queryFn: ({ signal }) => api.call('GET /v1/billing/invoices/{invoice_id}', { path: { invoice_id: id }, signal }),
  })

export const howToPayQuery = (api: OrganisationApi, id: string) =>
  queryOptions({
    queryKey: [api.organisationId, 'how to pay', id],
    queryFn: ({ signal }) =>
      api.call('GET /v1/billing/invoices/{invoice_id}/payment', { path: { invoice_id: id }, signal }),
  })

export const alertsQuery = (api: OrganisationApi) =>
  queryOptions({
    queryKey: [api.organisationId, 'alerts'],
    queryFn: async ({ signal }) => (await api.call('GET /v1/billing/alerts', { signal })).data,
  })
