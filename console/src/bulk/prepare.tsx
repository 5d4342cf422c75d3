import { kindsIn } from '@assay/reader/columns'
import { KIND_WORDS } from '@assay/reader/kinds'
import { type ReadList, readList } from '@assay/reader/list'
import { KINDS, type Kind } from '@assay/sdk'
import { Alert, Button, Group, NativeSelect, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { Quote } from '../api/billing.ts'
import { asAssayError } from '../api/client.ts'
import { newRequestKey } from '../api/organisation.ts'
import { count, counted, money } from '../shell/money.ts'
import { Scroller } from '../shell/page.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { useApi } from '../shell/use-organisation.ts'
import { useSubmit } from '../shell/use-submit.ts'
import { begin } from './current.ts'
import type { OpenList } from './drop.tsx'
import { BATCH_SIZE } from './run.ts'

/** What is in the list and what it would cost; nothing has been sent yet. */
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

  /** Another column may hold something else. */
  function choose(chosen: number): void {
    setColumn(chosen)
    const [most] = kindsIn(table.rows, chosen)
    if (most) setKind(most.kind)
  }

  return (
    <Stack gap="md">
      <section className="panel" aria-label="The list">
        <Group justify="space-between" align="flex-end" gap="md">
          <div>
            <Text fw={600}>{name}</Text>
            <Text size="sm" c="dimmed">
              {counted(table.rows.length, 'row')}, {counted(table.columns.length, 'column')}. {table.notes.join(' ')}
            </Text>
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
              onChange={(event) => setKind(event.currentTarget.value as Kind)}
              data={Object.entries(KIND_WORDS).map(([value, { many }]) => ({ value, label: many }))}
            />
          </Group>
        </Group>
      </section>
      {table.guess ? null : (
        <Alert role="alert" title="No column looks like emails, domains or IP addresses">
          <Text size="sm">
            The columns are {table.columns.map((title) => `“${title}”`).join(', ')}. Choose the right one above, or drop
            another file.
          </Text>
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

function Ready({
  read,
  list,
  column,
  kind,
  owner,
  back,
}: {
  read: ReadList
  list: OpenList
  column: number
  kind: Kind
  owner: string
  back: () => void
}) {
  const api = useApi()
  const { distinct, duplicates, unread, blank } = read
  const records = distinct.length
  const { family } = KINDS[kind]
  const quote = useQuery({
    queryKey: [api.organisationId, 'quote', family, records],
    queryFn: ({ signal }) => api.call('POST /v1/billing/quote', { body: { family, records }, signal }),
    enabled: records > 0,
    staleTime: 0,
  })
  const start = useSubmit(
    useCallback(async () => {
      const runner = await begin({
        id: newRequestKey(),
        owner,
        kind,
        name: list.name,
        createdAtMs: Date.now(),
        records: distinct.map(({ indicator }) => indicator.value),
        rowOf: distinct.map(({ line }) => line),
        times: distinct.map(({ times }) => times),
        duplicates,
        invalid: unread,
        batchSize: BATCH_SIZE,
      })
      void runner.go(api)
      back()
    }, [distinct, duplicates, unread, owner, kind, list, api, back]),
  )
  return (
    <>
      <section className="panel" aria-label="What would be checked">
        <dl className="figures">
          <Figure label="To check" value={count(records)} />
          <Figure label="Duplicates left out" value={count(duplicates)} />
          <Figure label="Invalid rows left out" value={count(unread)} />
          {blank > 0 ? <Figure label="Empty rows" value={count(blank)} /> : null}
        </dl>
        {unread > 0 ? <UnreadRows read={read} column={column} /> : null}
      </section>
      {records === 0 ? (
        <Alert role="alert" title="There is nothing to check">
          <Text size="sm">
            No row of this column holds {KIND_WORDS[kind].many}. Choose another column or kind above.
          </Text>
        </Alert>
      ) : quote.isError ? (
        <ProblemNotice error={asAssayError(quote.error)} title="The price could not be worked out" />
      ) : (
        <Price quote={quote.data} />
      )}
      {start.error ? <ProblemNotice error={start.error} title="The list could not be kept in this browser" /> : null}
      <Group>
        <Button
          size="md"
          disabled={records === 0 || !quote.data}
          loading={start.busy}
          onClick={() => start.submit(undefined)}
        >
          {records === 0 ? 'Check' : `Check ${counted(records, 'record')}`}
        </Button>
        <Button size="md" variant="default" onClick={back}>
          Another list
        </Button>
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
    <details className="invalid-rows">
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
    </details>
  )
}

function Price({ quote }: { quote: Quote | undefined }) {
  if (!quote) return <Skeleton height={96} aria-label="Working out the price" />
  return (
    <section className="panel" aria-label="Price">
      <dl className="figures">
        <Figure
          label="Price, at most"
          value={quote.total_price_pence === 0 ? 'Free' : money(quote.total_price_pence)}
        />
        <Figure label="Each" value={money(quote.unit_price_pence)} />
        {quote.free_units > 0 ? <Figure label="Free records" value={count(quote.free_units)} /> : null}
        <Figure label="From credit" value={money(quote.charged_from_credit_pence)} />
        {quote.overage_pence > 0 ? <Figure label="Beyond credit" value={money(quote.overage_pence)} /> : null}
        <Figure label="Credit left afterwards" value={money(quote.remaining_credit_pence)} />
      </dl>
      {quote.covered ? null : (
        <Alert mt="md" title={`${money(quote.shortfall_pence)} of credit is missing`}>
          <Text size="sm">
            The checks stop when the credit is used up; what was answered stays, and you can go on after a top-up.
          </Text>
        </Alert>
      )}
    </section>
  )
}

export function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}
