import type { Operations } from '@assay/sdk'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import { type OrganisationApi, pagesQuery } from './organisation.ts'

type Answer<Name extends keyof Operations> = Operations[Name]['response']

export type Billing = Answer<'GET /v1/billing'>
export type Plan = Billing['plan']
export type Quote = Answer<'POST /v1/billing/quote'>
export type Usage = Answer<'GET /v1/billing/usage'>
export type LedgerPage = Answer<'GET /v1/billing/ledger'>
export type Entry = LedgerPage['data'][number]
export type Invoice = Answer<'POST /v1/billing/top-ups'>
export type Statement = Answer<'GET /v1/billing/statements/{month}'>
export type Alert = Answer<'GET /v1/billing/alerts'>['data'][number]
export type Standing = Answer<'GET /v1/billing/standing'>
export type PlanChoice = Answer<'GET /v1/billing/plans'>['data'][number]
export type Details = Answer<'GET /v1/billing/details'>
export type HowToPay = Answer<'GET /v1/billing/invoices/{invoice_id}/payment'>
export type SubscriptionChanged = Answer<'POST /v1/billing/subscription'>
type InvoicePage = Answer<'GET /v1/billing/invoices'>

/** Who may sign up here, for which plans, and whether by card. */
export interface Offer {
  readonly sign_up: 'open' | 'approval' | 'closed'
  readonly plans: readonly string[]
  readonly by_card: boolean
}

export const billingQuery = (api: OrganisationApi) =>
  queryOptions({
    queryKey: [api.organisationId, 'billing'],
    queryFn: ({ signal }) => api.call<Billing>('GET', '/v1/billing', { signal }),
  })

export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: async ({ signal }) => (await call<Answer<'GET /v1/plans'>>('GET', '/v1/plans', { signal })).data,
})

export const offerQuery = queryOptions({
  queryKey: ['sign-up'],
  queryFn: ({ signal }) => call<Offer>('GET', '/api/sign-up', { signal }),
})

export const standingQuery = (api: OrganisationApi) =>
  queryOptions({
    queryKey: [api.organisationId, 'standing'],
    queryFn: ({ signal }) => api.call<Standing>('GET', '/v1/billing/standing', { signal }),
  })

/** The plans to choose from, and what choosing each brings about. */
export const choicesQuery = (api: OrganisationApi) =>
  queryOptions({
    queryKey: [api.organisationId, 'plan choices'],
    queryFn: async ({ signal }) =>
      (await api.call<Answer<'GET /v1/billing/plans'>>('GET', '/v1/billing/plans', { signal })).data,
  })

export const detailsQuery = (api: OrganisationApi) =>
  queryOptions({
    queryKey: [api.organisationId, 'details'],
    queryFn: ({ signal }) => api.call<Details>('GET', '/v1/billing/details', { signal }),
  })

/** By day and family, from that day on. */
export const usageQuery = (api: OrganisationApi, from: string) =>
  queryOptions({
    queryKey: [api.organisationId, 'usage', from],
    queryFn: ({ signal }) =>
      api.call<Usage>('GET', `/v1/billing/usage?from=${from}&granularity=day&group_by=family`, { signal }),
  })

export const ledgerQuery = (api: OrganisationApi) =>
  pagesQuery<LedgerPage>(api, 'ledger', '/v1/billing/ledger?limit=25')

export const statementQuery = (api: OrganisationApi, month: string) =>
  queryOptions({
    queryKey: [api.organisationId, 'statement', month],
    queryFn: ({ signal }) => api.call<Statement>('GET', `/v1/billing/statements/${month}`, { signal }),
  })

export const invoicesQuery = (api: OrganisationApi) =>
  pagesQuery<InvoicePage>(api, 'invoices', '/v1/billing/invoices?limit=20')

export const invoiceQuery = (api: OrganisationApi, id: string) =>
  queryOptions({
    queryKey: [api.organisationId, 'invoice', id],
    queryFn: ({ signal }) => api.call<Invoice>('GET', `/v1/billing/invoices/${encodeURIComponent(id)}`, { signal }),
  })

export const howToPayQuery = (api: OrganisationApi, id: string) =>
  queryOptions({
    queryKey: [api.organisationId, 'how to pay', id],
    queryFn: ({ signal }) => api.call<HowToPay>('GET', `/v1/billing/invoices/${id}/payment`, { signal }),
  })

export const alertsQuery = (api: OrganisationApi) =>
  queryOptions({
    queryKey: [api.organisationId, 'alerts'],
    queryFn: async ({ signal }) =>
      (await api.call<Answer<'GET /v1/billing/alerts'>>('GET', '/v1/billing/alerts', { signal })).data,
  })
