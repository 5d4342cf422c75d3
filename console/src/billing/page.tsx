import './billing.css'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { billingQuery, type Invoice, plansQuery, standingQuery, usageQuery } from '../api/billing.ts'
import { ConsolePage, Loaded, Panel } from '../shell/page.tsx'
import { DAY_MS } from '../shell/time.ts'
import { useAbility, useApi } from '../shell/use-organisation.ts'
import { Alerts } from './alerts.tsx'
import { Credit } from './credit.tsx'
import { InvoiceDetails } from './details.tsx'
import { Invoices } from './invoices.tsx'
import { Ledger } from './ledger.tsx'
import { OverageLimit } from './overage-limit.tsx'
import { PayDialog } from './pay-dialog.tsx'
import { Plans } from './plans.tsx'
import { PaymentOutcome, StandingNotice } from './standing-notice.tsx'
import { Statements } from './statements.tsx'
import { TopUp } from './top-up.tsx'

// The chart library is the heaviest part of the console: only this page loads it, and not before its figures.
const UsageChart = lazy(() => import('./usage-chart.tsx').then((module) => ({ default: module.UsageChart })))
const DAYS_SHOWN = 30

/** Where every penny went, what is to be paid, and for what. */
export function Component() {
  const api = useApi()
  const mayManage = useAbility('manage')
  const billing = useQuery(billingQuery(api))
  const standing = useQuery(standingQuery(api))
  const plans = useQuery(plansQuery)
  const [from] = useState(() => new Date(Date.now() - (DAYS_SHOWN - 1) * DAY_MS).toISOString().slice(0, 10))
  const usage = useQuery(usageQuery(api, from))
  const [search] = useSearchParams()
  const [paying, setPaying] = useState<Invoice>()
  const [asked, ask] = useState<string>()
  const returnedFrom = search.get('invoice')
  const planName = (id: string) => plans.data?.find((plan) => plan.id === id)?.name ?? id
  return (
    <ConsolePage title="Usage and billing" lead="What was checked, what it cost, and what is left.">
      {returnedFrom === null ? null : <PaymentOutcome invoiceId={returnedFrom} />}
      {standing.data && billing.data ? (
        <StandingNotice
          standing={standing.data}
          plan={billing.data.plan}
          planName={planName}
          mayManage={mayManage}
          onPay={setPaying}
          onRenew={() => ask(billing.data.plan.id)}
        />
      ) : null}
      <Loaded query={billing} heightPx={160}>
        {(data) => <Credit billing={data} />}
      </Loaded>
      <Panel title={`Records checked in the last ${DAYS_SHOWN} days`}>
        <Loaded query={usage} heightPx={240}>
          {(data) => (
            <Suspense fallback={<div style={{ height: 240 }} />}>
              <UsageChart usage={data} days={DAYS_SHOWN} />
            </Suspense>
          )}
        </Loaded>
      </Panel>
      <Invoices mayManage={mayManage} onPay={setPaying} />
      {mayManage ? <TopUp onPay={setPaying} /> : null}
      <Loaded query={plans} heightPx={240}>
        {(all) => (
          <Loaded query={standing} heightPx={240}>
            {(now) =>
              billing.data ? (
                <Plans
                  billing={billing.data}
                  standing={now}
                  plans={all}
                  mayManage={mayManage}
                  onPay={setPaying}
                  asked={asked}
                  ask={ask}
                />
              ) : null
            }
          </Loaded>
        )}
      </Loaded>
      <Ledger />
      <Statements />
      {standing.data && billing.data ? (
        <OverageLimit plan={billing.data.plan} standing={standing.data} mayManage={mayManage} />
      ) : null}
      <InvoiceDetails mayManage={mayManage} />
      <Alerts mayManage={mayManage} />
      <PayDialog invoice={paying} onClose={() => setPaying(undefined)} />
    </ConsolePage>
  )
}
