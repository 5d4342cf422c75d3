import { useQuery } from '@tanstack/react-query'
import { readDeviceForm } from '../api/device.ts'

/** The csrf value of the device pages, shared by code entry and confirmation. */
export function useDeviceForm() {
  return useQuery({
    queryKey: ['device-form'],
    queryFn: ({ signal }) => readDeviceForm(signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
