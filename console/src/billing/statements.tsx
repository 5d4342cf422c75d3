import { Button, Group, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Statement, statementQuery } from '../api/billing.ts'
import { asAssayError } from '../api/client.ts'
import { count, money } from '../shell/money.ts'
import { Empty, Figure, Loaded, Panel } from '../shell/page.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { useApi } from '../shell/use-organisation.ts'
import { useRead } from '../shell/use-read.ts'

const MONTHS_OFFERED = 12

/** What a month came to. */
export function Statements() {
  const api = useApi()
  const [months] = useState(() => {
    const now = new Date()
    return Array.from({ length: MONTHS_OFFERED }, (_, back) =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
    )
  })
  const [month, setMonth] = useState(months[0] ?? '')
  const statement = useQuery(statementQuery(api, month))
  const { submit, busy, error } = useRead((own, { type, extension }: { type: string; extension: string }) =>
    own.download({
      name: 'GET /v1/billing/statements/{month}',
      options: { path: { month } },
      type,
      fileName: `assay-statement-${month}.${extension}`,
    }),
  )
  return (
    <Panel
      title="Statements"
      action={
        <Group gap="xs">
          <NativeSelect
            aria-label="Month"
            size="xs"
            value={month}
            onChange={(event) => setMonth(event.currentTarget.value)}
            data={months}
          />
          <Button
            variant="default"
            size="xs"
            loading={busy}
            onClick={() => submit({ type: 'text/csv', extension: 'csv' })}
          >
            CSV
          </Button>
          <Button
            variant="default"
            size="xs"
            loading={busy}
            onClick={() => submit({ type: 'text/html', extension: 'html' })}
          >
            To print
          </Button>
        </Group>
      }
    >
      {error ? <ProblemNotice error={error} /> : null}
      {statement.isError && asAssayError(statement.error).status === 404 ? (
        <Empty>There was no account in this month. Choose a later one.</Empty>
      ) : (
        <Loaded query={statement}>{(data) => <StatementFigures statement={data} />}</Loaded>
      )}
    </Panel>
  )
}

function StatementFigures({ statement }: { statement: Statement }) {
  return (
    <dl className="figures">
      <Figure label={statement.state === 'open' ? 'Plan, so far' : 'Plan'} value={money(statement.plan_price_pence)} />
      <Figure label="Beyond credit" value={money(statement.overage_pence)} />
      <Figure label="Due in all" value={money(statement.total_due_pence)} />
      <Figure label="Records checked" value={count(statement.usage.reduce((sum, { units }) => sum + units, 0))} />
      <Figure
        label="Credit at the end"
        value={money(statement.closing.included_credit_pence + statement.closing.prepaid_credit_pence)}
      />
    </dl>
  )
}
