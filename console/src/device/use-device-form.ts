import { useQuery } from '@tanstack/react-query'
import { server } from '../api/client.ts'

/** The csrf value of the device pages (RFC 8628), shared by code entry and confirmation. */
export function useDeviceForm() {
  return useQuery({
    queryKey: ['device-form'],
    queryFn: ({ signal }) => server.call('GET /api/device', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
