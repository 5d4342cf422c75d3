import './billing.css'
import type { Family } from '@assay/sdk'
import { Button, Group, NativeSelect, Alert as Notice, NumberInput, Progress, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import {
  alertsQuery,
  type Billing,
  billingQuery,
  type Invoice,
  invoicesQuery,
  ledgerQuery,
  type Plan,
  plansQuery,
  type Statement,
  statementQuery,
  usageQuery,
} from '../api/billing.ts'
import { asApiError } from '../api/client.ts'
import { KIND_WORDS, kindOfFamily } from '../check/recognise.ts'
import { leaveTo } from '../shell/leave.ts'
import { LogPanel } from '../shell/log-panel.tsx'
import { count, counted, money } from '../shell/money.ts'
import { ConsolePage, Empty, Loaded, Panel, State, SureButton, WideTable } from '../shell/page.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { DAY_MS, day, moment } from '../shell/time.ts'
import { useChange } from '../shell/use-change.ts'
import { useAbility, useApi } from '../shell/use-organisation.ts'
import { PlanCard } from './plan-card.tsx'

// The chart library is the heaviest part of the console: only this page loads it, and not before its figures.
const UsageChart = lazy(() => import('./usage-chart.tsx').then((module) => ({ default: module.UsageChart })))
const DAYS_SHOWN = 30

/** Where every penny went. */
export function Component() {
  const api = useApi()
  const mayManage = useAbility('manage')
  const billing = useQuery(billingQuery(api))
  const [from] = useState(() => new Date(Date.now() - (DAYS_SHOWN - 1) * DAY_MS).toISOString().slice(0, 10))
  const usage = useQuery(usageQuery(api, from))
  return (
    <ConsolePage title="Usage and billing" lead="What was checked, what it cost, and what is left.">
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
      {mayManage && billing.data ? <TopUp provider={billing.data.subscription?.provider} /> : null}
      <Ledger />
      <Statements />
      <Invoices mayPay={mayManage} />
      {billing.data ? <Plans billing={billing.data} mayManage={mayManage} /> : null}
      <Alerts mayManage={mayManage} />
    </ConsolePage>
  )
}

function Credit({ billing }: { billing: Billing }) {
  const { plan, subscription } = billing
  // Included credit is measured by what the plan grants; on plans without any, free records take its place.
  const gauge =
    plan.included_credit_pence > 0
      ? { left: billing.included_credit_pence, of: plan.included_credit_pence, words: 'of the included credit is left' }
      : billing.free_units > 0
        ? { left: billing.free_units_left, of: billing.free_units, words: 'of the free checks are left' }
        : undefined
  const share = gauge ? Math.max(0, Math.min(100, Math.round((gauge.left / gauge.of) * 100))) : 0
  return (
    <section className="panel credit" aria-label="Credit">
      <div>
        <Text size="sm" c="dimmed">
          Credit left
        </Text>
        <p className="credit-left">{money(billing.credit_pence)}</p>
        {gauge ? (
          <>
            <Progress value={share} size="lg" mt="sm" aria-label={`${share}% ${gauge.words}`} />
            <Text size="sm" c="dimmed" mt={4}>
              {share}% {gauge.words}
            </Text>
          </>
        ) : null}
      </div>
      <dl className="figures">
        <Figure label="Plan" value={plan.name} />
        <Figure label="Included, until the month ends" value={money(billing.included_credit_pence)} />
        <Figure label="Prepaid, stays" value={money(billing.prepaid_credit_pence)} />
        {billing.free_units > 0 ? <Figure label="Free checks left" value={count(billing.free_units_left)} /> : null}
        <Figure label="Beyond credit this month" value={money(billing.overage_pence)} />
        <Figure label="Owed in all" value={money(billing.overage_owed_pence)} />
        <Figure label="Month ends" value={day(billing.period.ends_at)} />
        {subscription?.next_plan ? <Figure label="From next month" value={subscription.next_plan} /> : null}
        {subscription?.ends_at ? <Figure label="Subscription ends" value={day(subscription.ends_at)} /> : null}
      </dl>
    </section>
  )
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}

const POUNDS_MIN = 1
const POUNDS_MAX = 1_000_000

function TopUp({ provider }: { provider: string | undefined }) {
  const [pounds, setPounds] = useState<number | string>(50)
  const [bought, setBought] = useState<Invoice>()
  const amount = typeof pounds === 'number' ? Math.round(pounds * 100) : Number.NaN
  const valid = amount >= POUNDS_MIN * 100 && amount <= POUNDS_MAX * 100
  const { submit, busy, error } = useChange(async (api, amountPence: number, idempotencyKey) => {
    const invoice = await api.call<Invoice>('POST', '/v1/billing/top-ups', {
      body: { amount_pence: amountPence },
      idempotencyKey,
    })
    setBought(invoice)
    if (provider === 'stripe') await pay(api, invoice)
  })
  return (
    <Panel title="Top up">
      <form
        className="form-row"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (valid) submit(amount)
        }}
      >
        <NumberInput
          label="Amount in pounds"
          value={pounds}
          onChange={setPounds}
          min={POUNDS_MIN}
          max={POUNDS_MAX}
          decimalScale={2}
          allowNegative={false}
          thousandSeparator=","
          hideControls
          error={valid ? undefined : 'From £1 to £1,000,000.'}
        />
        <Button type="submit" loading={busy} disabled={!valid}>
          Buy credit
        </Button>
      </form>
      {error ? <ProblemNotice error={error} title="Nothing was bought" /> : null}
      {bought ? (
        <Notice mt="md" role="status" title={`Invoice ${bought.number} over ${money(bought.total_pence)}`}>
          <Text size="sm">The credit is yours as soon as it is paid. It is due on {day(bought.due_at)}.</Text>
        </Notice>
      ) : null}
    </Panel>
  )
}

