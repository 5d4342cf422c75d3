import { Button, Group, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import {
  type Billing,
  choicesQuery,
  type Ending,
  type Invoice,
  type Plan,
  type PlanChoice,
  plansQuery,
  type Standing,
  standingQuery,
} from '../api/billing.ts'
import { QuietButton } from '../shell/buttons.tsx'
import { Answers, Dialog } from '../shell/dialog.tsx'
import { fullDay, lastDay, money } from '../shell/format.ts'
import { Loaded, Panel } from '../shell/page.tsx'
import { useChange } from '../shell/use-change.ts'
import { useApi } from '../shell/use-session.ts'
import { dueWords } from './invoice-words.ts'
import { PlanCards } from './plan-card.tsx'
import { InvoiceDetails, OverageLimit } from './plan-settings.tsx'
import type { TabProps } from './tab.ts'

/** The plan, its limit beyond the credit, and the invoice address. */
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

/** The plans to choose from; the effect of a choice is shown before it is confirmed. */
function Plans(props: TabProps & { plans: readonly Plan[] }) {
  const { billing, plans, mayManage, onPay } = props
  const choices = useQuery(choicesQuery(useApi()))
  const [search, setSearch] = useSearchParams()
  const [ending, setEnding] = useState(false)
  const [done, setDone] = useState<string>()
  const asked = search.get(CHOOSE)
  const ask = (planId: string) => setSearch({ [CHOOSE]: planId }, { replace: true })
  const close = () => setSearch({}, { replace: true })
  const { subscription } = billing
  const end = choices.data?.ending ?? null
  const runs = subscription?.ends_at === null && ['active', 'past_due'].includes(subscription.status)
  const chosen = mayManage ? plans.find(({ id }) => id === asked) : undefined
  const choice = choices.data?.data.find(({ plan }) => plan === asked)
  const tell = (words: string) => {
    setDone(words)
    setEnding(false)
    close()
  }
  return (
    <Panel
      title="Plan"
      action={
        mayManage && end && runs ? (
          <QuietButton size="xs" onClick={() => setEnding(true)}>
            End the subscription
          </QuietButton>
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
      <Dialog
        opened={chosen !== undefined && choice !== undefined}
        title={chosen ? `Choose ${chosen.name}?` : ''}
        onClose={close}
      >
        {chosen && choice ? (
          <ChoosePlan
            {...props}
            plan={chosen}
            choice={choice}
            onClose={close}
            onDone={(words, invoice) => {
              tell(words)
              if (invoice) onPay(invoice)
            }}
          />
        ) : null}
      </Dialog>
      <Dialog opened={ending && end !== null} title="End the subscription?" onClose={() => setEnding(false)}>
        {end ? <EndSubscription billing={billing} ending={end} onClose={() => setEnding(false)} onDone={tell} /> : null}
      </Dialog>
    </Panel>
  )
}

/** The footer of a plan's card: its state and its actions. */
function PlanAction(props: TabProps & { plan: Plan; ask: (planId: string) => void }) {
  const { plan, billing, standing, mayManage, onPay, ask } = props
  const { subscription } = billing
  const { pay_first: first } = standing
  const current = plan.id === billing.plan.id
  const choose = (label: string) =>
    mayManage ? (
      <QuietButton size="xs" onClick={() => ask(plan.id)}>
        {label}
      </QuietButton>
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

interface ChoiceProps {
  readonly plan: Plan
  readonly choice: PlanChoice
  readonly billing: Billing
  readonly standing: Standing
  readonly onClose: () => void
  readonly onDone: (words: string, invoice: Invoice | null) => void
}

/** Confirms the choice of a plan: the amounts now and later, their dates, and the start. */
function ChoosePlan(props: ChoiceProps) {
  const { plan, choice, standing, onClose, onDone } = props
  const change = useChange(async (api, id: string, idempotencyKey) => {
    const { invoice } = await api.call('POST /v1/billing/subscription', { body: { plan: id }, idempotencyKey })
    onDone(doneWords(plan, choice, invoice), invoice)
  })
  const replaced = standing.waiting_plan !== null && standing.waiting_plan !== plan.id
  return (
    <>
      <Stack gap="sm" mb="lg">
        <Text fw={600}>{amountWords(choice)}</Text>
        <Text>{beginWords(props)}</Text>
        {choice.next_invoice_pence > 0 ? (
          <Text>The monthly price is invoiced until you change or end the subscription.</Text>
        ) : null}
        {replaced ? <Text>The invoice of the plan that waits for its payment is cancelled.</Text> : null}
      </Stack>
      <Answers
        submission={change}
        yes={choice.begins === 'when_paid' ? `Choose it and pay ${money(choice.invoice_pence)}` : 'Choose it'}
        no="Leave it"
        onYes={() => change.submit(plan.id)}
        onNo={onClose}
      />
    </>
  )
}

/** "£49.00 now, then £49.00 on 1 December 2026 and every month." */
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
  return standing.served && !isOther ? `${plan.name} goes on as it is.` : `${plan.name} begins at once.`
}

function doneWords(plan: Plan, choice: PlanChoice, invoice: Invoice | null): string {
  if (choice.begins === 'when_paid' && invoice) {
    return `${plan.name} begins when invoice ${invoice.number} of ${money(invoice.total_pence)} is paid.`
  }
  if (choice.begins === 'next_month' && choice.begins_at) return `${plan.name} begins on ${fullDay(choice.begins_at)}.`
  return `Your plan is ${plan.name}.${dueWords(invoice)}`
}

type When = 'now' | 'period_end'

interface EndProps {
  readonly billing: Billing
  readonly ending: Ending
  readonly onClose: () => void
  readonly onDone: (words: string) => void
}

/** Confirms the end of a subscription: with the month or immediately; the cost, the effect and the date of each. */
function EndSubscription({ billing, ending, onClose, onDone }: EndProps) {
  const { ends_at: endsAt, invoice_now_pence: invoiceNow } = ending
  const [when, setWhen] = useState<When>(endsAt === null ? 'now' : 'period_end')
  const owed = useQuery(standingQuery(useApi())).data?.owed_pence ?? 0
  const last = endsAt === null ? '' : lastDay(endsAt)
  const change = useChange(async (api, end: When, idempotencyKey) => {
    const { invoice } = await api.call('POST /v1/billing/subscription', { body: { end }, idempotencyKey })
    onDone((end === 'now' ? 'The subscription has ended.' : `Your plan ends on ${last}.`) + dueWords(invoice))
  })
  return (
    <>
      <Radio.Group
        label="When"
        value={when}
        onChange={(value) => setWhen(value === 'now' ? 'now' : 'period_end')}
        mb="md"
      >
        <Stack gap="sm" mt="xs">
          {endsAt === null ? null : (
            <Radio
              value="period_end"
              label={`With the month, on ${last}`}
              description={`Your plan ends on ${last}; until then nothing changes. Nothing more is invoiced now; what is used beyond the credit until then is invoiced on ${fullDay(endsAt)}.`}
            />
          )}
          <Radio
            value="now"
            label="Now"
            description={`Checks are refused at once. ${invoiceNow > 0 ? `${money(invoiceNow)}, used beyond the credit, is invoiced today.` : 'Nothing more is invoiced.'} What was paid for the month until ${lastDay(billing.period.ends_at)} is not paid back.`}
          />
        </Stack>
      </Radio.Group>
      {owed > 0 ? (
        <Text size="sm" mb="lg">
          {money(owed)} on invoices that are open stays to be paid.
        </Text>
      ) : null}
      {billing.prepaid_credit_pence > 0 ? (
        <Text size="sm" mb="lg">
          {money(billing.prepaid_credit_pence)} of prepaid credit stays, for when you take up a plan again.
        </Text>
      ) : null}
      <Answers
        submission={change}
        yes={when === 'now' ? 'End it now' : `End it on ${last}`}
        no="Keep it"
        grave
        onYes={() => change.submit(when)}
        onNo={onClose}
      />
    </>
  )
}
