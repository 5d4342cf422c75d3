import { Grid, List, Progress, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import {
  type Billing,
  type Entry,
  type Invoice,
  offerQuery,
  type PlanChoice,
  type Standing,
} from '../api/organisation.ts'
import { Form } from '../shell/form.tsx'
import { count, fullDay, lastDay, money } from '../shell/format.ts'
import { Figures, Loaded, MainButton, PageLink, Panel } from '../shell/page.tsx'
import { LogPanel } from '../shell/table.tsx'
import { useCall, usePages, useRead } from '../shell/use-session.ts'
import { LEDGER_COLUMNS } from './invoices.tsx'
import { NotSold } from './plan-card.tsx'
import { PoundsInput, topUpProblem, usePounds } from './pounds.tsx'
import { PaymentOutcome, type TabProps } from './standing-notice.tsx'
import { openPence } from './words.ts'

// The chart library is the largest part of the console: only this tab loads it, and only after its figures.
const UsageChart = lazy(() => import('./usage-chart.tsx').then((module) => ({ default: module.UsageChart })))

export function Overview({ billing, standing, mayManage, onPay }: TabProps) {
  const from = billing.period.starts_at.slice(0, 10)
  const usage = useRead('GET /v1/billing/usage', { query: { from, granularity: 'day', group_by: 'family' } })
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
      <LogPanel
        title="Ledger"
        query={usePages('GET /v1/billing/ledger', { limit: 25 })}
        csv={{ name: 'GET /v1/billing/ledger', fileName: 'assay-ledger.csv' }}
        empty="No entry yet: the first check or top-up creates one."
        columns={{ ...LEDGER_COLUMNS, Kept: (entry) => <KeptLink entry={entry} /> }}
      />
    </>
  )
}

/** Leads to the kept checks of the request. */
function KeptLink({ entry: { kind, request_id, units } }: { entry: Entry }) {
  if (kind !== 'charge' || request_id === null) return null
  return <PageLink to={`/console/checks?request_id=${request_id}`}>{units === 1 ? 'Check' : 'Checks'}</PageLink>
}

function Credit({ billing }: Pick<TabProps, 'billing'>) {
  const open = useRead('GET /v1/billing/invoices', { query: { state: 'open', limit: 200 } }).data?.data
  const { plan, subscription } = billing
  // Included credit is measured against the monthly grant; plans without included credit show free records instead.
  const gauge =
    plan.included_credit_pence > 0
      ? { left: billing.included_credit_pence, of: plan.included_credit_pence, words: 'of the included credit is left' }
      : billing.free_units > 0
        ? { left: billing.free_units_left, of: billing.free_units, words: 'of the free checks are left' }
        : undefined
  const share = gauge ? Math.max(0, Math.min(100, Math.round((gauge.left / gauge.of) * 100))) : 0
  return (
    <Grid component="section" className="panel" gap="xl" m={0} aria-label="Credit">
      <Grid.Col span={{ base: 12, sm: 4 }}>
        <Text size="sm" c="dimmed">
          Credit left
        </Text>
        <Text ff="heading" fz="2.4rem" lh={1.1}>
          {money(billing.credit_pence)}
        </Text>
        {gauge ? (
          <>
            <Progress value={share} size="lg" mt="sm" aria-label={`${share}% ${gauge.words}`} />
            <Text size="sm" c="dimmed" mt={4}>
              {share}% {gauge.words}
            </Text>
          </>
        ) : null}
      </Grid.Col>
      <Grid.Col span={{ base: 12, sm: 8 }}>
        <Figures
          of={{
            Plan: plan.name,
            'Included, until the month ends': money(billing.included_credit_pence),
            'Prepaid, stays': money(billing.prepaid_credit_pence),
            'Free checks left': billing.free_units > 0 && count(billing.free_units_left),
            'Beyond credit this month': money(billing.overage_pence),
            'Beyond credit, not settled yet':
              billing.overage_owed_pence > billing.overage_pence && money(billing.overage_owed_pence),
            'Open invoices': open ? money(openPence(open)) : '…',
            'Month ends': lastDay(billing.period.ends_at),
            'From next month': subscription?.next_plan,
            'Subscription ends': subscription?.ends_at && lastDay(subscription.ends_at),
          }}
        />
      </Grid.Col>
    </Grid>
  )
}

