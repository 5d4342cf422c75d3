import '../check/check.css'
import { DataList, Drawer, List as Items, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { nextSteps } from '../check/next-steps.ts'
import { Signals } from '../check/signals.tsx'
import { Loaded, Quiet } from '../shell/page.tsx'
import { type Answered, batchKey, columnsOf, placeIn } from './list.ts'
import { LevelWord } from './rows.tsx'
import { readSignals } from './store.ts'
import { reportRow, type Table } from './table.ts'

interface DrawerProps {
  readonly table: Table
  readonly answered: Answered
  readonly row: number | undefined
  readonly close: () => void
}

export function RowDrawer({ table, answered, row, close }: DrawerProps) {
  return (
    <Drawer
      opened={row !== undefined}
      onClose={close}
      position="right"
      size="lg"
      title={row === undefined ? '' : `Row ${table.lines[row]}`}
    >
      {row === undefined ? null : <Explanation table={table} answered={answered} row={row} />}
    </Drawer>
  )
}

function Explanation({ table, answered, row }: { table: Table; answered: Answered; row: number }) {
  const { list } = table
  const found = reportRow(table, answered, row)
  const { standing } = found
  const hasLevel = standing === 'low' || standing === 'medium' || standing === 'high'
  const value = table.values[table.records[row] ?? -1]
  return (
    <Stack gap="md">
      <div>
        <Text ff="monospace" fz="lg" mb={6} className="breakable">
          {value ?? table.cells[row]?.[list.column]}
        </Text>
        <LevelWord found={found} />
        {found.note ? <Quiet>{found.note}.</Quiet> : null}
        {hasLevel ? null : <Text size="sm">{found.reason}</Text>}
      </div>
      <section aria-labelledby="row-steps">
        <Text component="h3" id="row-steps" fw={600} mb={8}>
          What to do
        </Text>
        <Items type="ordered" size="sm" spacing={4}>
          {(hasLevel ? nextSteps(list.kind, standing).steps : [found.toDo]).map((step) => (
            <Items.Item key={step}>{step}</Items.Item>
          ))}
        </Items>
      </section>
      {hasLevel ? <Why table={table} answered={answered} row={row} score={found.score ?? 0} /> : null}
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

function Why(props: { table: Table; answered: Answered; row: number; score: number }) {
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
            // The start is the score minus the effects of all signals.
            <Signals signals={data} score={score} start={data.reduce((rest, { effect }) => rest - effect, score)} />
          ) : (
            <Quiet>The reasons of this answer were not kept.</Quiet>
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
    return kept?.of[place.at]?.flatMap((one) => kept.signals[one] ?? []) ?? null
  }
  return null
}
