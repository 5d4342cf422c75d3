import { useRouteError } from 'react-router'
import { asAssayError } from '../api/client.ts'
import { ProblemPage } from './problem-page.tsx'

/** Reached when a page throws, or when its script is gone because the server was upgraded meanwhile. */
export function RouteError() {
  return (
    <ProblemPage
      title="This page did not load"
      error={asAssayError(useRouteError())}
      retry={() => window.location.reload()}
    />
  )
}
