import { Group, NavLink } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, useState } from 'react'
import { Link, useParams } from 'react-router'
import { type Invoice, plansQuery } from '../api/organisation.ts'
import { Component as NotFound } from '../not-found/inside.tsx'
import { ConsolePage, Loaded } from '../shell/page.tsx'
import { useAbility, useRead } from '../shell/use-session.ts'
import { Alerts } from './alerts.tsx'
import { InvoicesTab } from './invoices.tsx'
import { Overview } from './overview.tsx'
import { PayDialog } from './pay-dialog.tsx'
import { PlanTab } from './plans.tsx'
import { StandingNotice, type TabProps } from './standing-notice.tsx'

const TABS: readonly { readonly path: string; readonly title: string; readonly Content: ComponentType<TabProps> }[] = [
  { path: '', title: 'Overview', Content: Overview },
  { path: 'invoices', title: 'Invoices', Content: InvoicesTab },
  { path: 'plan', title: 'Plan', Content: PlanTab },
  { path: 'alerts', title: 'Alerts', Content: Alerts },
]

/** Usage, ledger and invoices. Each tab has its own address. */
export function Component() {
  const { tab = '' } = useParams()
  const mayManage = useAbility('manage')
  const billing = useRead('GET /v1/billing')
  const standing = useRead('GET /v1/billing/standing')
  const plans = useQuery(plansQuery)
  const [paying, setPaying] = useState<Invoice>()
  const shown = TABS.find(({ path }) => path === tab)
  if (!shown) return <NotFound />
  const { Content } = shown
  return (
    <ConsolePage title="Usage and billing" lead="What was checked, what it cost, and what is left.">
      <Group component="nav" gap="xs" aria-label="Billing">
        {TABS.map(({ path, title }) => (
          <NavLink
            key={path}
            w="auto"
            component={Link}
            to={`/console/billing${path && `/${path}`}`}
            label={title}
            active={path === tab}
            aria-current={path === tab ? 'page' : undefined}
          />
        ))}
      </Group>
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
      <PayDialog invoice={paying} onClose={() => setPaying(undefined)} />
    </ConsolePage>
  )
}
