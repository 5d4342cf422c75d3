import { ConflictError, type Operations, PASSWORD } from '@assay/sdk'
import { Alert, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type Answer, leaveTo, ONCE, server } from '../api/client.ts'
import { type HowToPay, newRequestKey, type Offer, offerQuery, type Plan, plansQuery } from '../api/organisation.ts'
import { signIn } from '../api/session.ts'
import { TransferFacts } from '../billing/pay-dialog.tsx'
import { APPROVAL_WORDS, askWords, priceWords } from '../billing/plan-card.tsx'
import { PoundsInput, topUpProblem, usePounds } from '../billing/pounds.tsx'
import { chargeWords } from '../billing/words.ts'
import { DialogButton, EMAIL, EmailInput, Form, PersonFields, Secret, SubmitButton, useFields } from '../shell/form.tsx'
import { money } from '../shell/format.ts'
import { ButtonLink, MainButton, PageLink, ProblemNotice, problemAt, QuietButton, Status } from '../shell/page.tsx'
import { Loading, NotLoaded, Sheet } from '../shell/sheet.tsx'
import { useSubmit } from '../shell/use-session.ts'
import { Terms } from './terms.tsx'

type Request = Operations['POST /v1/checkout']['body']

export function Component() {
  const [search] = useSearchParams()
  const id = search.get('checkout')
  const [claimed, setClaimed] = useState<ClaimedCheckout>()
  if (claimed) return <TheKey {...claimed} />
  if (id === null) return <SignUp planId={search.get('plan')} onClaimed={setClaimed} />
  const kept = readKept(id)
  if (kept?.isClaimed) {
    // The mail is still to be opened.
    return (
      <Sheet title="You are subscribed" lead="Your API key was shown once. Sign in to create another.">
        <OpenTheMail kept={kept} />
      </Sheet>
    )
  }
  if (kept) return <Waiting kept={kept} cancelled={search.get('cancelled') === 'true'} />
  return (
    <Sheet title="This checkout is finished" lead="An API key is shown once, in the tab that subscribed.">
      <Text>
        Sign in and create a new key under <strong>Keys and applications</strong>. While the first invoice is not paid,{' '}
        <strong>Usage and billing</strong> says how to pay it.
      </Text>
      <ButtonLink to="/console/keys" label="Go to the console" />
    </Sheet>
  )
}

interface SignUpProps {
  readonly planId: string | null
  readonly onClaimed: (claimed: ClaimedCheckout) => void
}

function SignUp(props: SignUpProps) {
  const plans = useQuery(plansQuery)
  const offer = useQuery(offerQuery)
  if (plans.isError) return <NotLoaded query={plans} />
  if (offer.isError) return <NotLoaded query={offer} />
  if (plans.isPending || offer.isPending) return <Loading />
  const offered = plans.data.filter(({ id }) => offer.data.plans.includes(id))
  if (offer.data.sign_up === 'closed' || offered.length === 0) {
    return (
      <Sheet title="Sign-up is closed" lead={askWords(offer.data)}>
        <Text size="sm">
          <PageLink to="/sign-in">Sign in</PageLink> if you have an account.
        </Text>
      </Sheet>
    )
  }
  return <Subscribe {...props} plans={offered} offer={offer.data} />
}

const CREDIT_POUNDS = 20

/** True when checks cost money from the first one on, and the plan includes no free units or credit. */
function needsCredit(plan: Plan): boolean {
  const gives = plan.monthly_price_pence > 0 || plan.free_units > 0 || plan.included_credit_pence > 0
  return !gives && !plan.overage_allowed && Object.values(plan.unit_price_pence).some((pence) => pence > 0)
}

