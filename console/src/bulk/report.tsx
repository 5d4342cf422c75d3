import '../check/check.css'
import {
  Checkbox,
  DataList,
  Drawer,
  Group,
  List as Items,
  Menu,
  NativeSelect,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { saveAs } from '../api/organisation.ts'
import { Signals } from '../check/signals.tsx'
import { nextSteps } from '../check/words.ts'
import { checkPath } from '../history/words.tsx'
import { count, counted } from '../shell/format.ts'
import { LinkLine, Loaded, Panel, ProblemNotice, Quiet, QuietButton } from '../shell/page.tsx'
import { useSubmit } from '../shell/use-session.ts'
import { type Format, reportFile } from './file.ts'
import { type Answered, batchKey, columnsOf, kindOf, type List, placeIn } from './list.ts'
import { LevelWord, RowCards, RowTable, type Sort } from './rows.tsx'
import { readSignals } from './store.ts'
import {
  checkedValue,
  FILTERS,
  type Filter,
  hasScore,
  type ReportTable,
  reportRow,
  SORTS,
  selectRows,
  textsOf,
} from './table.ts'

const FILTER_WORDS: Readonly<Record<Filter, string>> = {
  all: 'All',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  none: 'Not checked',
}
/** More columns would leave no room for the results. */
const COLUMNS_IN_SIGHT = 2

/** Every row of the file with its answer or the reason why it has none. Only visible rows exist in the page. */
export function Report({ table, answered }: { table: ReportTable; answered: Answered }) {
  const { list } = table
  const [address, setAddress] = useSearchParams()
  const filter = FILTERS.find((one) => one === address.get('level')) ?? 'all'
  const [search, setSearch] = useState('')
  const [sort, setSort] = useState<Sort>({ by: 'score', descending: true })
  const [columns, setColumns] = useState(() => firstColumns(list))
  const [opened, setOpened] = useState<number>()
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const deferredSearch = useDeferredValue(search)
  const texts = useTexts(table)
  const view = useMemo(() => {
    const options = {
      filter,
      search: deferredSearch.trim().toLowerCase(),
      sortBy: sort.by,
      descending: sort.descending,
    }
    return selectRows(table, answered, options, texts)
  }, [table, answered, filter, deferredSearch, sort, texts])
  const levels = {
    'aria-label': 'Level',
    value: filter,
    onChange: (value: string) => setAddress(value === 'all' ? {} : { level: value }, { replace: true }),
    data: FILTERS.map((value) => ({
      value,
      label: `${FILTER_WORDS[value]} ${count(rowsOf(list, answered, value))}`,
    })),
  }
  const shown = { table, answered, view, columns, sort, setSort, open: setOpened }
  return (
    <Panel title="Report" action={<Download table={table} answered={answered} view={view} />}>
      <Group gap="sm">
        {isNarrow ? (
          <NativeSelect {...levels} onChange={(event) => levels.onChange(event.currentTarget.value)} />
        ) : (
          <SegmentedControl {...levels} />
        )}
        <TextInput
          aria-label="Find"
          placeholder="Find in every column"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {isNarrow ? (
          <NativeSelect
            aria-label="Sort by"
            value={sort.by}
            onChange={({ currentTarget: { value } }) =>
              setSort({ by: SORTS.find((one) => one === value) ?? 'row', descending: value === 'score' })
            }
            data={SORTS.map((value) => ({ value, label: `By ${value}` }))}
          />
        ) : null}
        {list.columns.length > 1 ? <ColumnChoice list={list} chosen={columns} choose={setColumns} /> : null}
        <Text size="sm" c="dimmed" role="status">
          {count(view.length)} of {counted(list.rows, 'row')}
        </Text>
      </Group>
      {isNarrow ? <RowCards {...shown} /> : <RowTable {...shown} />}
      <Drawer
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        position="right"
        size="lg"
        title={opened === undefined ? '' : `Row ${table.lines[opened]}`}
      >
        {opened === undefined ? null : <Explanation table={table} answered={answered} row={opened} />}
      </Drawer>
    </Panel>
  )
}

function rowsOf({ rows }: List, { rows: of }: Answered, filter: Filter): number {
  if (filter === 'all') return rows
  return filter === 'none' ? rows - of.high - of.medium - of.low : of[filter]
}

/** Computed once per table, and only when a person searches. */
function useTexts(table: ReportTable): () => readonly string[] {
  const made = useRef<{ table: ReportTable; texts: readonly string[] }>(undefined)
  return useCallback(() => {
    if (made.current?.table !== table) made.current = { table, texts: textsOf(table) }
    return made.current.texts
  }, [table])
}

/** The column of checked values is always included. */
function firstColumns({ column, more = [], columns }: List): readonly number[] {
  const others = columns.flatMap((_, at) => (at === column || more.includes(at) ? [] : [at]))
  return [column, ...others.slice(0, COLUMNS_IN_SIGHT - 1)].sort((a, b) => a - b)
}

/** Writing a large file blocks the page: draw the button's new state first. */
const drawn = () => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)))

