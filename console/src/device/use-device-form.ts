import { useQuery } from '@tanstack/react-query'
import { publicQuery } from '../api/client.ts'

/** The csrf value of the device pages (RFC 8628), shared by code entry and confirmation. */
export const useDeviceForm = () => useQuery({ ...publicQuery('GET /api/device'), staleTime: Number.POSITIVE_INFINITY })
