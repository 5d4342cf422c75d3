import { ConflictError } from '@assay/sdk'
import { Alert, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, leaveTo, server } from '../api/client.ts'
import { type HowToPay, newRequestKey, offerQuery } from '../api/organisation.ts'
import { TransferFacts } from '../billing/pay-dialog.tsx'
import { money } from '../shell/format.ts'
import { ButtonLink, MainButton, ProblemNotice } from '../shell/page.tsx'
import { Secret } from '../shell/secret.tsx'
import { Loading, NotLoaded, Sheet } from '../shell/sheet.tsx'
import { useSubmit } from '../shell/use-session.ts'

type CheckoutState = Answer<'POST /v1/checkout/{checkout_id}/state'>

// A card payment arrives within seconds, a transfer takes days: the server limits the number of polls.
const POLL_SOON_MS = 2000
const POLLS_SOON_MAX = 30
const POLL_LATER_MS = 30_000

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
      <MainButton size="md" loading={show.busy} onClick={() => show.submit()} label="Show my API key" />
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
        <MainButton size="md" loading={payment.busy} onClick={() => payment.submit()} label="Go to the payment page" />
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
      <ButtonLink to="/console/billing" size="sm" variant="default" label="Go to the console" />
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
      <ButtonLink to="/console" size="sm" variant="default" label="Go to the console" />
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
      {confirms === undefined ? <ButtonLink to="/console" variant="default" label="Go to the console" /> : null}
    </Sheet>
  )
}

export type Begun = Answer<'POST /v1/checkout'>
export type Claimed = Answer<'POST /v1/checkout/{checkout_id}/claim'>

/** Stored for this tab only, so that a reload, or the return from the payment page, finds the checkout again. */
export interface Kept {
  readonly id: string
  readonly claimToken: string
  /** Idempotency key: a retry of the claim after a lost answer is the same request. */
  readonly claimKey: string
  readonly confirms?: string
}

const KEPT = 'assay.checkout'

export function keep(begun: Begun, email: string): Kept {
  const kept: Kept = {
    id: begun.id,
    claimToken: begun.claim_token,
    claimKey: newRequestKey(),
    ...(begun.confirm_email ? { confirms: email } : {}),
  }
  sessionStorage.setItem(KEPT, JSON.stringify(kept))
  return kept
}

export function readKept(id: string): Kept | undefined {
  const text = sessionStorage.getItem(KEPT)
  const kept = text === null ? undefined : (JSON.parse(text) as Kept)
  return kept?.id === id ? kept : undefined
}

/** Returns the key, which is shown once, and deletes the stored checkout. */
export async function claim({ id, claimToken, claimKey }: Kept): Promise<Claimed> {
  const claimed = await server.call('POST /v1/checkout/{checkout_id}/claim', {
    path: { checkout_id: id },
    body: { claim_token: claimToken },
    idempotencyKey: claimKey,
  })
  sessionStorage.removeItem(KEPT)
  return claimed
}

const ask = <What extends 'state' | 'payment' | 'how-to-pay'>(
  { id, claimToken }: Kept,
  what: What,
  signal?: AbortSignal,
): Promise<Answer<`POST /v1/checkout/{checkout_id}/${What}`>> =>
  server.call(`POST /v1/checkout/{checkout_id}/${what}`, {
    path: { checkout_id: id },
    body: { claim_token: claimToken },
    signal,
  })