async function pay(api: ReturnType<typeof useApi>, invoice: Invoice): Promise<void> {
  const { url } = await api.call<{ url: string | null }>('POST', `/v1/billing/invoices/${invoice.id}/payment`)
  if (url !== null) await leaveTo(url)
}

const ENTRY_WORDS: Readonly<Record<string, string>> = {
  grant: 'Included credit',
  expire: 'Included credit expired',
  charge: 'Checks',
  credit: 'Prepaid credit',
  plan: 'Plan changed',
  refund: 'Refund',
  settle: 'Overage settled',
}

function familyWords(family: Family, units: number): string {
  const { one, many } = KIND_WORDS[kindOfFamily(family)]
  return counted(units, one, many)
}

function Ledger() {
  return (
    <LogPanel
      title="Ledger"
      query={useInfiniteQuery(ledgerQuery(useApi()))}
      csv={{ path: '/v1/billing/ledger', fileName: 'assay-ledger.csv' }}
      empty="No entry yet: the first check or top-up makes one."
      columns={['When', 'What', { number: 'Credit' }, { number: 'Beyond credit' }, { number: 'Credit after' }]}
      row={(entry) => (
        <tr key={entry.id}>
          <td className="when">{moment(entry.created_at)}</td>
          <td>
            {ENTRY_WORDS[entry.kind] ?? entry.kind}
            {entry.family ? `: ${familyWords(entry.family, entry.units)}` : ''}
            {entry.free_units > 0 ? ' (free)' : ''}
            {entry.detail ? ` · ${entry.detail}` : ''}
          </td>
          <td className="number">{signed(entry.included_delta_pence + entry.prepaid_delta_pence)}</td>
          <td className="number">{signed(entry.overage_delta_pence)}</td>
          <td className="number">{money(entry.included_after_pence + entry.prepaid_after_pence)}</td>
        </tr>
      )}
    />
  )
}

const signed = (pence: number) => (pence === 0 ? '–' : pence > 0 ? `+${money(pence)}` : `−${money(-pence)}`)

const MONTHS_OFFERED = 12

