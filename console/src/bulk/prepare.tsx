import { kindOfColumn, SAMPLE_ROWS } from '@assay/reader/columns'
import { KIND_WORDS } from '@assay/reader/kinds'
import { type ListTable, type ReadList, readList } from '@assay/reader/list'
import { KIND_NAMES, type Kind } from '@assay/sdk'
import { Alert, Box, Group, NativeSelect, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { newRequestKey } from '../api/organisation.ts'
import { count, counted } from '../shell/format.ts'
import { Figure, Figures, MainButton, ProblemNotice, Quiet, QuietButton } from '../shell/page.tsx'
import { Scroller } from '../shell/table.tsx'
import { useSubmit } from '../shell/use-session.ts'
import { listOf, piecesOf } from './list.ts'
import { agree, keep, useSender } from './lists.ts'
import { isCurrent, Price, type Priced, usePrice } from './price.tsx'
import { asProblem } from './store.ts'

export type OpenList = { readonly name: string; readonly table: ListTable }

export function Prepare({ list, owner, back }: { list: OpenList; owner: string; back: () => void }) {
  const { table, name } = list
  const [column, setColumn] = useState(table.guess?.column ?? 0)
  const [kind, setKind] = useState<Kind>(table.guess?.kind ?? 'email')
  const prepared = useQuery({
    queryKey: ['list', table, column, kind],
    queryFn: ({ signal }) => readList(table, { column, kind }, signal),
    queryKeyHashFn: () => `list ${name} ${column} ${kind}`,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })

  /** Another column may hold another kind. */
  function choose(chosen: number): void {
    setColumn(chosen)
    const most = kindOfColumn([{ line: 1, cells: table.columns }, ...table.rows.slice(0, SAMPLE_ROWS)], chosen)
    if (most) setKind(most.kind)
  }

  return (
    <Stack gap="md">
      <section className="panel" aria-label="The list">
        <Group justify="space-between" align="flex-end" gap="md">
          <div>
            <Text fw={600}>{name}</Text>
            <Quiet>
              {counted(table.rows.length, 'row')}, {counted(table.columns.length, 'column')}. {table.notes.join(' ')}
            </Quiet>
          </div>
          <Group gap="md">
            {table.columns.length > 1 ? (
              <NativeSelect
                label="Column"
                value={String(column)}
                onChange={(event) => choose(Number(event.currentTarget.value))}
                data={table.columns.map((title, index) => ({ value: String(index), label: title }))}
              />
            ) : null}
            <NativeSelect
              label="Holds"
              value={kind}
              onChange={(event) => {
                const chosen = KIND_NAMES.find((one) => one === event.currentTarget.value)
                if (chosen) setKind(chosen)
              }}
              data={KIND_NAMES.map((value) => ({ value, label: KIND_WORDS[value].many }))}
            />
          </Group>
        </Group>
      </section>
      {table.guess ? null : (
        <Alert role="alert" title="No column looks like emails, domains or IP addresses">
          The columns are {table.columns.map((title) => `“${title}”`).join(', ')}. Choose the right one above, or drop
          another file.
        </Alert>
      )}
      {prepared.data ? (
        <Ready read={prepared.data} list={list} column={column} kind={kind} owner={owner} back={back} />
      ) : (
        <Skeleton height={180} aria-label="Reading the list" />
      )}
    </Stack>
  )
}

type ReadyProps = Parameters<typeof Prepare>[0] & { read: ReadList; column: number; kind: Kind }

function Ready({ read, list: { name, table }, column, kind, owner, back }: ReadyProps) {
  const sender = useSender()
  const navigate = useNavigate()
  const { distinct, duplicates, unread, blank } = read
  const records = distinct.length
  const price = usePrice(owner, kind, records)
  const start = useSubmit(async (priced: Priced) => {
    const list = listOf({ id: newRequestKey(), owner, name, kind, column, table, read, createdAtMs: Date.now() })
    const runner = await keep(list, piecesOf(list.id, read)).catch((error: unknown) => {
      throw asProblem(error)
    })
    await agree(runner, priced)
    void runner.go(sender)
    await navigate(`/console/bulk/${list.id}`)
  })
  const priced = price.data
  const sent = priced ? priced.cover.free + priced.cover.paid : 0
  return (
    <>
      <section className="panel" aria-label="Records to check">
        <Figures>
          <Figure label="To check" value={count(records)} />
          <Figure label="Duplicates, checked once" value={count(duplicates)} />
          <Figure label="Cannot be checked" value={count(unread)} />
          {blank > 0 ? <Figure label="Empty rows" value={count(blank)} /> : null}
        </Figures>
        {unread > 0 ? <UnreadRows read={read} column={column} /> : null}
      </section>
      {records === 0 ? (
        <Alert role="alert" title="There is nothing to check">
          No row of this column contains {KIND_WORDS[kind].many}. Choose another column or kind above.
        </Alert>
      ) : (
        <Price price={price} records={records} />
      )}
      <ProblemNotice error={start.error} title="The list could not be stored in this browser" />
      <Group>
        <MainButton
          size="md"
          disabled={sent === 0 || !isCurrent(price)}
          loading={start.busy}
          onClick={() => priced && start.submit(priced)}
          label={sent === 0 ? 'Check' : `Check ${counted(sent, 'record')}`}
        />
        <QuietButton size="md" onClick={back} label="Another list" />
      </Group>
    </>
  )
}

const UNREAD_SHOWN_MAX = 200

function UnreadRows({ read: { rows, unread }, column }: { read: ReadList; column: number }) {
  const shown = useMemo(
    () => rows.filter(({ row, problem }) => problem && row.cells[column]?.trim()).slice(0, UNREAD_SHOWN_MAX),
    [rows, column],
  )
  return (
    <Box component="details" mt="1rem">
      <summary>
        {counted(unread, 'row')} cannot be checked
        {unread > shown.length ? `; the first ${shown.length}` : ''}
      </summary>
      <Scroller className="invalid-scroll" label="Invalid rows">
        <table className="plain-table">
          <thead>
            <tr>
              <th>Row</th>
              <th>Value</th>
              <th>What is wrong</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ row, problem }) => (
              <tr key={row.line}>
                <td>{row.line}</td>
                <td className="mono">{row.cells[column]?.trim().slice(0, 80)}</td>
                <td>{problem}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
    </Box>
  )
}
