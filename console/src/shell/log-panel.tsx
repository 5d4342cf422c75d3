import { Button } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { asAssayError } from '../api/client.ts'
import type { FileWanted } from '../api/organisation.ts'
import { Loaded, Panel } from './page.tsx'
import { type Problem, ProblemNotice } from './problem-notice.tsx'
import { type Column, WideTable } from './table.tsx'
import { useRead } from './use-change.ts'

/** A log, the newest entry first: read page by page, and downloaded as a whole where it has that form. */
export function LogPanel<Entry extends { readonly id: string }>(props: {
  title: string
  query: UseInfiniteQueryResult<InfiniteData<{ readonly data: readonly Entry[] }>>
  csv?: Omit<FileWanted, 'type'>
  error?: Problem
  failed?: string
  empty: string
  columns: readonly Column<Entry>[]
}) {
  const { title, query, csv, error, failed, empty, columns } = props
  return (
    <Panel title={title} action={csv ? <Download {...csv} /> : null} error={error} {...(failed ? { failed } : {})}>
      <Loaded query={query}>
        {({ pages }) => <WideTable label={title} rows={pages.flatMap(({ data }) => data)} {...{ columns, empty }} />}
      </Loaded>
      {query.isFetchNextPageError ? (
        <ProblemNotice error={asAssayError(query.error)} title="The older entries did not load" />
      ) : null}
      {query.hasNextPage ? (
        <div>
          <Button
            variant="default"
            size="sm"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            Older entries
          </Button>
        </div>
      ) : null}
    </Panel>
  )
}

function Download(file: Omit<FileWanted, 'type'>) {
  const { submit, busy, error } = useRead((own) => own.download({ ...file, type: 'text/csv' }))
  return (
    <>
      <Button variant="default" size="xs" loading={busy} onClick={() => submit()}>
        Download CSV
      </Button>
      <ProblemNotice error={error} />
    </>
  )
}
