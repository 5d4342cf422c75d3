import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import { type Answered, ApiError, type CallOptions, call, callForFile, callForVersion, type Method } from './client.ts'
import { type Membership, type Session, sessionEnded } from './session.ts'

/** Calls on behalf of one organisation, by the person signed in. */
export interface OrganisationApi {
  readonly organisationId: string
  call<Answer>(method: Method, path: string, options?: OrganisationCallOptions): Promise<Answer>
  callForVersion<Answer>(method: Method, path: string, options?: OrganisationCallOptions): Promise<Answered<Answer>>
  /** Reads a list in another form and hands it over as a file. */
  download(path: string, type: string, fileName: string): Promise<void>
  /** Reads a page to print and shows it in a tab of its own. */
  show(path: string, fileName: string): Promise<void>
}

export type OrganisationCallOptions = Omit<CallOptions, 'csrf' | 'organisationId'>

export function organisationApi(session: Session, organisationId: string, queries: QueryClient): OrganisationApi {
  const full = (options: OrganisationCallOptions): CallOptions => ({ ...options, csrf: session.csrf, organisationId })
  const watch = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    try {
      return await answer
    } catch (error) {
      if (error instanceof ApiError && error.code === 'session_missing') sessionEnded(session, queries)
      throw error
    }
  }
  return {
    organisationId,
    call: (method, path, options = {}) => watch(call(method, path, full(options))),
    callForVersion: (method, path, options = {}) => watch(callForVersion(method, path, full(options))),
    download: async (path, type, fileName) => saveAs(await watch(callForFile(path, type, full({}))), fileName),
    show: (path, fileName) => showPage(() => watch(callForFile(path, 'text/html', full({}))), fileName),
  }
}

/** A list that is read page by page. `path` has a query already. */
export const pagesQuery = <Page extends { readonly next_cursor: string | null }>(
  api: OrganisationApi,
  name: string,
  path: string,
) =>
  infiniteQueryOptions({
    queryKey: [api.organisationId, name],
    queryFn: ({ signal, pageParam }) =>
      api.call<Page>('GET', pageParam === null ? path : `${path}&cursor=${encodeURIComponent(pageParam)}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })

const KEEP_FILE_MS = 60_000

/** Lets the browser save it; the copy in memory goes when that must be done. */
export function saveAs(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), KEEP_FILE_MS)
}

/**
 * The tab is opened before the page is read, because a browser allows it only as part of the click. Where it allows
 * none, the page is saved as a file. A page made by this address obeys its policy: it can run nothing.
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

/** The organisation chosen last on this machine, where it is still one of theirs; else the first that works. */
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

/** An unpredictable name for one request. */
export function newRequestKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(16).padStart(8, '0')).join('')
}
