import { Button, Group, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Billing, choicesQuery, type Invoice, type Plan, type PlanChoice, type Standing } from '../api/billing.ts'
import { Answers, Dialog } from '../shell/dialog.tsx'
import { money } from '../shell/money.ts'
import { Loaded, Panel } from '../shell/page.tsx'
import { day } from '../shell/time.ts'
import { useChange } from '../shell/use-change.ts'
import { useApi } from '../shell/use-organisation.ts'
import { PlanCard } from './plan-card.tsx'

interface Props {
  readonly billing: Billing
  readonly standing: Standing
  readonly plans: readonly Plan[]
  readonly mayManage: boolean
  readonly onPay: (invoice: Invoice) => void
  /** The plan that is asked about, and how to ask. */
  readonly asked: string | undefined
  readonly ask: (planId: string | undefined) => void
}

/** The plans to choose from; what a choice brings about is said before it is made. */
export function Plans(props: Props) {
  const { billing, plans, mayManage, asked, ask, onPay } = props
  const choices = useQuery(choicesQuery(useApi()))
  const [ending, setEnding] = useState(false)
  const [done, setDone] = useState<string>()
  const { subscription } = billing
  const mayEnd =
    mayManage && subscription?.ends_at === null && ['active', 'past_due'].includes(subscription?.status ?? '')
  const chosen = plans.find(({ id }) => id === asked)
  const choice = choices.data?.find(({ plan }) => plan === asked)
  const tell = (words: string) => {
    setDone(words)
    setEnding(false)
    ask(undefined)
  }
  return (
    <Panel
      title="Plan"
      action={
        mayEnd ? (
          <Button variant="default" size="xs" onClick={() => setEnding(true)}>
            End the subscription
          </Button>
        ) : null
      }
    >
      <Stack gap="md">
        <Text role="status" size="sm" hidden={done === undefined}>
          {done}
        </Text>
        <Loaded query={choices} heightPx={240}>
          {(data) => (
            <div className="plans">
              {plans
                .filter(({ id }) => data.some(({ plan }) => plan === id))
                .map((plan) => (
                  <PlanCard
                    key={plan.id}
                    plan={plan}
                    current={plan.id === billing.plan.id}
                    action={<PlanAction plan={plan} {...props} />}
                  />
                ))}
            </div>
          )}
        </Loaded>
      </Stack>
      <Dialog
        opened={chosen !== undefined && choice !== undefined}
        title={chosen ? `Choose ${chosen.name}?` : ''}
        onClose={() => ask(undefined)}
      >
        {chosen && choice ? (
          <Choose
            {...props}
            plan={chosen}
            choice={choice}
            onClose={() => ask(undefined)}
            onDone={(words, invoice) => {
              tell(words)
              if (invoice) onPay(invoice)
            }}
          />
        ) : null}
      </Dialog>
      <Dialog opened={ending} title="End the subscription?" onClose={() => setEnding(false)}>
        <End {...props} onClose={() => setEnding(false)} onDone={tell} />
      </Dialog>
    </Panel>
  )
}

