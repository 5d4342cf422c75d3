import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, useState } from 'react'
import { useParams } from 'react-router'
import { type Alert, type Invoice, plansQuery } from '../api/organisation.ts'
import { Component as NotFound } from '../not-found/inside.tsx'
import { Dialog, Form, options, useFields } from '../shell/form.tsx'
import { money } from '../shell/format.ts'
import { ConsolePage, Loaded, QuietButton, State, SureButton, Tabs } from '../shell/page.tsx'
import { TablePanel } from '../shell/table.tsx'
import { useAbility, useCall, useRead } from '../shell/use-session.ts'
import { InvoicesTab } from './invoices.tsx'
import { Overview } from './overview.tsx'
import { HowToPayInvoice } from './pay-dialog.tsx'
import { PlanTab } from './plans.tsx'
import { PoundsInput, usePounds } from './pounds.tsx'
import { StandingNotice, type TabProps } from './standing-notice.tsx'

const TABS: Readonly<Record<string, readonly [string, ComponentType<TabProps>]>> = {
  '': ['Overview', Overview],
  invoices: ['Invoices', InvoicesTab],
  plan: ['Plan', PlanTab],
  alerts: ['Alerts', Alerts],
}
const TITLES = Object.fromEntries(Object.entries(TABS).map(([path, [title]]) => [path, title]))

export function Component() {
  const { tab = '' } = useParams()
  const mayManage = useAbility('manage')
  const billing = useRead('GET /v1/billing')
  const standing = useRead('GET /v1/billing/standing')
  const plans = useQuery(plansQuery)
  const [paying, setPaying] = useState<Invoice>()
  const [, Content] = (Object.hasOwn(TABS, tab) && TABS[tab]) || []
  if (!Content) return <NotFound />
  return (
    <ConsolePage of="billing">
      <Tabs label="Billing" at="/console/billing" current={tab} of={TITLES} />
      <Loaded query={billing} heightPx={160}>
        {(account) => (
          <Loaded query={standing} heightPx={160}>
            {(now) => (
              <>
                <StandingNotice
                  standing={now}
                  plan={account.plan}
                  planName={(id) => plans.data?.find((plan) => plan.id === id)?.name ?? id}
                  mayManage={mayManage}
                  onPay={setPaying}
                />
                <Content billing={account} standing={now} mayManage={mayManage} onPay={setPaying} />
              </>
            )}
          </Loaded>
        )}
      </Loaded>
      <Dialog about={paying} title={() => 'How to pay'} onClose={() => setPaying(undefined)}>
        {(invoice) => <HowToPayInvoice invoice={invoice} />}
      </Dialog>
    </ConsolePage>
  )
}

function Alerts({ mayManage }: { mayManage: boolean }) {
  const alerts = useRead('GET /v1/billing/alerts')
  const { values, field } = useFields({ kind: 'credit_below' })
  const { pence, field: pounds } = usePounds(10)
  const add = useCall('POST /v1/billing/alerts')
  const remove = useCall('DELETE /v1/billing/alerts/{alert_id}')
  const kind = values.kind as Alert['kind']
  return (
    <TablePanel
      title="Alerts"
      error={add.error ?? remove.error}
      empty="None set. An alert warns you here before the credit runs out."
      rows={alerts}
      columns={{
        Alert: (alert) =>
          `${alert.kind === 'credit_below' ? 'Credit below' : 'Beyond credit this month above'} ${money(alert.threshold_pence)}`,
        State: ({ triggered }) => (
          <State name={triggered ? 'inactive' : 'active'}>{triggered ? 'Reached' : 'Watching'}</State>
        ),
        Change: ({ id }) =>
          mayManage ? <SureButton label="Remove" of={remove} input={{ path: { alert_id: id } }} /> : null,
      }}
      below={
        mayManage ? (
          <Form
            label="Set an alert"
            row
            onSubmit={() => pence !== undefined && add.submit({ body: { kind, threshold_pence: pence } })}
          >
            <NativeSelect
              label="Watch"
              data={options({ credit_below: 'Credit falls below', overage_above: 'Beyond credit rises above' })}
              {...field('kind')}
            />
            <PoundsInput label="Threshold in pounds" {...pounds} />
            <QuietButton type="submit" loading={add.busy} disabled={pence === undefined} label="Set the alert" />
          </Form>
        ) : null
      }
    />
  )
}
