import type { AssayError } from '@assay/sdk'
import { Button } from '@mantine/core'
import { asAssayError } from '../api/client.ts'
import { ProblemNotice } from './problem-notice.tsx'
import { Sheet } from './sheet.tsx'

/** A whole page for what could not be loaded. `retry` is left out where trying again cannot help. */
export function ProblemPage({ title, error, retry }: { title: string; error: AssayError; retry?: () => void }) {
  return (
    <Sheet outcome="failed" title={title}>
      <ProblemNotice error={error} />
      {retry ? (
        <Button variant="default" size="md" onClick={retry}>
          Try again
        </Button>
      ) : null}
    </Sheet>
  )
}

/** A whole page for what the server did not give. */
export function NotLoaded({ query }: { query: { readonly error: unknown; readonly refetch: () => unknown } }) {
  return (
    <ProblemPage title="This page did not load" error={asAssayError(query.error)} retry={() => void query.refetch()} />
  )
}
