import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { usageQuery } from '../api/billing.ts'
import { Loaded, Panel } from '../shell/page.tsx'
import { useApi } from '../shell/use-organisation.ts'
import { Credit } from './credit.tsx'
import { HowItWorks } from './how-it-works.tsx'
import { Ledger } from './ledger.tsx'
import { PaymentOutcome } from './standing-notice.tsx'
import type { TabProps } from './tab.ts'
import { TopUp } from './top-up.tsx'

// The chart library is the heaviest part of the console: only this tab loads it, and not before its figures.
const UsageChart = lazy(() => import('./usage-chart.tsx').then((module) => ({ default: module.UsageChart })))

/** How the account stands: what keeps it from checking, what is left, what was used this month and how it goes on. */
export function Overview({ billing, standing, mayManage, onPay }: TabProps) {
  const { period } = billing
  const usage = useQuery(usageQuery(useApi(), period.starts_at.slice(0, 10)))
  const [search] = useSearchParams()
  const returnedFrom = search.get('invoice')
  return (
    <>
      {returnedFrom === null ? null : <PaymentOutcome invoiceId={returnedFrom} />}
      <Credit billing={billing} />
      {mayManage ? <TopUp onPay={onPay} /> : null}
      <HowItWorks billing={billing} standing={standing} />
      <Panel title="Records checked this month">
        <Loaded query={usage} heightPx={240}>
          {(data) => (
            <Suspense fallback={<div style={{ height: 240 }} />}>
              <UsageChart usage={data} />
            </Suspense>
          )}
        </Loaded>
      </Panel>
      <Ledger />
    </>
  )
}
