import type { CheckedColumn } from '@assay/reader/columns'
import { KIND_WORDS } from '@assay/reader/kinds'
import { type ListTable, type ReadList, readList } from '@assay/reader/list'
import { KIND_NAMES } from '@assay/sdk'
import { Alert, Box, Group, NativeSelect, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { newRequestKey } from '../api/organisation.ts'
import { capitalised, counted } from '../shell/format.ts'
import { Figures, MainButton, ProblemNotice, Quiet, QuietButton } from '../shell/page.tsx'
import { Scroller, WideTable } from '../shell/table.tsx'
import { useSubmit } from '../shell/use-session.ts'
import { countFigures } from './controls.tsx'
import { type KindCount, listOf, piecesOf } from './list.ts'
import { agree, keep, useSender } from './lists.ts'
import { isCurrent, Price, type Priced, usePrice } from './price.tsx'
import { asProblem } from './store.ts'

export type OpenList = { readonly name: string; readonly table: ListTable; readonly source: string | Blob }

interface PrepareProps {
  readonly list: OpenList
  readonly owner: string
  readonly back: () => void
  readonly readSheet: (sheet: string) => void
}

export function Prepare({ list, owner, back, readSheet }: PrepareProps) {
  const { table, name } = list
  const [checked, setChecked] = useState<readonly CheckedColumn[]>(() => (table.guess ? [table.guess] : []))
  const [first, ...more] = checked
  const prepared = useQuery({
    queryKey: ['list', table, checked],
    queryFn: ({ signal }) => readList(table, checked, signal),
    queryKeyHashFn: () => `list ${name} ${table.sheet} ${checked.map(({ column, kind }) => `${column} ${kind}`)}`,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
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
          {table.sheets ? (
            <NativeSelect
              label="Sheet"
              value={table.sheet}
              onChange={(event) => readSheet(event.currentTarget.value)}
              data={[...table.sheets]}
            />
          ) : null}
        </Group>
        <Preview table={table} checked={checked} choose={setChecked} />
      </section>
      {first === undefined ? (
        <Alert
          role="alert"
          title={table.guess ? 'Choose a column' : 'No column looks like emails, domains or IP addresses'}
        >
          The columns are {table.columns.map((title) => `“${title}”`).join(', ')}. Choose above what is in them, or drop
          another file.
          <Group mt="sm">
            <QuietButton onClick={back} label="Another list" />
          </Group>
        </Alert>
      ) : prepared.data ? (
        <Ready read={prepared.data} list={list} checked={[first, ...more]} owner={owner} back={back} />
      ) : (
        <Skeleton height={180} aria-label="Reading the list" />
      )}
    </Stack>
  )
}

const ROWS_SHOWN = 5
const NOT_CHECKED = 'not checked'
const ANY_KIND = 'any kind'

/** The first rows, and what is checked of them: several columns may be. */
function Preview({ table, checked, choose }: { table: ListTable; checked: readonly CheckedColumn[]; choose: Choose }) {
  const checkedAt = (column: number) => checked.find((one) => one.column === column)
  const columns = table.columns.map((title, column) => ({ title, column }))
  const set = (column: number, value: string) => {
    const chosen = value === NOT_CHECKED ? [] : [{ column, kind: KIND_NAMES.find((one) => one === value) }]
    const others = checked.filter((one) => one.column !== column)
    choose([...others, ...chosen].sort((a, b) => a.column - b.column))
  }
  return (
    <Scroller className="preview-scroll" label="The first rows">
      <table className="plain-table preview">
        <thead>
          <tr>
            {columns.map(({ title, column }) => (
              <th key={column} scope="col">
                {title}
                <NativeSelect
                  aria-label={`Check “${title}” as`}
                  size="xs"
                  mt={4}
                  miw="9.5rem"
                  value={checkedAt(column) ? (checkedAt(column)?.kind ?? ANY_KIND) : NOT_CHECKED}
                  onChange={(event) => set(column, event.currentTarget.value)}
                  data={[
                    { value: NOT_CHECKED, label: 'Not checked' },
                    ...KIND_NAMES.map((value) => ({ value, label: capitalised(KIND_WORDS[value].many) })),
                    { value: ANY_KIND, label: 'Each for what it is' },
                  ]}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.slice(0, ROWS_SHOWN).map(({ line, cells }) => (
            <tr key={line}>
              {columns.map(({ column }) => (
                <td key={column} data-checked={checkedAt(column) ? true : undefined}>
                  {cells[column]?.slice(0, 80)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  )
}

type Choose = (checked: readonly CheckedColumn[]) => void

interface ReadyProps extends Pick<PrepareProps, 'list' | 'owner' | 'back'> {
  readonly read: ReadList
  readonly checked: readonly [CheckedColumn, ...CheckedColumn[]]
}

function Ready({ read, list: { name, table }, checked, owner, back }: ReadyProps) {
  const sender = useSender()
  const navigate = useNavigate()
  const { distinct, unread } = read
  const records = distinct.length
  const price = usePrice(owner, countsOf(read))
  const start = useSubmit(async (priced: Priced) => {
    const list = listOf({ id: newRequestKey(), owner, name, checked, table, read, createdAtMs: Date.now() })
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
        <Figures of={countFigures(records, read)} />
        {unread > 0 ? <UnreadRows read={read} /> : null}
      </section>
      {records === 0 ? (
        <Alert role="alert" title="There is nothing to check">
          No row contains what was chosen. Choose another column or kind above.
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

function countsOf({ distinct }: ReadList): KindCount[] {
  return KIND_NAMES.flatMap((kind) => {
    const { length: records } = distinct.filter(({ indicator }) => indicator.kind === kind)
    return records > 0 ? [{ kind, records }] : []
  })
}

const UNREAD_SHOWN_MAX = 200

function UnreadRows({ read: { rows, unread } }: { read: ReadList }) {
  const shown = useMemo(() => {
    const filled = rows.filter(({ row, column, problem }) => problem && row.cells[column]?.trim())
    // Several values of a cell may have the same problem.
    const byPlace = filled.map((one) => [`${one.row.line} ${one.column} ${one.problem}`, one] as const)
    return [...new Map(byPlace.slice(0, UNREAD_SHOWN_MAX)).values()]
  }, [rows])
  return (
    <Box component="details" mt="1rem">
      <summary>
        {counted(unread, 'value')} that {unread === 1 ? 'is' : 'are'} not sent, and why
        {unread > shown.length ? `; the first ${shown.length}` : ''}
      </summary>
      <div className="invalid-scroll">
        <WideTable
          label="Values that are not sent"
          rows={shown}
          columns={{
            Row: ({ row }) => row.line,
            Value: [({ row, column }) => row.cells[column]?.trim().slice(0, 80), 'mono'],
            'What is wrong': ({ problem }) => problem,
          }}
        />
      </div>
    </Box>
  )
}
