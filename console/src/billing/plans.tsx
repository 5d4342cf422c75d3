import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { choicesQuery, type Plan, plansQuery } from '../api/billing.ts'
import { QuietButton } from '../shell/buttons.tsx'
import { Dialog } from '../shell/dialog.tsx'
import { fullDay, lastDay, money } from '../shell/format.ts'
import { Loaded, Panel } from '../shell/page.tsx'
import { useApi } from '../shell/use-session.ts'
import { ChoosePlan } from './choose-plan.tsx'
import { InvoiceDetails } from './details.tsx'
import { EndSubscription } from './end-subscription.tsx'
import { OverageLimit } from './overage-limit.tsx'
import { PlanCards } from './plan-card.tsx'
import type { TabProps } from './tab.ts'

/** The plan, how far it may go beyond the credit, and to whom it is invoiced. */
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

/** Which plan is asked about: another page may ask by its link. */
const CHOOSE = 'choose'

/** The plans to choose from; the effect of a choice is said before it is made. */
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

/** The foot of a plan's card: its state, and what can be done about it. */
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
