import { Button } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { asApiError } from '../api/client.ts'
import { type Column, Empty, Panel, WideTable } from './page.tsx'
import { ProblemNotice } from './problem-notice.tsx'
import { useChange } from './use-change.ts'

/** A log, the newest entry first: read page by page, downloaded as a whole. */
export function LogPanel<Entry>(props: {
  title: string
  query: UseInfiniteQueryResult<InfiniteData<{ readonly data: readonly Entry[] }>>
  csv: { readonly path: string; readonly fileName: string }
  empty: string
  columns: readonly Column[]
  row: (entry: Entry) => ReactNode
}) {
  const { query, csv } = props
  const download = useChange((own) => own.download(csv.path, 'text/csv', csv.fileName))
  const entries = query.data?.pages.flatMap((page) => page.data)
  return (
    <Panel
      title={props.title}
      action={
        <Button variant="default" size="xs" loading={download.busy} onClick={() => download.submit(undefined)}>
          Download CSV
        </Button>
      }
    >
      {download.error ? <ProblemNotice error={download.error} /> : null}
      {query.isError ? <ProblemNotice error={asApiError(query.error)} title="This part did not load" /> : null}
      {entries?.length === 0 ? <Empty>{props.empty}</Empty> : null}
      {entries && entries.length > 0 ? (
        <WideTable label={props.title} columns={props.columns}>
          {entries.map(props.row)}
        </WideTable>
      ) : null}
      {query.hasNextPage ? (
        <Button
          variant="default"
          size="sm"
          mt="md"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Older entries
        </Button>
      ) : null}
    </Panel>
  )
}
