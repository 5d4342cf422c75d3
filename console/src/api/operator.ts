import { queryOptions } from '@tanstack/react-query'
import type { StateFilter } from './generated/pages.ts'
import type { OrganisationApi } from './organisation.ts'

/** Under the reader's own organisation: every change reads them again. */
export const organisationsQuery = (api: OrganisationApi, wanted: { search: string; state?: StateFilter }) =>
  queryOptions({
    queryKey: [api.organisationId, 'operator', 'organisations', wanted],
    queryFn: ({ signal }) => api.call('GET /api/operator/organisations', { query: wanted, signal }),
  })

export const oneOrganisationQuery = (api: OrganisationApi, organisationId: string) =>
  queryOptions({
    queryKey: [api.organisationId, 'operator', 'organisation', organisationId],
    queryFn: ({ signal }) =>
      api.call('GET /api/operator/organisations/{organisation_id}', {
        path: { organisation_id: organisationId },
        signal,
      }),
  })

/** Nodes tell of themselves every ten seconds: looking more often shows the same. */
const LOOK_AGAIN_MS = 10_000

export const statusQuery = (api: OrganisationApi) =>
  queryOptions({
    queryKey: [api.organisationId, 'operator', 'status'],
    queryFn: ({ signal }) => api.call('GET /api/operator/status', { signal }),
    refetchInterval: LOOK_AGAIN_MS,
  })
