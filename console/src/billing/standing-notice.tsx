import { Group, Alert as Notice, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { type Billing, type Invoice, type Plan, readQuery, type Standing } from '../api/organisation.ts'
import { invoiceName, money } from '../shell/format.ts'
import { ButtonLink, MainButton } from '../shell/page.tsx'
import { useApi } from '../shell/use-session.ts'

type Props = Pick<TabProps, 'standing' | 'mayManage' | 'onPay'> & { plan: Plan; planName: (id: string) => string }

export function StandingNotice(props: Props) {
  const { standing, plan, planName } = props
  const { waiting_plan: waiting, pay_first: first } = standing
  if (!standing.served) {
    return (
      <Told title="Checks are refused" {...props}>
        {standing.detail}
        {standing.owed_pence > 0 ? ` ${money(standing.owed_pence)} is owed in total.` : ''}
      </Told>
    )
  }
  if (waiting !== null) {
    const sum = first?.in_advance ? ` Invoice ${invoiceName(first)} is over ${money(first.total_pence)}.` : ''
    return (
      <Told title={`${planName(waiting)} waits for its payment`} {...props}>
        {planName(waiting)} begins when its invoice is paid.{sum}{' '}
        {waiting === plan.id ? '' : `Until then you have ${plan.name}.`}
      </Told>
    )
  }
  if (standing.month_paid) return null
  return (
    <Told title="This month is not paid for" {...props}>
      Without the price of the month {plan.name} gives no credit and no overage. Only prepaid credit is used.
    </Told>
  )
}

function Told({ title, children, ...props }: Props & { title: string; children: ReactNode }) {
  return (
    <Notice title={title} role="status">
      {children}
      <Help {...props} />
    </Notice>
  )
}

type Reason = Standing['reason']
const HELPED_BY_PAYING: readonly Reason[] = ['overdue', 'first_payment', 'awaiting_approval']
const HELPED_BY_CHOOSING: readonly Reason[] = ['ended', 'deactivated', 'first_payment']

/** The one action that helps, for people who may do it. */
function Help({ standing, plan, mayManage, onPay }: Props) {
  const { pay_first: first, reason, served } = standing
  const isAsked = standing.waiting_plan !== null || unpaidAgain(standing) !== null
  const pays = first !== null && (served ? isAsked : HELPED_BY_PAYING.includes(reason))
  const chooses = !pays && HELPED_BY_CHOOSING.includes(reason)
  const renews = !pays && served
  if (!pays && !chooses && !renews) return null
  if (!mayManage) {
    return (
      <Text size="sm" mt={6}>
        An owner or an admin of the organisation can do that.
      </Text>
    )
  }
  return (
    <Group mt="sm">
      {pays ? <MainButton size="sm" onClick={() => onPay(first)} label={`Pay ${money(first.total_pence)}`} /> : null}
      {chooses ? <ButtonLink size="sm" to="/console/billing/plan" label="Choose a plan" /> : null}
      {renews ? (
        <ButtonLink size="sm" to={`/console/billing/plan?choose=${plan.id}`} label="Pay for this month" />
      ) : null}
    </Group>
  )
}

/** The invoice of a plan whose payment was lost in a dispute: paying it pays for the month again. */
export function unpaidAgain({ served, month_paid: monthPaid, pay_first: first }: Standing): Invoice | null {
  if (!served || monthPaid || first === null || first.in_advance) return null
  return first.lines.some(({ kind }) => kind === 'plan' || kind === 'upgrade') ? first : null
}

const LOOK_MS = 3000
const LOOKS_MAX = 20

/** Shown after the return from the payment provider, which reports the payment to the server automatically. */
export function PaymentOutcome({ invoiceId }: { invoiceId: string }) {
  const api = useApi()
  const queries = useQueryClient()
  const invoice = useQuery({
    ...readQuery(api, 'GET /v1/billing/invoices/{invoice_id}', { path: { invoice_id: invoiceId } }),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.state === 'open' && dataUpdateCount < LOOKS_MAX ? LOOK_MS : false,
  })
  const paid = invoice.data?.state === 'paid'
  useEffect(() => {
    if (paid) void queries.invalidateQueries({ queryKey: [api.organisationId] })
  }, [paid, queries, api])
  if (!invoice.data || invoice.data.state === 'void') return null
  return (
    <Notice
      role="status"
      className={paid ? 'good' : ''}
      title={`Invoice ${invoiceName(invoice.data)} is ${paid ? 'paid' : 'not paid yet'}`}
    >
      {paid ? 'Its plan or credit is active now.' : 'A card payment appears here within a minute.'}
    </Notice>
  )
}

export interface TabProps {
  readonly billing: Billing
  readonly standing: Standing
  readonly mayManage: boolean
  readonly onPay: (invoice: Invoice) => void
}
