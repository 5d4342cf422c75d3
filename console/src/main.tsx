import '@mantine/core/styles.css'
import './theme.css'
import './shell/print.css'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { readServerError } from './error/server-error.ts'
import { createRouter } from './routes.tsx'
import { theme } from './theme.ts'

const ErrorPage = lazy(() => import('./error/page.tsx').then((module) => ({ default: module.Component })))

const router = readServerError(document) === undefined ? createRouter() : undefined

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The client already retries temporary failures.
      retry: false,
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      // Loopback and offline networks are still networks: never wait until the browser reports that it is online.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

function App() {
  // The server refused the request for this address: no route applies.
  if (!router) {
    return (
      <Suspense>
        <ErrorPage />
      </Suspense>
    )
  }
  return <RouterProvider router={router} />
}

// A page restored by the Back button would still show its used form: ask the server again.
window.addEventListener('pageshow', (event) => {
  if (event.persisted) window.location.reload()
})

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element #root')
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <App />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
