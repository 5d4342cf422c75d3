import { queryOptions } from '@tanstack/react-query'
import type { OrganisationApi } from './organisation.ts'

/** Its key has no organisation: the intelligence is one for all of them. */
export const intelligenceQuery = (api: OrganisationApi) =>
  queryOptions({
    queryKey: ['intelligence'],
    queryFn: ({ signal }) => api.call('GET /api/intelligence', { signal }),
  })
