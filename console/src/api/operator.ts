import { queryOptions } from '@tanstack/react-query'
import type { StateFilter } from './operator-operations.ts'
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
