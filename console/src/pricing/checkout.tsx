import type { Operations } from '@assay/sdk'
import { Anchor, Button, Checkbox, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useCallback, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { plansQuery } from '../api/billing.ts'
import { call } from '../api/client.ts'
import { newRequestKey } from '../api/organisation.ts'
import { signIn } from '../api/session.ts'
import { leaveTo } from '../shell/leave.ts'
import { Loading } from '../shell/loading.tsx'
import { money } from '../shell/money.ts'
import { PASSWORD_LENGTH_MIN, PersonFields } from '../shell/person-fields.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { NotLoaded } from '../shell/problem-page.tsx'
import { Secret } from '../shell/secret.tsx'
import { Sheet } from '../shell/sheet.tsx'
import { SubmitButton } from '../shell/submit-button.tsx'
import { useSubmit } from '../shell/use-submit.ts'

type Form = Operations['POST /v1/checkout']['body']
type Begun = Operations['POST /v1/checkout']['response']
type CheckoutState = Operations['POST /v1/checkout/{checkout_id}/state']['response']
type Claimed = Operations['POST /v1/checkout/{checkout_id}/claim']['response']

/** Kept for this tab alone, so that coming back from the payment page finds the checkout again. */
interface Kept {
  readonly id: string
  readonly claimToken: string
  /** Asking for the key twice, after a lost answer, is one and the same request. */
  readonly claimKey: string
}

const KEPT = 'assay.checkout'

function readKept(id: string | null): Kept | undefined {
  const text = id === null ? null : sessionStorage.getItem(KEPT)
  const kept = text === null ? undefined : (JSON.parse(text) as Kept)
  return kept?.id === id ? kept : undefined
}

const claim = ({ id, claimToken, claimKey }: Kept) =>
  call<Claimed>('POST', `/v1/checkout/${id}/claim`, { body: { claim_token: claimToken }, idempotencyKey: claimKey })

export function Component() {
  const [search] = useSearchParams()
  const id = search.get('checkout')
  if (id === null) return <Subscribe planId={search.get('plan')} />
  const kept = readKept(id)
  if (kept) return <Return kept={kept} cancelled={search.get('cancelled') === 'true'} />
  return (
    <Sheet title="This checkout is finished" lead="An API key is shown once, in the tab that subscribed.">
      <Text>
        Sign in and make a new key under <strong>Keys and applications</strong>.
      </Text>
      <Button component={Link} to="/console/keys" size="md">
        Go to the console
      </Button>
    </Sheet>
  )
}

function Subscribe({ planId }: { planId: string | null }) {
  const plans = useQuery(plansQuery)
  const queries = useQueryClient()
  const [, setSearch] = useSearchParams()
  const [form, setForm] = useState<Form>({
    organisation_name: '',
    name: '',
    email: '',
    password: '',
    plan: planId ?? '',
    accept_terms: false,
  })
  const [tried, setTried] = useState(false)
  const [claimed, setClaimed] = useState<Claimed>()
  /** A repeat of the same form is the same request; a corrected form is another. */
  const pending = useRef<{ readonly form: string; readonly key: string }>(undefined)
  const submission = useSubmit(
    useCallback(
      async (body: Form) => {
        const form = JSON.stringify(body)
        if (pending.current?.form !== form) pending.current = { form, key: newRequestKey() }
        const begun = await call<Begun>('POST', '/v1/checkout', { body, idempotencyKey: pending.current.key })
        const kept: Kept = { id: begun.id, claimToken: begun.claim_token, claimKey: newRequestKey() }
        sessionStorage.setItem(KEPT, JSON.stringify(kept))
        await signIn({ email: body.email, password: body.password }, queries)
        if (begun.state === 'complete') {
          setClaimed(await claim(kept))
          sessionStorage.removeItem(KEPT)
          return
        }
        await goToPayment(kept)
        setSearch({ checkout: begun.id }, { replace: true })
      },
      [queries, setSearch],
    ),
  )
  const { submit, error } = submission
  if (claimed) return <TheKey claimed={claimed} />
  if (plans.isPending) return <Loading />
  if (plans.isError) return <NotLoaded query={plans} />
  const plan = plans.data.find(({ id }) => id === form.plan) ?? plans.data[0]
  const missing = tried ? problems(form) : {}
  const field = (name: 'organisation_name' | 'name' | 'email' | 'password') => ({
    name,
    value: form[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setForm((now) => ({ ...now, [name]: value }))
    },
    error: missing[name] ?? error?.errors.find(({ pointer }) => pointer === `/${name}`)?.detail,
    size: 'md' as const,
  })
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    setTried(true)
    const body = { ...form, plan: plan?.id ?? '', email: form.email.trim() }
    if (Object.keys(problems(body)).length === 0) submit(body)
  }
  return (
    <Sheet title="Subscribe" lead="Your API key is shown at the end, once.">
      <form onSubmit={onSubmit} noValidate aria-label="Subscribe">
        <Stack gap="md">
          {error && error.errors.length === 0 ? (
            <ProblemNotice error={error} title="You are not subscribed yet" />
          ) : null}
          <NativeSelect
            label="Plan"
            size="md"
            value={plan?.id}
            onChange={(event) => {
              const { value } = event.currentTarget
              setForm((now) => ({ ...now, plan: value }))
            }}
            data={plans.data.map(({ id, name, monthly_price_pence }) => ({
              value: id,
              label: `${name}: ${monthly_price_pence === 0 ? 'no monthly fee' : `${money(monthly_price_pence)} a month`}`,
            }))}
          />
          <TextInput label="Organisation" autoComplete="organization" maxLength={200} {...field('organisation_name')} />
          <PersonFields field={field} />
          <Checkbox
            label="I accept the terms of the service"
            checked={form.accept_terms}
            onChange={(event) => {
              const { checked } = event.currentTarget
              setForm((now) => ({ ...now, accept_terms: checked }))
            }}
            error={missing.accept_terms}
          />
          <SubmitButton submission={submission} label="Subscribe" />
          <Text size="sm">
            <Anchor component={Link} to="/pricing">
              Compare the plans
            </Anchor>{' '}
            or{' '}
            <Anchor component={Link} to="/sign-in">
              sign in
            </Anchor>
            .
          </Text>
        </Stack>
      </form>
    </Sheet>
  )
}