function Subscribe({ plans, offer, planId, onClaimed }: SignUpProps & { plans: readonly Plan[]; offer: Offer }) {
  const queries = useQueryClient()
  const [, setSearch] = useSearchParams()
  const { values, field } = useFields({ organisation_name: '', name: '', email: '', password: '', plan: planId ?? '' })
  const [terms, setTerms] = useState(false)
  const { pence, field: pounds } = usePounds(CREDIT_POUNDS)
  const [tried, setTried] = useState(false)
  /** Sending the same form again uses the same idempotency key; a corrected form uses a new one. */
  const pending = useRef<{ readonly form: string; readonly key: string }>(undefined)
  const submission = useSubmit(async (body: Request) => {
    const form = JSON.stringify(body)
    if (pending.current?.form !== form) pending.current = { form, key: newRequestKey() }
    const begun = await server.call('POST /v1/checkout', { body, idempotencyKey: pending.current.key })
    const kept = keep(begun, body.email)
    if (!begun.confirm_email) await signIn({ email: body.email, password: body.password }, queries)
    if (begun.state === 'complete') {
      onClaimed({ claimed: await claim(kept), owedPence: begun.amount_due_pence, kept })
    } else if (offer.by_card && begun.amount_due_pence > 0) await goToPayment(kept)
    setSearch({ checkout: begun.id }, { replace: true })
  })
  const { submit, error } = submission
  const plan = plans.find(({ id }) => id === values.plan) ?? plans[0]
  const buysCredit = plan !== undefined && needsCredit(plan)
  const withoutCredit = pounds.value === '' || pence === 0
  const creditProblem = !buysCredit || withoutCredit ? undefined : topUpProblem(pence)
  const credit: Pick<Request, 'top_up_pence'> = buysCredit && pence ? { top_up_pence: pence } : {}
  const accepted = offer.terms === null ? {} : { accept_terms: terms }
  const request = { ...values, plan: plan?.id ?? '', email: values.email.trim(), ...accepted, ...credit }
  const missing = problems(request)
  const text = (name: 'organisation_name' | 'name' | 'email' | 'password') => {
    const own = field(name, error)
    return { ...own, error: (tried ? missing[name] : undefined) ?? own.error }
  }
  return (
    <Sheet title="Subscribe" lead="Your API key is shown at the end, once.">
      <Form
        label="Subscribe"
        error={error?.errors.length === 0 ? error : undefined}
        failed="You are not subscribed yet"
        onSubmit={() => {
          setTried(true)
          if (creditProblem === undefined && Object.keys(missing).length === 0) submit(request)
        }}
      >
        {offer.sign_up === 'approval' ? <Alert>{APPROVAL_WORDS}</Alert> : null}
        <NativeSelect
          label="Plan"
          size="md"
          {...field('plan', error)}
          value={plan?.id}
          data={plans.map((each) => ({ value: each.id, label: `${each.name}: ${priceWords(each)}` }))}
        />
        {buysCredit ? (
          <PoundsInput
            label="Credit to buy now, in pounds"
            description="Checks are paid from this credit, and it never expires. Without credit, checks are refused until you top up."
            size="md"
            {...pounds}
            error={creditProblem ?? problemAt(error, 'top_up_pence')}
          />
        ) : null}
        <TextInput
          label="Organisation"
          autoComplete="organization"
          maxLength={200}
          size="md"
          {...text('organisation_name')}
        />
        <PersonFields field={text} />
        <Terms
          offer={offer}
          checked={terms}
          onChange={(event) => setTerms(event.currentTarget.checked)}
          error={tried ? missing.accept_terms : undefined}
        />
        {plan ? <Text>{chargeWords(plan, offer, credit.top_up_pence ?? 0)}</Text> : null}
        <SubmitButton submission={submission} label="Subscribe" />
        <Text size="sm">
          <PageLink to="/pricing">Compare the plans</PageLink>, or <PageLink to="/sign-in">Sign in</PageLink> if you
          have an account.
        </Text>
      </Form>
    </Sheet>
  )
}

function problems(form: Request): Partial<Record<keyof Request, string>> {
  return {
    ...(form.organisation_name.trim() === '' ? { organisation_name: 'Enter the name of your organisation.' } : {}),
    ...(form.name.trim() === '' ? { name: 'Enter your name.' } : {}),
    ...(EMAIL.test(form.email) ? {} : { email: 'Enter your email address.' }),
    ...(form.password.length < PASSWORD.characters.min
      ? { password: `Use at least ${PASSWORD.characters.min} characters.` }
      : {}),
    ...(form.accept_terms === false ? { accept_terms: 'Accept the terms to continue.' } : {}),
  }
}

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
  if (claimed) return <TheKey claimed={claimed} kept={kept} />
  if (checkout.data === undefined) return checkout.isError ? <NotLoaded query={checkout} /> : <Loading />
  const { state, how } = checkout.data
  if (how) return <ToPay kept={kept} how={how} cancelled={cancelled} />
  if (state.state === 'pending') {
    return (
      <Sheet
        title="Waiting for the approval"
        lead="Your account is created. The operator of this server must approve it before its first check."
      >
        <OpenTheMail kept={kept} />
        <KeyLater to="/console" />
      </Sheet>
    )
  }
  return (
    <Sheet
      outcome="done"
      title="You are subscribed"
      lead="Your API key is shown only once: prepare a safe place for it."
    >
      <ProblemNotice error={show.error} />
      <MainButton size="md" of={show} label="Show my API key" />
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
        lead={`${money(how.amount_pence)} is due. Your account becomes active when the payment has arrived${approved}: this page then continues automatically.`}
      >
        <ProblemNotice error={payment.error} />
        <MainButton size="md" of={payment} label="Go to the payment page" />
      </Sheet>
    )
  }
  return (
    <Sheet
      title="How to pay"
      lead={`Your account is created. It becomes active when ${money(how.amount_pence)} has been paid${approved}.`}
    >
      <OpenTheMail kept={kept} />
      <TransferFacts how={how} />
      <KeyLater to="/console/billing" />
    </Sheet>
  )
}

