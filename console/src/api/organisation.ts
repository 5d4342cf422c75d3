import { ROLES } from '@assay/sdk'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type AllOperations, type Answer, publicQuery, type Server, server, serverFor } from './client.ts'
import type { Membership } from './generated/pages.ts'
import { withProof } from './proof.ts'
import { sessionCredential } from './session.ts'

export interface OrganisationApi
  extends Pick<Server, 'call' | 'callForVersion' | 'checks' | 'stageCounterparties' | 'applyCounterparties'> {
  readonly organisationId: string
  download(file: FileWanted): Promise<void>
  /** All of them in one file, in the form of the last import. */
  downloadCounterparties(): Promise<void>
  show(file: FileWanted): Promise<void>
}

export interface FileWanted {
  readonly name: keyof AllOperations
  readonly options?: { readonly path?: unknown; readonly query?: unknown }
  readonly type: string
  readonly fileName: string
  /** Makes the file to save of what the server sent. */
  readonly convert?: (content: Blob) => Promise<Blob>
}

export function organisationApi(organisationId: string, userId: string, queries: QueryClient): OrganisationApi {
  const server = serverFor(sessionCredential(queries, userId, organisationId))
  const read = ({ name, type, options }: FileWanted) =>
    withProof(queries, () => server.callForFile(name, type, options as object))
  return {
    organisationId,
    call: (name, options) => withProof(queries, () => server.call(name, options)),
    callForVersion: (name, options) => withProof(queries, () => server.callForVersion(name, options)),
    checks: (kind) => server.checks(kind),
    stageCounterparties: (rows, options) => server.stageCounterparties(rows, options),
    applyCounterparties: (id, options) => withProof(queries, () => server.applyCounterparties(id, options)),
    download: async (file) => {
      const content = await read(file)
      saveAs(file.convert ? await file.convert(content) : content, file.fileName)
    },
    downloadCounterparties: async () =>
      saveAs(
        new Blob([await server.exportCsv('GET /v1/counterparties')], { type: 'text/csv' }),
        'assay-counterparties.csv',
      ),
    show: (file) => showPage(() => read(file), file.fileName),
  }
}

export type ReadName = Extract<keyof AllOperations, `GET ${string}`>
export type Wanted<Name extends ReadName> = {
  readonly path?: AllOperations[Name]['path']
  readonly query?: AllOperations[Name]['query']
}

/** Data that is read for the organisation. Every change reads it again. */
export const readQuery = <Name extends ReadName>(api: OrganisationApi, name: Name, wanted: Wanted<Name> = {}) =>
  queryOptions({
    queryKey: [api.organisationId, name, wanted],
    queryFn: ({ signal }): Promise<Answer<Name>> => api.call(name, { ...wanted, signal }),
  })

/** The type of the archives of everything. */
export const ARCHIVE = 'application/gzip'

const KEEP_FILE_MS = 60_000

/** Lets the browser save the file; the copy in memory is released after enough time for that. */
export function saveAs(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), KEEP_FILE_MS)
}

/**
 * Opens the tab before the page is read, because a browser allows it only as part of the click. If the browser blocks
 * it, the page is saved as a file. A page created by this origin has its content security policy: it cannot run
 * scripts.
 */
async function showPage(read: () => Promise<Blob>, fileName: string): Promise<void> {
  const tab = window.open('', '_blank')
  try {
    const page = await read()
    if (!tab || tab.closed) return saveAs(page, fileName)
    const url = URL.createObjectURL(page)
    tab.opener = null
    tab.location.replace(url)
    setTimeout(() => URL.revokeObjectURL(url), KEEP_FILE_MS)
  } catch (error) {
    tab?.close()
    throw error
  }
}

const CHOSEN = 'assay.organisation'

/** The organisation chosen last on this machine, if the person still belongs to it; otherwise the first active one. */
export function chosenOrganisation(organisations: readonly Membership[]): Membership | undefined {
  const chosen = localStorage.getItem(CHOSEN)
  return (
    organisations.find(({ id }) => id === chosen) ??
    organisations.find(({ state }) => state === 'active') ??
    organisations[0]
  )
}

export function rememberOrganisation(id: string): void {
  localStorage.setItem(CHOSEN, id)
}

