import { Group, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Statement } from '../api/billing.ts'
import { asAssayError } from '../api/client.ts'
import { readQuery } from '../api/organisation.ts'
import { QuietButton } from '../shell/buttons.tsx'
import { count, money } from '../shell/format.ts'
import { Figure, Figures, Loaded, Panel, Quiet } from '../shell/page.tsx'
import { useRead } from '../shell/use-change.ts'
import { useApi } from '../shell/use-session.ts'

const MONTHS_OFFERED = 12

export function Statements() {
  const api = useApi()
  const [months] = useState(() => {
    const now = new Date()
    return Array.from({ length: MONTHS_OFFERED }, (_, back) =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
    )
  })
  const [month, setMonth] = useState(months[0] ?? '')
  const statement = useQuery(readQuery(api, 'GET /v1/billing/statements/{month}', { path: { month } }))
  const { submit, busy, error } = useRead((own, extension: 'csv' | 'html') =>
    own.download({
      name: 'GET /v1/billing/statements/{month}',
      options: { path: { month } },
      type: `text/${extension}`,
      fileName: `assay-statement-${month}.${extension}`,
    }),
  )
  const button = (extension: 'csv' | 'html', label: string) => (
    <QuietButton size="xs" loading={busy} onClick={() => submit(extension)}>
      {label}
    </QuietButton>
  )
  return (
    <Panel
      title="Statements"
      error={error}
      action={
        <Group gap="xs">
          <NativeSelect
            aria-label="Month"
            size="xs"
            value={month}
            onChange={(event) => setMonth(event.currentTarget.value)}
            data={months}
          />
          {button('csv', 'CSV')}
          {button('html', 'To print')}
        </Group>
      }
    >
      {statement.isError && asAssayError(statement.error).status === 404 ? (
        <Quiet>There was no account in this month. Choose a later one.</Quiet>
      ) : (
        <Loaded query={statement}>{(data) => <StatementFigures statement={data} />}</Loaded>
      )}
    </Panel>
  )
}

function StatementFigures({ statement }: { statement: Statement }) {
  return (
    <Figures>
      <Figure label={statement.state === 'open' ? 'Plan, so far' : 'Plan'} value={money(statement.plan_price_pence)} />
      <Figure label="Beyond credit" value={money(statement.overage_pence)} />
      <Figure label="Due in all" value={money(statement.total_due_pence)} />
      <Figure label="Records checked" value={count(statement.usage.reduce((sum, { units }) => sum + units, 0))} />
      <Figure
        label="Credit at the end"
        value={money(statement.closing.included_credit_pence + statement.closing.prepaid_credit_pence)}
      />
    </Figures>
  )
}
