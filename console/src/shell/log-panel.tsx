import { Button } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { asAssayError } from '../api/client.ts'
import type { FileWanted } from '../api/organisation.ts'
import { type Column, Empty, Loaded, Panel, WideTable } from './page.tsx'
import { ProblemNotice } from './problem-notice.tsx'
import { useRead } from './use-read.ts'

/** A log, the newest entry first: read page by page, and downloaded as a whole where it has that form. */
export function LogPanel<Entry>(props: {
  title: string
  query: UseInfiniteQueryResult<InfiniteData<{ readonly data: readonly Entry[] }>>
  csv?: Omit<FileWanted, 'type'>
  /** Above the entries: what went wrong with one of them. */
  notice?: ReactNode
  empty: string
  columns: readonly Column[]
  row: (entry: Entry) => ReactNode
}) {
  const { query, csv } = props
  return (
    <Panel title={props.title} action={csv ? <Download {...csv} /> : null}>
      {props.notice}
      <Loaded query={query}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.data)
          return entries.length === 0 ? (
            <Empty>{props.empty}</Empty>
          ) : (
            <WideTable label={props.title} columns={props.columns}>
              {entries.map(props.row)}
            </WideTable>
          )
        }}
      </Loaded>
      {query.isFetchNextPageError ? (
        <ProblemNotice error={asAssayError(query.error)} title="The older entries did not load" />
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

function Download(file: Omit<FileWanted, 'type'>) {
  const { submit, busy, error } = useRead((own) => own.download({ ...file, type: 'text/csv' }))
  return (
    <>
      <Button variant="default" size="xs" loading={busy} onClick={() => submit(undefined)}>
        Download CSV
      </Button>
      {error ? <ProblemNotice error={error} /> : null}
    </>
  )
}