function problems(form: Form): Partial<Record<keyof Form, string>> {
  return {
    ...(form.organisation_name.trim() === '' ? { organisation_name: 'Enter the name of your organisation.' } : {}),
    ...(form.name.trim() === '' ? { name: 'Enter your name.' } : {}),
    ...(/^[^\s@]+@[^\s@]+$/.test(form.email.trim()) ? {} : { email: 'Enter your email address.' }),
    ...(form.password.length < PASSWORD_LENGTH_MIN
      ? { password: `Use at least ${PASSWORD_LENGTH_MIN} characters.` }
      : {}),
    ...(form.accept_terms ? {} : { accept_terms: 'Accept the terms to go on.' }),
  }
}

async function goToPayment({ id, claimToken }: Kept): Promise<void> {
  const { url } = await call<{ url: string | null }>('POST', `/v1/checkout/${id}/payment`, {
    body: { claim_token: claimToken },
  })
  if (url !== null) await leaveTo(url)
}

const POLL_MS = 2000

/** Back from the payment page, or waiting for the operator to settle the invoice. */
function Return({ kept, cancelled }: { kept: Kept; cancelled: boolean }) {
  const [claimed, setClaimed] = useState<Claimed>()
  const state = useQuery({
    queryKey: ['checkout', kept.id],
    queryFn: ({ signal }) =>
      call<CheckoutState>('POST', `/v1/checkout/${kept.id}/state`, { body: { claim_token: kept.claimToken }, signal }),
    refetchInterval: ({ state: { data } }) => (data?.state === 'pending' ? POLL_MS : false),
  })
  const show = useSubmit(
    useCallback(async () => {
      setClaimed(await claim(kept))
      sessionStorage.removeItem(KEPT)
    }, [kept]),
  )
  const payment = useSubmit(useCallback(() => goToPayment(kept), [kept]))
  if (claimed) return <TheKey claimed={claimed} />
  if (state.isPending) return <Loading />
  if (state.isError) return <NotLoaded query={state} />
  const error = show.error ?? payment.error
  if (state.data.state === 'pending') {
    return (
      <Sheet
        title={cancelled ? 'Nothing was paid' : 'Waiting for the payment'}
        lead={`${money(state.data.amount_due_pence)} is due. This page goes on by itself when it has arrived.`}
      >
        {error ? <ProblemNotice error={error} /> : null}
        <Button size="md" loading={payment.busy} onClick={() => payment.submit(undefined)}>
          Go to the payment page
        </Button>
      </Sheet>
    )
  }
  return (
    <Sheet outcome="done" title="You are subscribed" lead="Your API key is shown once: have a safe place for it ready.">
      {error ? <ProblemNotice error={error} /> : null}
      <Button size="md" loading={show.busy} onClick={() => show.submit(undefined)}>
        Show my API key
      </Button>
    </Sheet>
  )
}

function TheKey({ claimed }: { claimed: Claimed }) {
  return (
    <Sheet outcome="done" title="You are subscribed" lead="Keep the key now: it is shown this once.">
      <Secret label="API key" value={claimed.api_key} words="Whoever holds it checks on your account." />
      <Secret label="A first request" value={claimed.curl} words="Paste it into a terminal." />
      <Button component={Link} to="/console" size="md" variant="default">
        Go to the console
      </Button>
    </Sheet>
  )
}
