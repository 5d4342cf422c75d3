import { QueryClient } from '@tanstack/react-query'

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The client tries again what may pass by itself.
        retry: false,
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        // Loopback and offline networks are still networks: never wait for the browser to feel online.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
