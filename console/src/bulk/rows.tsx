import { Group, Text, UnstyledButton } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useRef } from 'react'
import { capitalised } from '../shell/format.ts'
import { Level } from '../shell/page.tsx'
import { Scroller } from '../shell/table.tsx'
import type { Answered } from './list.ts'
import { checkedValue, type ReportRow, type ReportTable, reportRow, type SortBy } from './table.ts'

export type Sort = { readonly by: SortBy; readonly descending: boolean }

interface RowsProps {
  readonly table: ReportTable
  readonly answered: Answered
  readonly view: Uint32Array
  readonly columns: readonly number[]
  readonly sort: Sort
  readonly setSort: (sort: Sort) => void
  readonly open: (row: number) => void
}

const ROW_HEIGHT_PX = 64
const CARD_HEIGHT_PX = 172

function useRowsInSight(count: number, heightPx: number) {
  const scroller = useRef<HTMLElement>(null)
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => heightPx,
    overscan: 8,
  })
  const items = rows.getVirtualItems()
  return { scroller, items, above: items[0]?.start ?? 0, below: rows.getTotalSize() - (items.at(-1)?.end ?? 0) }
}

export function RowTable({ table, answered, view, columns, sort, setSort, open }: RowsProps) {
  const { list } = table
  const { scroller, items, above, below } = useRowsInSight(view.length, ROW_HEIGHT_PX)
  const heads: { id: string | number; label: string | undefined; width?: string; by?: SortBy }[] = [
    { id: 'row', label: 'Row', width: '3.75rem', by: 'row' },
    ...columns.map((id) =>
      id === list.column
        ? { id, label: list.more ? 'Checked' : list.columns[id], width: '12rem', by: 'record' as const }
        : { id, label: list.columns[id], width: '7.5rem' },
    ),
    { id: 'level', label: 'Level', width: '6.5rem' },
    { id: 'score', label: 'Score', width: '5rem', by: 'score' },
    { id: 'reason', label: 'Main reason' },
    { id: 'to do', label: 'What to do' },
  ]
  return (
    <Scroller ref={scroller} className="rows" label="Report, scrolling">
      <table
        className="plain-table rows-table"
        aria-rowcount={view.length + 1}
        style={{ minWidth: `${columns.length * 9 + 36}rem` }}
      >
        <thead>
          <tr>
            {heads.map(({ id, label, width, by }) => (
              <th key={id} scope="col" style={{ width }} aria-sort={by && sortWord(sort, by)}>
                {by ? (
                  <UnstyledButton py={5} fz="inherit" fw="inherit" onClick={() => setSort(turned(sort, by))}>
                    {label} <span aria-hidden="true">{sort.by === by ? (sort.descending ? '↓' : '↑') : ''}</span>
                  </UnstyledButton>
                ) : (
                  label
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap heightPx={above} columns={heads.length} />
          {items.map(({ index }) => {
            const row = view[index] ?? 0
            return (
              <Row key={row} table={table} answered={answered} columns={columns} row={row} index={index} open={open} />
            )
          })}
          <Gap heightPx={below} columns={heads.length} />
        </tbody>
      </table>
    </Scroller>
  )
}

const turned = (sort: Sort, by: SortBy): Sort => ({
  by,
  descending: sort.by === by ? !sort.descending : by === 'score',
})

function sortWord(sort: Sort, by: SortBy): 'ascending' | 'descending' | 'none' {
  if (sort.by !== by) return 'none'
  return sort.descending ? 'descending' : 'ascending'
}

function Gap({ heightPx, columns }: { heightPx: number; columns: number }) {
  if (heightPx <= 0) return null
  return (
    <tr>
      <td colSpan={columns} style={{ height: heightPx, padding: 0, border: 0 }} />
    </tr>
  )
}

type RowProps = Pick<RowsProps, 'table' | 'answered' | 'columns' | 'open'> & { readonly row: number }

function Row({ table, answered, columns, row, index, open }: RowProps & { readonly index: number }) {
  const found = reportRow(table, answered, row)
  const cells = table.cells[row] ?? []
  return (
    <tr aria-rowindex={index + 2} style={{ position: 'relative', height: ROW_HEIGHT_PX }}>
      <td>
        <UnstyledButton
          className="open-row"
          c="var(--assay-accent)"
          td="underline"
          fz="inherit"
          aria-label={`${table.lines[row]}, explain row`}
          onClick={() => open(row)}
        >
          {table.lines[row]}
        </UnstyledButton>
      </td>
      {columns.map((column) => (
        <td key={column} className={column === table.list.column ? 'mono' : undefined}>
          <Lines most={2}>{column === table.list.column ? checkedValue(table, row) : cells[column]}</Lines>
        </td>
      ))}
      <td>
        <LevelWord found={found} />
      </td>
      <td>{found.score ?? '–'}</td>
      <td>
        <Lines most={3}>{reasonWords(found)}</Lines>
      </td>
      <td>
        <Lines most={3}>{found.toDo}</Lines>
      </td>
    </tr>
  )
}

/** At most this many lines: all rows have the same height. */
function Lines({ most, children }: { most: number; children: ReactNode }) {
  return (
    <Text component="span" size="xs" lh={1.25} lineClamp={most} className="breakable">
      {children}
    </Text>
  )
}

const reasonWords = ({ reason, note }: ReportRow) => (note ? `${note}. ${reason}` : reason)

export function LevelWord({ found: { state, level, score } }: { found: ReportRow }) {
  return score === undefined ? (
    <Text span c="dimmed" inherit>
      {capitalised(level)}
    </Text>
  ) : (
    <Level of={state}>{level}</Level>
  )
}

export function RowCards({ table, answered, view, columns, open }: RowsProps) {
  const { scroller, items, above, below } = useRowsInSight(view.length, CARD_HEIGHT_PX)
  return (
    <Scroller ref={scroller} className="rows" label="Report, scrolling">
      <ul className="bare" style={{ paddingTop: above, paddingBottom: below }}>
        {items.map(({ index }) => {
          const row = view[index] ?? 0
          return <Card key={row} table={table} answered={answered} columns={columns} row={row} open={open} />
        })}
      </ul>
    </Scroller>
  )
}

function Card({ table, answered, columns, row, open }: RowProps) {
  const found = reportRow(table, answered, row)
  const cells = table.cells[row] ?? []
  const others = columns.flatMap((column) => (column !== table.list.column && cells[column] ? [cells[column]] : []))
  return (
    <li style={{ height: CARD_HEIGHT_PX, paddingBottom: 10 }}>
      <UnstyledButton
        display="flex"
        w="100%"
        h="100%"
        p="0.65rem 0.75rem"
        fz="sm"
        bg="var(--assay-page)"
        bd="1px solid var(--assay-line)"
        style={{ flexDirection: 'column', gap: '0.3rem', overflow: 'hidden', borderRadius: 'var(--mantine-radius-sm)' }}
        onClick={() => open(row)}
      >
        <Group component="span" wrap="nowrap" justify="space-between">
          <Text component="span" ff="monospace" size="sm" truncate>
            {checkedValue(table, row) || '(empty)'}
          </Text>
          <Quietly>Row {table.lines[row]}</Quietly>
        </Group>
        <Group component="span" wrap="nowrap" justify="space-between">
          <LevelWord found={found} />
          {found.score === undefined ? null : <span>{found.score}</span>}
          <Quietly>{others.join(' · ')}</Quietly>
        </Group>
        <Lines most={2}>{reasonWords(found)}</Lines>
        <Lines most={2}>
          <strong>{found.toDo}</strong>
        </Lines>
      </UnstyledButton>
    </li>
  )
}

function Quietly({ children }: { children: ReactNode }) {
  return (
    <Text component="span" size="xs" c="dimmed" truncate>
      {children}
    </Text>
  )
}
