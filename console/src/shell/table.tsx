import { Box, Group, Text } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode, Ref } from 'react'
import { asAssayError } from '../api/client.ts'
import type { FileWanted } from '../api/organisation.ts'
import { Loaded, Panel, type PanelProps, ProblemNotice, Quiet, QuietButton, type Read } from './page.tsx'
import { useFile } from './use-session.ts'

/** A part of the page that scrolls on its own. It is focusable, so that the keyboard can scroll it too. */
export function Scroller(props: { className: string; label: string; ref?: Ref<HTMLElement>; children: ReactNode }) {
  return (
    <Box component="section" ref={props.ref} className={props.className} tabIndex={0} aria-label={props.label}>
      {props.children}
    </Box>
  )
}

type Cell<Row> = (row: Row) => ReactNode
type Look = 'number' | 'when' | 'mono' | 'name'

/** By title: the content of the cells, and their style where they have one: numbers to the right, times in one line. */
export type Columns<Row> = Readonly<Record<string, Cell<Row> | readonly [Cell<Row>, Look]>>

interface TableProps<Row> {
  readonly columns: Columns<Row>
  readonly empty?: string
}

export function TablePanel<Row extends object>(
  props: Omit<PanelProps, 'title'> & { title: string } & TableProps<Row> & {
      rows: readonly Row[] | Read<readonly Row[]> | Read<{ readonly data: readonly Row[] }>
      label?: string
      below?: ReactNode
    },
) {
  const { rows, children, below, ...others } = props
  const table = (read: readonly Row[] | { readonly data: readonly Row[] }) => (
    <WideTable {...others} label={props.label ?? props.title} rows={'data' in read ? read.data : read} />
  )
  return (
    <Panel {...others}>
      {children}
      {'refetch' in rows ? <Loaded<Parameters<typeof table>[0]> query={rows}>{table}</Loaded> : table(rows)}
      {below}
    </Panel>
  )
}

/** A table whose rows become cards on a narrow page, each cell with the title of its column. */
export function WideTable<Row extends object>(props: TableProps<Row> & { label: string; rows: readonly Row[] }) {
  if (props.rows.length === 0 && props.empty !== undefined) return <Quiet>{props.empty}</Quiet>
  const columns = Object.entries(props.columns).map(([title, column]) => {
    const [cell, look] = typeof column === 'function' ? [column, undefined] : column
    return { title, cell, look }
  })
  return (
    <Scroller className="scroll-x" label={`${props.label}, table`}>
      <table className="plain-table cards-when-narrow">
        <thead>
          <tr>
            {columns.map(({ title, look }) => (
              <th key={title} className={look === 'mono' ? undefined : look}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row, at) => (
            <tr key={'id' in row ? String(row.id) : at}>
              {columns.map(({ title, cell, look }) => (
                <td key={title} className={look} style={titled(title)}>
                  {look === 'name' ? <bdi>{cell(row)}</bdi> : cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  )
}

export const titled = (title: string) => ({ '--column': JSON.stringify(title) }) as Record<string, string>

export function twoLines(first: ReactNode, second: ReactNode, look?: 'mono'): ReactNode {
  return (
    <>
      {first}
      {second === null || second === undefined || second === false ? null : (
        <Text size="xs" c="dimmed" className={look ?? ''}>
          {second}
        </Text>
      )}
    </>
  )
}

/** Named after its CSV form; `excel` offers a workbook as well. */
type LogFile = Omit<FileWanted, 'type'> & { readonly excel?: true }

/** The CSV file as a workbook: numbers become numbers. */
async function workbookOf(csv: Blob): Promise<Blob> {
  const [{ createCsvReader }, { writeXlsx, XLSX_MIME_TYPE }] = await Promise.all([
    import('@assay/reader/csv'),
    import('@assay/reader/xlsx'),
  ])
  const reader = createCsvReader()
  const rows = [...reader.write(await csv.text()), ...reader.end()]
  const asNumber = (cell: string) => (/^-?(0|[1-9]\d{0,14})$/.test(cell) ? Number(cell) : cell)
  const content = writeXlsx(rows.map(({ cells }) => cells.map(asNumber)))
  return new Blob([content as Uint8Array<ArrayBuffer>], { type: XLSX_MIME_TYPE })
}

/** A log, the newest entry first: read page by page, and downloadable as a whole if the server offers that. */
export function LogPanel<Entry extends object>(
  props: Omit<PanelProps, 'title'> & { title: string } & TableProps<Entry> & {
      query: UseInfiniteQueryResult<InfiniteData<{ readonly data: readonly Entry[] }>>
      csv?: LogFile
      /** The label of the button for the next page. */
      more?: string
    },
) {
  const { query, csv, more = 'Older entries', columns, ...others } = props
  const table = { label: props.title, columns, ...(props.empty === undefined ? {} : { empty: props.empty }) }
  return (
    <Panel {...others} action={csv ? <Download {...csv} /> : props.action}>
      <Loaded query={query}>{({ pages }) => <WideTable rows={pages.flatMap(({ data }) => data)} {...table} />}</Loaded>
      {query.isFetchNextPageError ? (
        <ProblemNotice error={asAssayError(query.error)} title="The older entries did not load" />
      ) : null}
      {query.hasNextPage ? (
        <div>
          <QuietButton
            size="sm"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
            label={more}
          />
        </div>
      ) : null}
    </Panel>
  )
}

function Download({ excel, ...csv }: LogFile) {
  const file = { ...csv, type: 'text/csv' }
  const download = useFile((own, as: 'csv' | 'xlsx') =>
    own.download(
      as === 'csv' ? file : { ...file, fileName: csv.fileName.replace(/csv$/, 'xlsx'), convert: workbookOf },
    ),
  )
  return (
    <Group gap="xs">
      <QuietButton size="xs" of={download} input="csv" label="Download CSV" />
      {excel ? <QuietButton size="xs" of={download} input="xlsx" label="Download Excel" /> : null}
      <ProblemNotice error={download.error} />
    </Group>
  )
}
