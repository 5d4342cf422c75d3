import { ConflictError } from '@assay/sdk'
import { Alert, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type HowToPay, offerQuery } from '../api/billing.ts'
import type { Answer } from '../api/client.ts'
import { TransferFacts } from '../billing/pay-dialog.tsx'
import { ButtonLink } from '../shell/buttons.tsx'
import { money } from '../shell/format.ts'
import { leaveTo } from '../shell/leave.ts'
import { Loading, NotLoaded } from '../shell/page-states.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { Secret } from '../shell/secret.tsx'
import { Sheet } from '../shell/sheet.tsx'
import { useSubmit } from '../shell/use-change.ts'
import { ask, type Claimed, claim, type Kept } from './kept.ts'

type CheckoutState = Answer<'POST /v1/checkout/{checkout_id}/state'>

// A card payment arrives within seconds, a transfer takes days: the server limits the number of polls.
const POLL_SOON_MS = 2000
const POLLS_SOON_MAX = 30
const POLL_LATER_MS = 30_000

/** The state of a checkout, and the payment that is still open. */
async function read(kept: Kept, signal: AbortSignal): Promise<{ state: CheckoutState; how: HowToPay | null }> {
  const state = await ask(kept, 'state', signal)
  if (state.state === 'complete' || state.amount_due_pence === 0) return { state, how: null }
  try {
    return { state, how: await ask(kept, 'how-to-pay', signal) }
  } catch (error) {
    // It is paid, and the account waits for the operator's approval.
    if (error instanceof ConflictError) return { state, how: null }
    throw error
  }
}

/** After the form: waits for the payment or the operator's approval, then shows the key once. */
export function Waiting({ kept, cancelled }: { kept: Kept; cancelled: boolean }) {
  const [claimed, setClaimed] = useState<Claimed>()
  const checkout = useQuery({
    queryKey: ['checkout', kept.id],
    queryFn: ({ signal }) => read(kept, signal),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.state.state === 'complete' ? false : dataUpdateCount < POLLS_SOON_MAX ? POLL_SOON_MS : POLL_LATER_MS,
  })
  const show = useSubmit(async () => setClaimed(await claim(kept)))
  if (claimed) return <TheKey claimed={claimed} confirms={kept.confirms} />
  if (checkout.data === undefined) return checkout.isError ? <NotLoaded query={checkout} /> : <Loading />
  const { state, how } = checkout.data
  if (how) return <ToPay kept={kept} how={how} cancelled={cancelled} />
  if (state.state === 'pending') return <ToApprove kept={kept} />
  return (
    <Sheet outcome="done" title="You are subscribed" lead="Your API key is shown once: have a safe place for it ready.">
      <ProblemNotice error={show.error} />
      <Button size="md" loading={show.busy} onClick={() => show.submit()}>
        Show my API key
      </Button>
    </Sheet>
  )
}

function ToPay({ kept, how, cancelled }: { kept: Kept; how: HowToPay; cancelled: boolean }) {
  const offer = useQuery(offerQuery)
  const payment = useSubmit(() => goToPayment(kept))
  const approved = offer.data?.sign_up === 'approval' ? ' and the operator of this server has approved it' : ''
  if (how.by_card) {
    return (
      <Sheet
        title={cancelled ? 'Nothing was paid' : 'Waiting for the payment'}
        lead={`${money(how.amount_pence)} is to be paid. Your account begins when the payment has arrived${approved}: this page then goes on by itself.`}
      >
        <ProblemNotice error={payment.error} />
        <Button size="md" loading={payment.busy} onClick={() => payment.submit()}>
          Go to the payment page
        </Button>
      </Sheet>
    )
  }
  return (
    <Sheet
      title="How to pay"
      lead={`Your account is made. It begins when ${money(how.amount_pence)} has been paid${approved}.`}
    >
      <OpenTheMail confirms={kept.confirms} />
      <TransferFacts how={how} />
      <Text size="sm">
        Your API key is shown on this page once the account begins. You may close the page: then sign in and make a key
        under <strong>Keys and applications</strong>.
      </Text>
      <ButtonLink to="/console/billing" size="sm" variant="default">
        Go to the console
      </ButtonLink>
    </Sheet>
  )
}

function ToApprove({ kept }: { kept: Kept }) {
  return (
    <Sheet
      title="Waiting for the approval"
      lead="Your account is made. The operator of this server approves it before its first check."
    >
      <OpenTheMail confirms={kept.confirms} />
      <Text>
        Your API key is shown on this page once the account is approved. You may close the page: then sign in and make a
        key under <strong>Keys and applications</strong>.
      </Text>
      <ButtonLink to="/console" size="sm" variant="default">
        Go to the console
      </ButtonLink>
    </Sheet>
  )
}

/** Goes to the payment page; stays here if the server has none. */
export async function goToPayment(kept: Kept): Promise<void> {
  const { url } = await ask(kept, 'payment')
  if (url !== null) await leaveTo(url)
}

/** Until the address is confirmed, nobody can sign in to the organisation. */
function OpenTheMail({ confirms }: { confirms: string | undefined }) {
  if (confirms === undefined) return null
  return (
    <Alert title="One more step">
      Open the mail we sent to <strong>{confirms}</strong> to finish: then you can sign in. Its link works for a day.
    </Alert>
  )
}

export function TheKey(props: { claimed: Claimed; owedPence?: number; confirms?: string | undefined }) {
  const { claimed, owedPence = 0, confirms } = props
  return (
    <Sheet outcome="done" title="You are subscribed" lead="Keep the key now: it is shown this once.">
      <OpenTheMail confirms={confirms} />
      <Secret label="API key" value={claimed.api_key} words="Anybody who has it can check on your account." />
      <Secret label="A first request" value={claimed.curl} words="Paste it into a terminal." />
      {owedPence > 0 ? (
        <Text size="sm">
          Your first invoice is over {money(owedPence)}. How to pay it stands in the console, under{' '}
          <strong>Usage and billing</strong>.
        </Text>
      ) : null}
      {confirms === undefined ? (
        <ButtonLink to="/console" variant="default">
          Go to the console
        </ButtonLink>
      ) : null}
    </Sheet>
  )
}