function KeyLater({ to }: { to: string }) {
  return (
    <>
      <Text size="sm">
        Your API key is shown on this page when the account becomes active. You may close the page: then sign in and
        create a key under <strong>Keys and applications</strong>.
      </Text>
      <ButtonLink to={to} size="sm" variant="default" label="Go to the console" />
    </>
  )
}

/** Goes to the payment page; stays here if the server has none. */
export async function goToPayment(kept: Kept): Promise<void> {
  const { url } = await ask(kept, 'payment')
  if (url !== null) await leaveTo(url)
}

/** Until the address is confirmed, nobody can sign in to the organisation. */
function OpenTheMail({ kept }: { kept: Kept }) {
  const [to, setTo] = useState(kept.confirms)
  const [sent, setSent] = useState(false)
  const again = useSubmit(async (email?: string) => {
    const body = { claim_token: kept.claimToken, ...(email === undefined ? {} : { email }) }
    const answer = await server.call('POST /api/sign-up/{checkout_id}/mail', {
      path: { checkout_id: kept.id },
      body,
      ...ONCE,
    })
    // The key may have been shown since this page got its checkout.
    store({ ...(readKept(kept.id) ?? kept), confirms: answer.email })
    setTo(answer.email)
    setSent(true)
  })
  if (to === undefined) return null
  return (
    <Alert title="One more step">
      <Stack gap="sm">
        <div>
          Open the mail we sent to <strong>{to}</strong> to finish: then you can sign in. Its link works for a day.
          Until then the number of free checks is limited.
        </div>
        <ProblemNotice error={again.error} title="No mail was sent" />
        <Group gap="sm">
          <QuietButton size="xs" of={again} input={undefined} label="Send it again" />
          <DialogButton label="Wrong address?" title="Send the mail to another address">
            <OtherAddress email={to} onEmail={again.submit} />
          </DialogButton>
        </Group>
        <Status>{sent ? 'Sent. Only the newest link works.' : ''}</Status>
      </Stack>
    </Alert>
  )
}

function OtherAddress({ email, onEmail }: { email: string; onEmail: (email: string) => void }) {
  const { values, field } = useFields({ email })
  const [missing, setMissing] = useState(false)
  const address = values.email.trim()
  function send() {
    setMissing(!EMAIL.test(address))
    if (!EMAIL.test(address)) return false
    onEmail(address)
    return true
  }
  return (
    <Form label="Another address" onSubmit={send}>
      <EmailInput data-autofocus {...field('email')} error={missing ? 'Enter your email address.' : undefined} />
      <MainButton type="submit" label="Send the mail there" />
    </Form>
  )
}

interface ClaimedCheckout {
  readonly claimed: Claimed
  readonly kept: Kept
  readonly owedPence?: number
}

export function TheKey({ claimed, kept, owedPence = 0 }: ClaimedCheckout) {
  return (
    <Sheet outcome="done" title="You are subscribed" lead="Save the key now: it is shown only once.">
      <OpenTheMail kept={kept} />
      <Secret label="API key" value={claimed.api_key} words="Anybody who has it can check on your account." />
      <Secret label="A first request" value={claimed.curl} words="Paste it into a terminal." />
      {owedPence > 0 ? (
        <Text size="sm">
          Your first invoice is over {money(owedPence)}. The console shows how to pay it, under{' '}
          <strong>Usage and billing</strong>.
        </Text>
      ) : null}
      {kept.confirms === undefined ? <ButtonLink to="/console" variant="default" label="Go to the console" /> : null}
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
  /** The address that the mail was sent to. */
  readonly confirms?: string
  /** The key was shown; kept only while the mail is to be opened. */
  readonly isClaimed?: true
}

const KEPT = 'assay.checkout'

const keep = (begun: Begun, email: string): Kept =>
  store({
    id: begun.id,
    claimToken: begun.claim_token,
    claimKey: newRequestKey(),
    ...(begun.confirm_email ? { confirms: email } : {}),
  })

function store(kept: Kept): Kept {
  sessionStorage.setItem(KEPT, JSON.stringify(kept))
  return kept
}

export function readKept(id: string): Kept | undefined {
  const text = sessionStorage.getItem(KEPT)
  const kept = text === null ? undefined : (JSON.parse(text) as Kept)
  return kept?.id === id ? kept : undefined
}

/** Returns the key, which is shown once. The checkout is kept only if its mail may have to be sent again. */
export async function claim(kept: Kept): Promise<Claimed> {
  const { id, claimToken, claimKey } = kept
  const claimed = await server.call('POST /v1/checkout/{checkout_id}/claim', {
    path: { checkout_id: id },
    body: { claim_token: claimToken },
    idempotencyKey: claimKey,
  })
  if (kept.confirms === undefined) sessionStorage.removeItem(KEPT)
  else store({ ...kept, isClaimed: true })
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
