import { Group, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type Ending, type Invoice, offerQuery, type Plan, type PlanChoice, plansQuery } from '../api/organisation.ts'
import { Answers, Dialog } from '../shell/form.tsx'
import { fullDay, invoiceName, lastDay, money } from '../shell/format.ts'
import { Loaded, MainButton, Panel, QuietButton } from '../shell/page.tsx'
import { useCall, useChange, useRead } from '../shell/use-session.ts'
import { NotSold, PlanCards } from './plan-card.tsx'
import { InvoiceDetails, OverageLimit } from './plan-settings.tsx'
import { type TabProps, unpaidAgain } from './standing-notice.tsx'

export function PlanTab(props: TabProps) {
  const plans = useQuery(plansQuery)
  return (
    <>
      <Loaded query={plans} heightPx={240}>
        {(all) => <Plans plans={all} {...props} />}
      </Loaded>
      <OverageLimit plan={props.billing.plan} standing={props.standing} mayManage={props.mayManage} />
      <InvoiceDetails mayManage={props.mayManage} />
    </>
  )
}

/** The plan in question: another page can select it by a link. */
const CHOOSE = 'choose'

function Plans(props: TabProps & { plans: readonly Plan[] }) {
  const { billing, plans, mayManage, onPay } = props
  const choices = useRead('GET /v1/billing/plans')
  const sells = useQuery(offerQuery).data?.sells
  const [search, setSearch] = useSearchParams()
  const [ending, setEnding] = useState(false)
  const [done, setDone] = useState<string>()
  const asked = search.get(CHOOSE)
  const ask = (planId: string) => setSearch({ [CHOOSE]: planId }, { replace: true })
  const close = () => setSearch({}, { replace: true })
  const { subscription } = billing
  const end = choices.data?.ending ?? undefined
  const runs = subscription?.ends_at === null && ['active', 'past_due'].includes(subscription.status)
  const plan = mayManage ? plans.find(({ id }) => id === asked) : undefined
  const choice = choices.data?.data.find((one) => one.plan === asked)
  const chosen = plan && choice && { plan, choice }
  const tell = (words: string) => {
    setDone(words)
    setEnding(false)
    close()
  }
  const onChosen = (words: string, invoice: Invoice | null) => {
    tell(words)
    if (invoice) onPay(invoice)
  }
  return (
    <Panel
      title="Plan"
      lead={sells === false ? <NotSold /> : undefined}
      action={
        mayManage && end && runs ? (
          <QuietButton size="xs" onClick={() => setEnding(true)} label="End the subscription" />
        ) : null
      }
    >
      <Text role="status" size="sm" hidden={done === undefined}>
        {done}
      </Text>
      <Loaded query={choices} heightPx={240}>
        {({ data }) => (
          <PlanCards
            plans={plans.filter(({ id }) => data.some(({ plan }) => plan === id))}
            currentId={billing.plan.id}
            action={(plan) => <PlanAction plan={plan} ask={ask} {...props} />}
          />
        )}
      </Loaded>
      <Dialog about={chosen} title={({ plan }) => `Choose ${plan.name}?`} onClose={close}>
        {(about) => <ChoosePlan {...props} {...about} onDone={onChosen} />}
      </Dialog>
      <Dialog about={ending ? end : undefined} title={() => 'End the subscription?'} onClose={() => setEnding(false)}>
        {(about) => <EndSubscription billing={billing} ending={about} onDone={tell} />}
      </Dialog>
    </Panel>
  )
}

function PlanAction(props: TabProps & { plan: Plan; ask: (planId: string) => void }) {
  const { plan, billing, standing, mayManage, onPay, ask } = props
  const { subscription } = billing
  const { pay_first: first } = standing
  const current = plan.id === billing.plan.id
  const choose = (label: string) =>
    mayManage ? <QuietButton size="xs" onClick={() => ask(plan.id)} label={label} /> : null
  if (standing.waiting_plan === plan.id) {
    return (
      <Foot words="Waits for its payment">
        {mayManage && first?.in_advance ? (
          <MainButton size="xs" onClick={() => onPay(first)} label={`Pay ${money(first.total_pence)}`} />
        ) : null}
      </Foot>
    )
  }
  if (subscription?.next_plan === plan.id) return <Foot words={`Begins on ${fullDay(billing.period.ends_at)}`} />
  if (!current) return choose(`Change to ${plan.name}`)
  if (subscription?.ends_at) {
    return <Foot words={`Ends on ${lastDay(subscription.ends_at)}`}>{choose(`Keep ${plan.name}`)}</Foot>
  }
  if (subscription?.next_plan) {
    return <Foot words={`Until ${lastDay(billing.period.ends_at)}`}>{choose(`Keep ${plan.name}`)}</Foot>
  }
  if (subscription && !standing.served && standing.reason !== 'overdue' && standing.reason !== 'disputed') {
    return <Foot words="Not running">{choose(`Choose ${plan.name}`)}</Foot>
  }
  const again = unpaidAgain(standing)
  const pay =
    again && mayManage ? (
      <MainButton size="xs" onClick={() => onPay(again)} label={`Pay ${money(again.total_pence)}`} />
    ) : null
  return <Foot words="Your plan">{again ? pay : standing.month_paid ? null : choose('Pay for this month')}</Foot>
}

