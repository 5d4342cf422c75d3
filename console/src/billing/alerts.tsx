import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { Body } from '../api/client.ts'
import { Form } from '../shell/form.tsx'
import { money } from '../shell/format.ts'
import { Loaded, Panel, QuietButton, State, SureButton } from '../shell/page.tsx'
import { WideTable } from '../shell/table.tsx'
import { useChange, useRead } from '../shell/use-session.ts'
import { PoundsInput, penceOf } from './pounds.tsx'

export function Alerts({ mayManage }: { mayManage: boolean }) {
  const alerts = useRead('GET /v1/billing/alerts')
  const [kind, setKind] = useState<'credit_below' | 'overage_above'>('credit_below')
  const [pounds, setPounds] = useState<number | string>(10)
  const add = useChange(async (own, body: Body<'POST /v1/billing/alerts'>, idempotencyKey) => {
    await own.call('POST /v1/billing/alerts', { body, idempotencyKey })
  })
  const remove = useChange(async (own, id: string) =>
    own.call('DELETE /v1/billing/alerts/{alert_id}', { path: { alert_id: id } }),
  )
  const pence = penceOf(pounds)
  return (
    <Panel title="Alerts" error={add.error ?? remove.error}>
      <Loaded query={alerts} heightPx={60}>
        {({ data }) => (
          <WideTable
            label="Alerts"
            empty="None set. Be told here before the credit runs out."
            rows={data}
            columns={{
              Alert: (alert) =>
                `${alert.kind === 'credit_below' ? 'Credit below' : 'Beyond credit this month above'} ${money(alert.threshold_pence)}`,
              State: ({ triggered }) => (
                <State name={triggered ? 'inactive' : 'active'}>{triggered ? 'Reached' : 'Watching'}</State>
              ),
              Change: ({ id }) => (mayManage ? <SureButton label="Remove" onSure={() => remove.submit(id)} /> : null),
            }}
          />
        )}
      </Loaded>
      {mayManage ? (
        <Form
          label="Set an alert"
          row
          onSubmit={() => pence !== undefined && add.submit({ kind, threshold_pence: pence })}
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
          <QuietButton type="submit" loading={add.busy} disabled={pence === undefined} label="Set the alert" />
        </Form>
      ) : null}
    </Panel>
  )
}