function Download({ table, answered, view }: { table: ReportTable; answered: Answered; view: Uint32Array }) {
  const download = useSubmit(async (format: Format) => {
    await drawn()
    const { content, name } = await reportFile(format, table, answered, view)
    saveAs(content, name)
  })
  const isEmpty = view.length === 0
  return (
    <Group gap="xs">
      <Quiet>Download {counted(view.length, 'row')}</Quiet>
      <QuietButton size="sm" disabled={isEmpty} of={download} input="csv" label="CSV" />
      <QuietButton size="sm" disabled={isEmpty} of={download} input="xlsx" label="Excel" />
      <ProblemNotice error={download.error} title="The file could not be created" />
    </Group>
  )
}

function ColumnChoice(props: { list: List; chosen: readonly number[]; choose: (columns: readonly number[]) => void }) {
  const { list, chosen, choose } = props
  return (
    <Menu closeOnItemClick={false} withinPortal position="bottom-start">
      <Menu.Target>
        <QuietButton size="sm" label={`Columns: ${chosen.length} of ${list.columns.length}`} />
      </Menu.Target>
      <Menu.Dropdown mah="20rem" style={{ overflowY: 'auto' }}>
        {columnsOf(list).map(({ title, column }) => (
          <Checkbox
            key={column}
            size="sm"
            m={6}
            label={title}
            checked={chosen.includes(column)}
            onChange={(event) => {
              const others = chosen.filter((one) => one !== column)
              choose(event.currentTarget.checked ? [...others, column].sort((a, b) => a - b) : others)
            }}
          />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function Explanation({ table, answered, row }: { table: ReportTable; answered: Answered; row: number }) {
  const { list } = table
  const found = reportRow(table, answered, row)
  const { state } = found
  return (
    <Stack gap="md">
      <div>
        <Text ff="monospace" fz="lg" mb={6} className="breakable">
          {table.values[table.records[row] ?? -1] ?? checkedValue(table, row)}
        </Text>
        <LevelWord found={found} />
        {found.note ? <Quiet>{found.note}.</Quiet> : null}
        {hasScore(state) ? null : <Text size="sm">{found.reason}</Text>}
      </div>
      <section aria-labelledby="row-steps">
        <Text component="h3" id="row-steps" fw={600} mb={8}>
          What to do
        </Text>
        <Items type="ordered" size="sm" spacing={4}>
          {(hasScore(state) ? nextSteps(kindOf(list, table.records[row] ?? -1), state).steps : [found.toDo]).map(
            (step) => (
              <Items.Item key={step}>{step}</Items.Item>
            ),
          )}
        </Items>
      </section>
      {hasScore(state) ? <Why table={table} answered={answered} row={row} score={found.score ?? 0} /> : null}
      <section aria-labelledby="row-cells">
        <Text component="h3" id="row-cells" fw={600} mb={8}>
          In the file
        </Text>
        <DataList gap={6}>
          {columnsOf(list).map(({ title, column }) => (
            <DataList.Item key={column}>
              <DataList.ItemLabel>{title}</DataList.ItemLabel>
              <DataList.ItemValue className="breakable">{table.cells[row]?.[column] || '–'}</DataList.ItemValue>
            </DataList.Item>
          ))}
        </DataList>
      </section>
    </Stack>
  )
}

function Why(props: { table: ReportTable; answered: Answered; row: number; score: number }) {
  const { table, answered, row, score } = props
  const record = table.records[row] ?? -1
  const signals = useQuery({
    queryKey: ['signals', table.list.id, record],
    queryFn: () => signalsOf(answered, record),
    gcTime: 0,
  })
  return (
    <section aria-labelledby="row-why">
      <Text component="h3" id="row-why" fw={600} mb={8}>
        Why {score}
      </Text>
      <Loaded query={signals}>
        {(data) =>
          data ? (
            <>
              {/* The start is the score minus the effects of all signals. */}
              <Signals
                signals={data.signals}
                score={score}
                start={data.signals.reduce((rest, { effect }) => rest - effect, score)}
              />
              {data.checkId ? <LinkLine to={checkPath(data.checkId)} label="Open the kept check" /> : null}
            </>
          ) : (
            <Quiet>The reasons of this answer were not stored.</Quiet>
          )
        }
      </Loaded>
    </section>
  )
}

async function signalsOf({ batches, legs }: Answered, record: number) {
  for (const leg of legs) {
    const place = placeIn(leg, record)
    if (!place || !batches.get(batchKey({ runId: leg.runId, number: place.number }))?.answers) continue
    const kept = await readSignals(leg.runId, place.number)
    const own = kept?.of[place.at]?.flatMap((one) => kept.signals[one] ?? [])
    return own ? { signals: own, checkId: kept?.checks?.[place.at] } : null
  }
  return null
}
