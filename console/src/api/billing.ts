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

export const billingQuery = (api: OrganisationApi) =>
  queryOptions({
    queryKey: [api.organisationId, 'billing'],
    queryFn: ({ signal }) => api.call<Billing>('GET', '/v1/billing', { signal }),
  })

export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: async ({ signal }) => (await call<Answer<'GET /v1/plans'>>('GET', '/v1/plans', { signal })).data,
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
  queryOptions({
    queryKey: [api.organisationId, 'invoices'],
    queryFn: async ({ signal }) =>
      (await api.call<Answer<'GET /v1/billing/invoices'>>('GET', '/v1/billing/invoices?limit=20', { signal })).data,
  })

export const alertsQuery = (api: OrganisationApi) =>
  queryOptions({
    queryKey: [api.organisationId, 'alerts'],
    queryFn: async ({ signal }) =>
      (await api.call<Answer<'GET /v1/billing/alerts'>>('GET', '/v1/billing/alerts', { signal })).data,
  })
