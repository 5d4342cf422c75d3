import type { AssayError } from '@assay/sdk'
import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useRouteError } from 'react-router'
import { asAssayError } from '../api/client.ts'
import { QuietButton } from './buttons.tsx'
import { ProblemNotice } from './problem-notice.tsx'
import { Sheet } from './sheet.tsx'

const QUIET_MS = 150

/** A skeleton that appears only for slow answers, so that nothing flickers. */
export function Loading() {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), QUIET_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status">
      <VisuallyHidden>Loading</VisuallyHidden>
      {shown ? (
        <Stack gap="md" maw="27rem" mx="auto" p="lg" pt="20vh">
          <Skeleton height={36} width="70%" />
          <Skeleton height={16} />
          <Skeleton height={16} width="85%" />
          <Skeleton height={42} mt="md" />
          <Skeleton height={42} />
        </Stack>
      ) : null}
    </div>
  )
}

/** A whole page for a failed load. `retry` is left out when a retry cannot help. */
export function ProblemPage({ title, error, retry }: { title: string; error: AssayError; retry?: () => void }) {
  return (
    <Sheet outcome="failed" title={title}>
      <ProblemNotice error={error} />
      {retry ? (
        <QuietButton size="md" onClick={retry}>
          Try again
        </QuietButton>
      ) : null}
    </Sheet>
  )
}

/** A whole page for data that the server did not return. */
export function NotLoaded({ query }: { query: { readonly error: unknown; readonly refetch: () => unknown } }) {
  return (
    <ProblemPage title="This page did not load" error={asAssayError(query.error)} retry={() => void query.refetch()} />
  )
}

/** Shown when a page throws, or when its script no longer exists because the server was upgraded. */
export function RouteError() {
  return (
    <ProblemPage
      title="This page did not load"
      error={asAssayError(useRouteError())}
      retry={() => window.location.reload()}
    />
  )
}