function TopUp({ onPay }: { onPay: (invoice: Invoice) => void }) {
  const offer = useQuery(offerQuery).data
  const { pence, field } = usePounds(50)
  const problem = topUpProblem(pence)
  const { submit, busy, error } = useCall('POST /v1/billing/top-ups', onPay)
  if (offer?.sells === false) return <Panel title="Top up" lead={<NotSold />} />
  return (
    <Panel title="Top up" error={error} failed="Nothing was bought">
      <Form
        label="Top up"
        row
        onSubmit={() => pence !== undefined && problem === undefined && submit({ body: { amount_pence: pence } })}
      >
        <PoundsInput
          label="Amount in pounds"
          description="Prepaid credit never expires. It is added when its invoice is paid."
          {...field}
          error={problem}
        />
        <MainButton type="submit" loading={busy} disabled={problem !== undefined} label="Buy credit" />
      </Form>
    </Panel>
  )
}

function HowItWorks({ billing, standing }: Pick<TabProps, 'billing' | 'standing'>) {
  const choices = useRead('GET /v1/billing/plans')
  const { plan, subscription } = billing
  const prices = plan.unit_price_pence
  const ends = lastDay(billing.period.ends_at)
  const next = choices.data?.data.find(({ plan: id }) => id === (subscription?.next_plan ?? plan.id))
  const sentences = [
    `An email costs ${money(prices['payment-risk'])}, a domain ${money(prices['supply-chain-risk'])}, an IP address ${money(prices['infrastructure-risk'])}.`,
    billing.free_units > 0 &&
      `${count(billing.free_units)} checks a month are free; ${count(billing.free_units_left)} of them are left until ${ends}.`,
    plan.included_credit_pence > 0 &&
      `${money(plan.included_credit_pence)} of credit is included every month and used first. The rest of it expires on ${ends}; prepaid credit stays.`,
    beyondWords(billing, standing),
    nextWords(billing, standing, next),
  ]
  return (
    <Panel
      title={`How ${plan.name} works`}
      action={
        <PageLink to="/console/billing/plan" fz="sm">
          Change the plan
        </PageLink>
      }
    >
      <List spacing={6}>
        {sentences
          .filter((sentence) => sentence !== false)
          .map((sentence) => (
            <List.Item key={sentence}>{sentence}</List.Item>
          ))}
      </List>
    </Panel>
  )
}

function beyondWords({ plan }: Billing, { overage_limit_pence: limit, overage_left_pence: left }: Standing): string {
  if (!plan.overage_allowed || limit === 0) return 'When the credit is used up, checks stop. There is no overage.'
  if (limit === null || left === null)
    return 'When the credit is used up, checks continue and are invoiced after the month.'
  return `When the credit is used up, checks continue up to a limit of ${money(limit)} and are invoiced after the month. ${money(left)} of the limit is left.`
}

function nextWords({ subscription }: Billing, standing: Standing, next: PlanChoice | undefined): string {
  if (!subscription) return 'Nothing is invoiced automatically: the operator manages this account.'
  if (subscription.ends_at) {
    return `The plan ends on ${lastDay(subscription.ends_at)}. Later months are not invoiced.`
  }
  if (!standing.served) return 'Months that begin while checks are refused are not invoiced.'
  if (!next) return 'The next month is invoiced when it begins.'
  const price = next.next_invoice_pence > 0 ? money(next.next_invoice_pence) : 'Nothing'
  const beyond = standing.overage_limit_pence === 0 ? '' : ', plus overage'
  return `${price} is invoiced for the next month on ${fullDay(next.next_invoice_at)}${beyond}.`
}
