import { queryOptions } from '@tanstack/react-query'
import type { OrganisationApi } from './organisation.ts'

/** The cache key has no organisation: all organisations share the same intelligence. */
export const intelligenceQuery = (api: OrganisationApi) =>
  queryOptions({
    queryKey: ['intelligence'],
    queryFn: ({ signal }) => api.call('GET /api/intelligence', { signal }),
  })