function Foot({ words, children }: { words: string; children?: ReactNode }) {
  return (
    <Group gap="sm" justify="space-between">
      <Text size="sm" fw={600}>
        {words}
      </Text>
      {children}
    </Group>
  )
}

interface ChoiceProps extends Pick<TabProps, 'billing' | 'standing'> {
  readonly plan: Plan
  readonly choice: PlanChoice
  readonly onDone: (words: string, invoice: Invoice | null) => void
}

function ChoosePlan(props: ChoiceProps) {
  const { plan, choice, standing, onDone } = props
  const change = useCall('POST /v1/billing/subscription', ({ invoice }) =>
    onDone(doneWords(plan, choice, invoice), invoice),
  )
  const replaced = standing.waiting_plan !== null && standing.waiting_plan !== plan.id
  return (
    <Stack gap="sm">
      <Text fw={600}>{amountWords(choice)}</Text>
      <Text>{beginWords(props)}</Text>
      {choice.next_invoice_pence > 0 ? (
        <Text>The monthly price is invoiced until you change or end the subscription.</Text>
      ) : null}
      {replaced ? <Text>The invoice of the plan that waits for its payment is cancelled.</Text> : null}
      <Answers
        submission={change}
        yes={choice.begins === 'when_paid' ? `Choose it and pay ${money(choice.invoice_pence)}` : 'Choose it'}
        onYes={() => change.submit({ body: { plan: plan.id } })}
      />
    </Stack>
  )
}

function amountWords({ invoice_pence: now, next_invoice_pence: next, next_invoice_at: at }: PlanChoice): string {
  const later = next > 0 ? `then ${money(next)} on ${fullDay(at)} and every month` : 'and nothing every month'
  return `${now > 0 ? money(now) : 'Nothing'} now, ${later}.`
}

function beginWords({ plan, choice, billing, standing }: ChoiceProps): string {
  const isOther = plan.id !== billing.plan.id
  const until = standing.served && isOther ? ` Until then you keep ${billing.plan.name}.` : ''
  if (choice.begins === 'next_month') {
    return `${plan.name} begins on ${fullDay(choice.begins_at ?? billing.period.ends_at)}.${until}`
  }
  if (choice.begins === 'when_paid') {
    return `${plan.name} begins when the invoice of ${money(choice.invoice_pence)} is paid.${until}`
  }
  return standing.served && !isOther ? `${plan.name} continues unchanged.` : `${plan.name} begins immediately.`
}

function doneWords(plan: Plan, choice: PlanChoice, invoice: Invoice | null): string {
  if (choice.begins === 'when_paid' && invoice) {
    return `${plan.name} begins when invoice ${invoiceName(invoice)} of ${money(invoice.total_pence)} is paid.`
  }
  if (choice.begins === 'next_month' && choice.begins_at) return `${plan.name} begins on ${fullDay(choice.begins_at)}.`
  return `Your plan is ${plan.name}.${dueWords(invoice)}`
}

type When = 'now' | 'period_end'

function EndSubscription(props: Pick<TabProps, 'billing'> & { ending: Ending; onDone: (words: string) => void }) {
  const { billing, onDone } = props
  const { ends_at: endsAt, invoice_now_pence: invoiceNow } = props.ending
  const [when, setWhen] = useState<When>(endsAt === null ? 'now' : 'period_end')
  const owed = useRead('GET /v1/billing/standing').data?.owed_pence ?? 0
  const last = endsAt === null ? '' : lastDay(endsAt)
  const change = useChange(async (api, end: When) => {
    const { invoice } = await api.call('POST /v1/billing/subscription', { body: { end } })
    onDone((end === 'now' ? 'The subscription has ended.' : `Your plan ends on ${last}.`) + dueWords(invoice))
  })
  return (
    <Stack gap="md">
      <Radio.Group label="When" value={when} onChange={(value) => setWhen(value === 'now' ? 'now' : 'period_end')}>
        <Stack gap="sm" mt="xs">
          {endsAt === null ? null : (
            <Radio
              value="period_end"
              label={`With the month, on ${last}`}
              description={`Your plan ends on ${last}; until then nothing changes. Nothing more is invoiced now; overage until then is invoiced on ${fullDay(endsAt)}.`}
            />
          )}
          <Radio
            value="now"
            label="Now"
            description={`Checks are refused immediately. ${invoiceNow > 0 ? `Overage of ${money(invoiceNow)} is invoiced today.` : 'Nothing more is invoiced.'} The price of the month until ${lastDay(billing.period.ends_at)} is not refunded.`}
          />
        </Stack>
      </Radio.Group>
      {owed > 0 ? <Text size="sm">{money(owed)} on open invoices must still be paid.</Text> : null}
      {billing.prepaid_credit_pence > 0 ? (
        <Text size="sm">{money(billing.prepaid_credit_pence)} of prepaid credit stays for a later plan.</Text>
      ) : null}
      <Answers
        submission={change}
        yes={when === 'now' ? 'End it now' : `End it on ${last}`}
        no="Keep it"
        grave
        onYes={() => change.submit(when)}
      />
    </Stack>
  )
}

/** Added to a confirmation; empty when the change created no invoice. */
function dueWords(invoice: Invoice | null): string {
  if (!invoice) return ''
  return ` Invoice ${invoiceName(invoice)} of ${money(invoice.total_pence)} is due on ${fullDay(invoice.due_at)}.`
}
