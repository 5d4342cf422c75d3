import type { Operations } from '@assay/sdk'
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type AllOperations, type Answer, type Server, serverFor } from './client.ts'
import type { Membership } from './generated/pages.ts'
import { withProof } from './proof.ts'
import { sessionCredential } from './session.ts'

export interface OrganisationApi extends Pick<Server, 'call' | 'callForVersion' | 'checks'> {
  readonly organisationId: string
  /** Reads the answer in another format and saves it as a file. */
  download(file: FileWanted): Promise<void>
  /** Reads a printable page and shows it in a new tab. */
  show(file: FileWanted): Promise<void>
}

/** An answer of an operation, as a file of this type and name. */
export interface FileWanted {
  readonly name: keyof AllOperations
  readonly options?: { readonly path?: unknown; readonly query?: unknown }
  readonly type: string
  readonly fileName: string
}

export function organisationApi(organisationId: string, userId: string, queries: QueryClient): OrganisationApi {
  const server = serverFor(sessionCredential(queries, userId, organisationId))
  const read = ({ name, type, options }: FileWanted) => server.callForFile(name, type, options as object)
  return {
    organisationId,
    call: (name, options) => withProof(queries, () => server.call(name, options)),
    callForVersion: (name, options) => withProof(queries, () => server.callForVersion(name, options)),
    checks: (kind) => server.checks(kind),
    download: async (file) => saveAs(await read(file), file.fileName),
    show: (file) => showPage(() => read(file), file.fileName),
  }
}

type ReadName = Extract<keyof AllOperations, `GET ${string}`>

/** Data that is read for the organisation. Every change reads it again. */
export const readQuery = <Name extends ReadName>(
  api: OrganisationApi,
  name: Name,
  wanted: { readonly path?: AllOperations[Name]['path']; readonly query?: AllOperations[Name]['query'] } = {},
) =>
  queryOptions({
    queryKey: [api.organisationId, name, wanted],
    queryFn: ({ signal }): Promise<Answer<Name>> => api.call(name, { ...wanted, signal }),
  })

type PageName = {
  [Name in keyof Operations]: Operations[Name]['response'] extends { readonly next_cursor: string | null }
    ? Name
    : never
}[keyof Operations]

export const pagesQuery = <Name extends PageName>(
  api: OrganisationApi,
  name: Name,
  query: Omit<Operations[Name]['query'], 'cursor'>,
) =>
  infiniteQueryOptions({
    queryKey: [api.organisationId, name, query],
    queryFn: ({ signal, pageParam }): Promise<Answer<Name>> =>
      api.call(name, { query: { ...query, ...(pageParam === null ? {} : { cursor: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })

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
