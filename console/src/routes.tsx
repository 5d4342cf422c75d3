import { createBrowserRouter } from 'react-router'
import { BASE_PATH } from './api/client.ts'
import { Loading, RouteError } from './shell/sheet.tsx'

/** Every page, loaded on its first use. The server sends index.html for the same addresses (src/http/pages.ts). */
export function createRouter(): ReturnType<typeof createBrowserRouter> {
  return createBrowserRouter(
    [
      {
        HydrateFallback: Loading,
        ErrorBoundary: RouteError,
        children: [
          { path: '/', lazy: () => import('./front/page.tsx') },
          { path: '/guides', lazy: () => import('./guides/page.tsx') },
          { path: '/guides/:name', lazy: () => import('./guides/guide.tsx') },
          { path: '/sign-in', lazy: () => import('./sign-in/page.tsx') },
          { path: '/forgot-password', lazy: () => import('./links/forgot.tsx') },
          { path: '/reset', lazy: () => import('./links/reset.tsx') },
          { path: '/verify', lazy: () => import('./links/verify.tsx') },
          { path: '/confirm', lazy: () => import('./links/confirm.tsx') },
          { path: '/pricing', lazy: () => import('./pricing/page.tsx') },
          { path: '/checkout', lazy: () => import('./pricing/checkout.tsx') },
          { path: '/invitation', lazy: () => import('./invitation/page.tsx') },
          { path: '/interaction/:uid', lazy: () => import('./interaction/page.tsx') },
          { path: '/device', lazy: () => import('./device/enter.tsx') },
          { path: '/device/confirm', lazy: () => import('./device/confirm.tsx') },
          { path: '/device/done', lazy: () => import('./device/done.tsx') },
          { path: '/receipt', lazy: () => import('./receipt/page.tsx') },
          { path: '/done', lazy: () => import('./done/page.tsx') },
          {
            path: '/console',
            lazy: () => import('./shell/workspace.tsx'),
            children: [
              {
                // One page for both addresses: the box and the pasted mail stay when the answer gets its own address.
                lazy: () => import('./check/page.tsx'),
                children: [
                  { index: true, element: null },
                  { path: 'checks/:id', element: null },
                ],
              },
              { path: 'checks', lazy: () => import('./history/page.tsx') },
              { path: 'to-review', lazy: () => import('./history/to-review.tsx') },
              { path: 'bulk', lazy: () => import('./bulk/page.tsx') },
              { path: 'bulk/:id', lazy: () => import('./bulk/list-page.tsx') },
              { path: 'counterparties', lazy: () => import('./counterparties/page.tsx') },
              { path: 'counterparties/import', lazy: () => import('./counterparties/import.tsx') },
              { path: 'counterparties/:id', lazy: () => import('./counterparties/one.tsx') },
              { path: 'own-lists/:list?', lazy: () => import('./own-lists/page.tsx') },
              { path: 'decision-rules', lazy: () => import('./decision-rules/page.tsx') },
              { path: 'domains', lazy: () => import('./domains/page.tsx') },
              { path: 'billing/:tab?', lazy: () => import('./billing/page.tsx') },
              { path: 'keys', lazy: () => import('./keys/page.tsx') },
              { path: 'members', lazy: () => import('./members/page.tsx') },
              { path: 'webhooks', lazy: () => import('./webhooks/page.tsx') },
              { path: 'inbox', lazy: () => import('./inbox/page.tsx') },
              { path: 'audit', lazy: () => import('./audit/page.tsx') },
              { path: 'account', lazy: () => import('./account/page.tsx') },
              { path: 'organisations', lazy: () => import('./organisations/page.tsx') },
              { path: 'organisations/:id', lazy: () => import('./organisations/one/page.tsx') },
              { path: 'status', lazy: () => import('./status/page.tsx') },
              { path: 'feedback', lazy: () => import('./feedback/page.tsx') },
              { path: 'intelligence', lazy: () => import('./intelligence/page.tsx') },
              { path: '*', lazy: () => import('./not-found/inside.tsx') },
            ],
          },
          { path: '*', lazy: () => import('./not-found/page.tsx') },
        ],
      },
    ],
    BASE_PATH === '' ? {} : { basename: BASE_PATH },
  )
}
