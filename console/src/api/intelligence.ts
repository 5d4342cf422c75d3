import { queryOptions } from '@tanstack/react-query'
import type { OrganisationApi } from './organisation.ts'

/** The same for every organisation. */
export const intelligenceQuery = (api: OrganisationApi) =>
  queryOptions({
    queryKey: ['intelligence'],
    queryFn: ({ signal }) => api.call('GET /api/intelligence', { signal }),
  })
