import { Stack, Text } from '@mantine/core'
import type { Billing, Invoice, Plan, PlanChoice, Standing } from '../api/billing.ts'
import { Answers } from '../shell/dialog.tsx'
import { fullDay, money } from '../shell/format.ts'
import { useChange } from '../shell/use-change.ts'
import { dueWords } from './invoice-words.ts'

interface Props {
  readonly plan: Plan
  readonly choice: PlanChoice
  readonly billing: Billing
  readonly standing: Standing
  readonly onClose: () => void
  readonly onDone: (words: string, invoice: Invoice | null) => void
}

/** The question before a plan is chosen: what is to be paid now and later, on which day, and when it begins. */
export function ChoosePlan(props: Props) {
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

function beginWords({ plan, choice, billing, standing }: Props): string {
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