/** What stands at the foot of a plan's card: how it stands, and what can be done about it. */
function PlanAction({ plan, billing, standing, mayManage, onPay, ask }: Props & { plan: Plan }) {
  const { subscription } = billing
  const { pay_first: first } = standing
  const current = plan.id === billing.plan.id
  const choose = (label: string) =>
    mayManage ? (
      <Button size="xs" variant="default" onClick={() => ask(plan.id)}>
        {label}
      </Button>
    ) : null
  if (standing.waiting_plan === plan.id) {
    return (
      <Foot words="Waits for its payment">
        {mayManage && first?.in_advance ? (
          <Button size="xs" onClick={() => onPay(first)}>
            Pay {money(first.total_pence)}
          </Button>
        ) : null}
      </Foot>
    )
  }
  if (subscription?.next_plan === plan.id) return <Foot words={`Begins on ${day(billing.period.ends_at)}`} />
  if (!current) return choose(`Change to ${plan.name}`)
  if (subscription?.ends_at) {
    return <Foot words={`Ends on ${day(subscription.ends_at)}`}>{choose(`Keep ${plan.name}`)}</Foot>
  }
  if (subscription?.next_plan) {
    return <Foot words={`Until ${day(billing.period.ends_at)}`}>{choose(`Keep ${plan.name}`)}</Foot>
  }
  if (subscription && !standing.served && standing.reason !== 'overdue' && standing.reason !== 'disputed') {
    return <Foot words="Not running">{choose(`Choose ${plan.name}`)}</Foot>
  }
  return <Foot words="Your plan">{standing.month_paid ? null : choose('Pay for this month')}</Foot>
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

function Choose(
  props: Props & {
    plan: Plan
    choice: PlanChoice
    onClose: () => void
    onDone: (words: string, invoice: Invoice | null) => void
  },
) {
  const { plan, choice, billing, standing } = props
  const change = useChange(async (api, id: string, idempotencyKey) => {
    const { invoice } = await api.call('POST /v1/billing/subscription', {
      body: { plan: id },
      idempotencyKey,
    })
    props.onDone(doneWords(plan, choice, invoice), invoice)
  })
  const replaced = standing.waiting_plan !== null && standing.waiting_plan !== plan.id
  return (
    <>
      <Stack gap="sm" mb="lg">
        <Text>{beginWords(plan, choice, billing, standing)}</Text>
        {plan.monthly_price_pence > 0 ? (
          <Text>
            {money(plan.monthly_price_pence)} is then invoiced at the start of every month, until you change or end the
            subscription.
          </Text>
        ) : null}
        {replaced ? <Text>The invoice of the plan that waits for its payment is cancelled.</Text> : null}
      </Stack>
      <Answers
        submission={change}
        yes={choice.begins === 'when_paid' ? `Choose it and pay ${money(choice.invoice_pence)}` : 'Choose it'}
        no="Leave it"
        onYes={() => change.submit(plan.id)}
        onNo={props.onClose}
      />
    </>
  )
}

function beginWords(plan: Plan, choice: PlanChoice, billing: Billing, standing: Standing): string {
  const until = standing.served && plan.id !== billing.plan.id ? ` Until then you keep ${billing.plan.name}.` : ''
  if (choice.begins === 'next_month') {
    return `${plan.name} begins on ${day(choice.begins_at ?? billing.period.ends_at)}. Nothing is to be paid now.${until}`
  }
  if (choice.begins === 'when_paid') {
    return `${plan.name} begins when an invoice of ${money(choice.invoice_pence)} is paid.${until}`
  }
  const keeps = plan.id === billing.plan.id && standing.served
  const begins = keeps ? `${plan.name} goes on as it is.` : `${plan.name} begins at once.`
  return choice.invoice_pence > 0
    ? `${begins} An invoice of ${money(choice.invoice_pence)} is made for it.`
    : `${begins} Nothing is to be paid now.`
}

function doneWords(plan: Plan, choice: PlanChoice, invoice: Invoice | null): string {
  if (choice.begins === 'when_paid' && invoice) {
    return `${plan.name} begins when invoice ${invoice.number} of ${money(invoice.total_pence)} is paid.`
  }
  if (choice.begins === 'next_month' && choice.begins_at) return `${plan.name} begins on ${day(choice.begins_at)}.`
  const due = invoice
    ? ` Invoice ${invoice.number} of ${money(invoice.total_pence)} is due on ${day(invoice.due_at)}.`
    : ''
  return `Your plan is ${plan.name}.${due}`
}

type When = 'now' | 'period_end'

function End(props: Props & { onClose: () => void; onDone: (words: string) => void }) {
  const { billing, standing } = props
  const monthEnd = day(billing.period.ends_at)
  // A subscription that does not run has no month to run out.
  const [when, setWhen] = useState<When>(standing.served ? 'period_end' : 'now')
  const change = useChange(async (api, end: When, idempotencyKey) => {
    const { invoice } = await api.call('POST /v1/billing/subscription', {
      body: { end },
      idempotencyKey,
    })
    const ended = end === 'now' ? 'The subscription has ended.' : `The subscription ends on ${monthEnd}.`
    const due = invoice
      ? ` Invoice ${invoice.number} of ${money(invoice.total_pence)} is due on ${day(invoice.due_at)}.`
      : ''
    props.onDone(ended + due)
  })
  return (
    <>
      <Radio.Group
        label="When"
        value={when}
        onChange={(value) => setWhen(value === 'now' ? 'now' : 'period_end')}
        mb="lg"
      >
        <Stack gap="sm" mt="xs">
          {standing.served ? (
            <Radio
              value="period_end"
              label={`On ${monthEnd}, with the month`}
              description="Nothing changes until then. Checks are refused from then on."
            />
          ) : null}
          <Radio
            value="now"
            label="Now"
            description={`Checks are refused at once. What was paid for the month until ${monthEnd} is not paid back. What was used beyond the credit is invoiced.`}
          />
        </Stack>
      </Radio.Group>
      <Answers
        submission={change}
        yes={when === 'now' ? 'End it now' : `End it on ${monthEnd}`}
        no="Keep it"
        grave
        onYes={() => change.submit(when)}
        onNo={props.onClose}
      />
    </>
  )
}
