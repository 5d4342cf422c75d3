import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './client.ts'

const TRIES_MAX = 3

/** Only what may pass by itself is tried again: no answer, or the server in trouble. */
function mayPass(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500)
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < TRIES_MAX - 1 && mayPass(error),
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        // Loopback and offline networks are still networks: never wait for the browser to feel online.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
