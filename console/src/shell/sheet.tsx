import './sheet.css'
import type { AssayError } from '@assay/sdk'
import { Box, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { isValidElement, type ReactElement, type ReactNode, useEffect, useState } from 'react'
import { useRouteError } from 'react-router'
import { asAssayError } from '../api/client.ts'
import { Guilloche, type Outcome, Seal, Wordmark } from '../brand/mark.tsx'
import { Heading, ProblemNotice, QuietButton } from './page.tsx'
import { Said, type Words } from './words.ts'

/** The frame of every page with a single question or message: sign-in, consent, device, done, error. */
export function Sheet(props: { title: Words; lead?: Words | ReactElement; outcome?: Outcome; children?: ReactNode }) {
  return (
    <div className="sheet">
      <Stack
        component="aside"
        visibleFrom="md"
        justify="space-between"
        p="2.5rem"
        pos="relative"
        bg="var(--assay-panel)"
        c="#f6f4ee"
        style={{ overflow: 'hidden' }}
        aria-label="About Assay"
      >
        <Wordmark inverted />
        <Guilloche />
        <Text pos="relative" maw="22rem" ff="heading" fz="1.35rem" lh={1.4}>
          Know who you are dealing with before you pay, sign or connect.
        </Text>
      </Stack>
      <main className="sheet-main">
        <Box w="100%" maw="27rem" mx="auto">
          <Box hiddenFrom="md" mb="2.75rem">
            <Wordmark />
          </Box>
          <Stack gap="lg">
            <div>
              {props.outcome ? <Seal outcome={props.outcome} /> : null}
              <Heading>{props.title}</Heading>
              {props.lead ? (
                <Text component="div" mt={8} c="dimmed" className="breakable">
                  {isValidElement(props.lead) ? props.lead : <Said of={props.lead} />}
                </Text>
              ) : null}
            </div>
            {props.children}
          </Stack>
        </Box>
      </main>
    </div>
  )
}

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
      {retry ? <QuietButton size="md" onClick={retry} label="Try again" /> : null}
    </Sheet>
  )
}

export function NotLoaded({ query }: { query: { readonly error: unknown; readonly refetch: () => unknown } }) {
  const error = asAssayError(query.error)
  const title = error.code === 'maintenance' ? 'Closed for maintenance' : 'This page did not load'
  return <ProblemPage title={title} error={error} retry={() => void query.refetch()} />
}

/** A page of its own, when what it needs was read. */
export function LoadedPage<Data>(props: { query: UseQueryResult<Data>; children: (data: Data) => ReactNode }) {
  const { query } = props
  if (query.isPending) return <Loading />
  return query.isError ? <NotLoaded query={query} /> : props.children(query.data)
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
