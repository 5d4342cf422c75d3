import { queryOptions } from '@tanstack/react-query'
import { server } from './client.ts'

export const samplesQuery = queryOptions({
  queryKey: ['samples'],
  queryFn: ({ signal }) => server.call('GET /api/samples', { signal }),
  // A page about something else does not wait for an engine that is away.
  retry: false,
})
