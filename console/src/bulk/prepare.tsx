import { KINDS, type Kind } from '@assay/sdk'
import { Alert, Button, Group, NativeSelect, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { Quote } from '../api/billing.ts'
import { asApiError } from '../api/client.ts'
import { newRequestKey } from '../api/organisation.ts'
import { KIND_WORDS } from '../check/recognise.ts'
import { count, counted, money } from '../shell/money.ts'
import { Scroller } from '../shell/page.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { useApi } from '../shell/use-organisation.ts'
import { useSubmit } from '../shell/use-submit.ts'
import { begin } from './current.ts'
import { type OpenList, type Prepared, prepare } from './read-list.ts'
import { BATCH_SIZE } from './run.ts'

/** What is in the list and what it would cost; nothing has been sent yet. */
export function Prepare({ list, owner, back }: { list: OpenList; owner: string; back: () => void }) {
  const { table, name } = list
  const [column, setColumn] = useState(table.guess?.column ?? 0)
  const [kind, setKind] = useState<Kind>(table.guess?.kind ?? 'email')
  const prepared = useQuery({
    queryKey: ['list', table, column, kind],
    queryFn: ({ signal }) => prepare(table, { column, kind }, signal),
    queryKeyHashFn: () => `list ${name} ${column} ${kind}`,
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
            <Text size="sm" c="dimmed">
              {counted(table.rows.length, 'row')}, {counted(table.columns.length, 'column')}
            </Text>
          </div>
          <Group gap="md">
            {table.columns.length > 1 ? (
              <NativeSelect
                label="Column"
                value={String(column)}
                onChange={(event) => setColumn(Number(event.currentTarget.value))}
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
        <Ready prepared={prepared.data} list={list} kind={kind} owner={owner} back={back} />
      ) : (
        <Skeleton height={180} aria-label="Reading the list" />
      )}
    </Stack>
  )
}

function Ready({
  prepared,
  list,
  kind,
  owner,
  back,
}: {
  prepared: Prepared
  list: OpenList
  kind: Kind
  owner: string
  back: () => void
}) {
  const api = useApi()
  const records = prepared.records.length
  const { family } = KINDS[kind]
  const quote = useQuery({
    queryKey: [api.organisationId, 'quote', family, records],
    queryFn: ({ signal }) => api.call<Quote>('POST', '/v1/billing/quote', { body: { family, records }, signal }),
    enabled: records > 0,
    staleTime: 0,
  })
  const start = useSubmit(
    useCallback(async () => {
      const { records: unique, rowOf, times, duplicates, invalid } = prepared
      const runner = await begin({
        id: newRequestKey(),
        owner,
        kind,
        name: list.name,
        createdAtMs: Date.now(),
        records: unique,
        rowOf,
        times,
        duplicates,
        invalid,
        batchSize: BATCH_SIZE,
      })
      void runner.go(api)
      back()
    }, [prepared, owner, kind, list, api, back]),
  )
  return (
    <>
      <section className="panel" aria-label="What would be checked">
        <dl className="figures">
          <Figure label="To check" value={count(records)} />
          <Figure label="Duplicates left out" value={count(prepared.duplicates)} />
          <Figure label="Invalid rows left out" value={count(prepared.invalid)} />
          {prepared.blank > 0 ? <Figure label="Empty rows" value={count(prepared.blank)} /> : null}
        </dl>
        {prepared.invalid > 0 ? <InvalidRows prepared={prepared} /> : null}
      </section>
      {records === 0 ? (
        <Alert role="alert" title="There is nothing to check">
          <Text size="sm">
            No row of this column holds {KIND_WORDS[kind].many}. Choose another column or kind above.
          </Text>
        </Alert>
      ) : quote.isError ? (
        <ProblemNotice error={asApiError(quote.error)} title="The price could not be worked out" />
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

function InvalidRows({ prepared: { invalid, invalidRows } }: { prepared: Prepared }) {
  return (
    <details className="invalid-rows">
      <summary>
        {counted(invalid, 'row')} cannot be checked
        {invalid > invalidRows.length ? `; the first ${invalidRows.length}` : ''}
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
            {invalidRows.map(({ row, value, problem }) => (
              <tr key={row}>
                <td>{row}</td>
                <td className="mono">{value.slice(0, 80)}</td>
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
