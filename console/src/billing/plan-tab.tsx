import { useQuery } from '@tanstack/react-query'
import { plansQuery } from '../api/billing.ts'
import { Loaded } from '../shell/page.tsx'
import { InvoiceDetails } from './details.tsx'
import { OverageLimit } from './overage-limit.tsx'
import { Plans } from './plans.tsx'
import type { TabProps } from './tab.ts'

/** The plan, how far it may go beyond the credit, and to whom it is invoiced. */
export function PlanTab({ billing, standing, mayManage, onPay }: TabProps) {
  const plans = useQuery(plansQuery)
  return (
    <>
      <Loaded query={plans} heightPx={240}>
        {(all) => <Plans billing={billing} standing={standing} plans={all} mayManage={mayManage} onPay={onPay} />}
      </Loaded>
      <OverageLimit plan={billing.plan} standing={standing} mayManage={mayManage} />
      <InvoiceDetails mayManage={mayManage} />
    </>
  )
}