export function newRequestKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(16).padStart(8, '0')).join('')
}

/** The cache key has no organisation: all organisations share the same intelligence. */
export const intelligenceQuery = (api: OrganisationApi) =>
  queryOptions({
    queryKey: ['intelligence'],
    queryFn: ({ signal }) => api.call('GET /api/intelligence', { signal }),
  })

/** Beside the data of the organisation: it is read with it after every change. */
export const unreadQuery = (api: Pick<Server, 'call'>, organisationId: string) =>
  queryOptions({
    queryKey: [organisationId, 'unread'],
    queryFn: ({ signal }) => api.call('GET /api/inbox/unread', { query: { organisation_id: organisationId }, signal }),
  })

export type Webhook = Answer<'GET /v1/webhooks'>['data'][number]
export type Delivery = Answer<'GET /v1/webhooks/{webhook_id}/deliveries'>['data'][number]
export type Key = Answer<'GET /v1/organisation/keys'>['data'][number]
export type NewKey = Answer<'POST /v1/organisation/keys'>
export type Client = Answer<'GET /v1/organisation/clients'>['data'][number]
export type NewClient = Answer<'POST /v1/organisation/clients'>
export type Member = Answer<'GET /v1/organisation/members'>['data'][number]
export type Consent = Answer<'GET /v1/organisation/consents'>['data'][number]
export type Role = keyof typeof ROLES
export type NewInvitation = Answer<'POST /v1/organisation/invitations'>

export type Counterparty = Answer<'GET /v1/counterparties'>['data'][number]
export type OwnDomain = Answer<'GET /v1/organisation/domains'>['data'][number]
export type OwnEntry = Answer<'GET /v1/own-lists/{list}'>['data'][number]
export type DecisionRule = Answer<'GET /v1/decision-rules'>['rules'][number]

export const ROLE_NAMES = Object.keys(ROLES) as Role[]

export function roleWords(role: Role): string {
  const { about } = ROLES[role]
  return `${role[0]?.toUpperCase()}${role.slice(1)}: ${about[0]?.toLowerCase()}${about.slice(1)}`
}

const PAGES_MAX = 20

export type ListName = 'keys' | 'clients' | 'members' | 'invitations' | 'consents' | 'domains'
type Item<Name extends ListName> = Answer<`GET /v1/organisation/${Name}`>['data'][number]

/** Reads a whole list: an organisation has hundreds of entries, not millions. */
async function readAll<Name extends ListName>(
  api: OrganisationApi,
  name: Name,
  signal: AbortSignal,
): Promise<readonly Item<Name>[]> {
  const all: Item<Name>[] = []
  let query: { limit: number; cursor?: string } = { limit: 100 }
  for (let page = 0; page < PAGES_MAX; page++) {
    const { data, next_cursor: cursor } = await api.call(`GET /v1/organisation/${name}`, { query, signal })
    all.push(...(data as readonly Item<Name>[]))
    if (cursor === null) break
    query = { ...query, cursor }
  }
  return all
}

export const listQuery = <Name extends ListName>(api: OrganisationApi, name: Name) =>
  queryOptions({
    queryKey: [api.organisationId, name],
    queryFn: ({ signal }) => readAll(api, name, signal),
  })

export type Billing = Answer<'GET /v1/billing'>
export type Plan = Billing['plan']
export type Usage = Answer<'GET /v1/billing/usage'>
export type Entry = Answer<'GET /v1/billing/ledger'>['data'][number]
export type Invoice = Answer<'POST /v1/billing/top-ups'>
export type Alert = Answer<'GET /v1/billing/alerts'>['data'][number]
export type Standing = Answer<'GET /v1/billing/standing'>
export type PlanChoice = Answer<'GET /v1/billing/plans'>['data'][number]
export type Ending = NonNullable<Answer<'GET /v1/billing/plans'>['ending']>
export type Details = Answer<'GET /v1/billing/details'>
export type HowToPay = Answer<'GET /v1/billing/invoices/{invoice_id}/payment'>

export type { Offer } from './generated/pages.ts'

export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: async ({ signal }) => (await server.call('GET /v1/plans', { signal })).data,
})

export const offerQuery = publicQuery('GET /api/sign-up')
