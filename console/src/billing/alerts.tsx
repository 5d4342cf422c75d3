import { Button, NativeSelect, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { alertsQuery } from '../api/billing.ts'
import type { Body } from '../api/client.ts'
import { money } from '../shell/money.ts'
import { Empty, Loaded, Panel, State, SureButton } from '../shell/page.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { useChange } from '../shell/use-change.ts'
import { useApi } from '../shell/use-organisation.ts'
import { penceOf } from './pounds.ts'
import { PoundsInput } from './pounds-input.tsx'

/** Thresholds on credit and overage. */
export function Alerts({ mayManage }: { mayManage: boolean }) {
  const api = useApi()
  const alerts = useQuery(alertsQuery(api))
  const [kind, setKind] = useState<'credit_below' | 'overage_above'>('credit_below')
  const [pounds, setPounds] = useState<number | string>(10)
  const add = useChange(async (own, body: Body<'POST /v1/billing/alerts'>, idempotencyKey) => {
    await own.call('POST /v1/billing/alerts', { body, idempotencyKey })
  })
  const remove = useChange(async (own, id: string) =>
    own.call('DELETE /v1/billing/alerts/{alert_id}', { path: { alert_id: id } }),
  )
  const error = add.error ?? remove.error
  const pence = penceOf(pounds)
  return (
    <Panel title="Alerts">
      <Stack gap="md">
        {error ? <ProblemNotice error={error} /> : null}
        <Loaded query={alerts} heightPx={60}>
          {(data) =>
            data.length === 0 ? (
              <Empty>None set. Be told here before the credit runs out.</Empty>
            ) : (
              <ul className="scopes">
                {data.map((alert) => (
                  <li key={alert.id}>
                    <State name={alert.triggered ? 'inactive' : 'active'}>
                      {alert.triggered ? 'Reached' : 'Watching'}
                    </State>
                    <span style={{ flex: 1 }}>
                      {alert.kind === 'credit_below' ? 'Credit below ' : 'Beyond credit this month above '}
                      {money(alert.threshold_pence)}
                    </span>
                    {mayManage ? (
                      <SureButton label="Remove" sure="Yes, remove" onSure={() => remove.submit(alert.id)} />
                    ) : null}
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
        {mayManage ? (
          <form
            className="form-row"
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              if (pence !== undefined) add.submit({ kind, threshold_pence: pence })
            }}
          >
            <NativeSelect
              label="Watch"
              value={kind}
              onChange={(event) =>
                setKind(event.currentTarget.value === 'overage_above' ? 'overage_above' : 'credit_below')
              }
              data={[
                { value: 'credit_below', label: 'Credit falls below' },
                { value: 'overage_above', label: 'Beyond credit rises above' },
              ]}
            />
            <PoundsInput label="Threshold in pounds" value={pounds} onChange={setPounds} />
            <Button type="submit" variant="default" loading={add.busy} disabled={pence === undefined}>
              Set the alert
            </Button>
          </form>
        ) : null}
      </Stack>
    </Panel>
  )
}