function Statements() {
  const api = useApi()
  const [months] = useState(() => {
    const now = new Date()
    return Array.from({ length: MONTHS_OFFERED }, (_, back) =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
    )
  })
  const [month, setMonth] = useState(months[0] ?? '')
  const statement = useQuery(statementQuery(api, month))
  const { submit, busy, error } = useChange((own, { type, extension }: { type: string; extension: string }) =>
    own.download(`/v1/billing/statements/${month}`, type, `assay-statement-${month}.${extension}`),
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
      {statement.isError && asApiError(statement.error).status === 404 ? (
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

function Invoices({ mayPay }: { mayPay: boolean }) {
  const api = useApi()
  const invoices = useQuery(invoicesQuery(api))
  const { submit, busy, error } = useChange((own, invoice: Invoice) => pay(own, invoice))
  return (
    <Panel title="Invoices">
      {error ? <ProblemNotice error={error} /> : null}
      <Loaded query={invoices}>
        {(data) =>
          data.length === 0 ? (
            <Empty>No invoice yet: a paid plan or a top-up makes one.</Empty>
          ) : (
            <WideTable label="Invoices" columns={['Number', 'For', { number: 'Total' }, 'State', 'Due', 'Payment']}>
              {data.map((invoice) => (
                <tr key={invoice.id}>
                  <td>{invoice.number}</td>
                  <td>{invoice.lines.map(({ description }) => description).join(', ')}</td>
                  <td className="number">{money(invoice.total_pence)}</td>
                  <td>
                    <State name={invoice.state} />
                  </td>
                  <td>{day(invoice.due_at)}</td>
                  <td>
                    {mayPay && invoice.state === 'open' ? (
                      <Button size="xs" variant="default" loading={busy} onClick={() => submit(invoice)}>
                        Pay
                      </Button>
                    ) : null}
                  </td>
                </tr>
              ))}
            </WideTable>
          )
        }
      </Loaded>
    </Panel>
  )
}

function Plans({ billing, mayManage }: { billing: Billing; mayManage: boolean }) {
  const plans = useQuery(plansQuery)
  const [done, setDone] = useState<string>()
  const { submit, busy, error } = useChange(
    async (api, change: { plan: Plan } | { end: 'period_end' }, idempotencyKey) => {
      const body = 'plan' in change ? { plan: change.plan.id } : change
      await api.call('POST', '/v1/billing/subscription', { body, idempotencyKey })
      setDone(
        'plan' in change
          ? `The plan is being changed to ${change.plan.name}.`
          : 'The subscription ends with the month.',
      )
    },
  )
  return (
    <Panel
      title="Plan"
      action={
        mayManage && billing.subscription?.status === 'active' && billing.subscription.ends_at === null ? (
          <SureButton
            label="End the subscription"
            sure="Yes, end it with the month"
            busy={busy}
            onSure={() => submit({ end: 'period_end' })}
          />
        ) : null
      }
    >
      <Stack gap="md">
        {error ? <ProblemNotice error={error} title="The plan is as it was" /> : null}
        {done && !error ? (
          <Text role="status" size="sm">
            {done}
          </Text>
        ) : null}
        <Loaded query={plans}>
          {(data) => (
            <div className="plans">
              {data.map((plan) => (
                <PlanCard
                  key={plan.id}
                  plan={plan}
                  current={plan.id === billing.plan.id}
                  action={
                    mayManage ? (
                      <SureButton
                        label={`Change to ${plan.name}`}
                        sure={`Yes, change to ${plan.name}`}
                        busy={busy}
                        onSure={() => submit({ plan })}
                      />
                    ) : null
                  }
                />
              ))}
            </div>
          )}
        </Loaded>
      </Stack>
    </Panel>
  )
}

function Alerts({ mayManage }: { mayManage: boolean }) {
  const api = useApi()
  const alerts = useQuery(alertsQuery(api))
  const [kind, setKind] = useState<'credit_below' | 'overage_above'>('credit_below')
  const [pounds, setPounds] = useState<number | string>(10)
  const add = useChange(async (own, body: { kind: string; threshold_pence: number }, idempotencyKey) => {
    await own.call('POST', '/v1/billing/alerts', { body, idempotencyKey })
  })
  const remove = useChange(async (own, id: string) => own.call('DELETE', `/v1/billing/alerts/${id}`))
  const error = add.error ?? remove.error
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
              if (typeof pounds === 'number') add.submit({ kind, threshold_pence: Math.round(pounds * 100) })
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
            <NumberInput
              label="Threshold in pounds"
              value={pounds}
              onChange={setPounds}
              min={0}
              max={POUNDS_MAX}
              decimalScale={2}
              allowNegative={false}
              hideControls
            />
            <Button type="submit" variant="default" loading={add.busy} disabled={typeof pounds !== 'number'}>
              Set the alert
            </Button>
          </form>
        ) : null}
      </Stack>
    </Panel>
  )
}
