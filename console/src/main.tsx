import '@mantine/core/styles.css'
import './theme.css'
import './shell/print.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { createQueryClient } from './api/query.ts'
import { readServerError } from './error/server-error.ts'
import { createRouter } from './routes.tsx'
import { theme } from './theme.ts'

const ErrorPage = lazy(() => import('./error/page.tsx').then((module) => ({ default: module.Component })))

const router = readServerError(document) === undefined ? createRouter() : undefined

function App() {
  // The server refused the request that led here, at this very address: no route applies.
  if (!router) {
    return (
      <Suspense>
        <ErrorPage />
      </Suspense>
    )
  }
  return <RouterProvider router={router} />
}

// A page brought back by the Back button would still show its spent form: ask the server again.
window.addEventListener('pageshow', (event) => {
  if (event.persisted) window.location.reload()
})

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element #root')
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={createQueryClient()}>
        <App />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
