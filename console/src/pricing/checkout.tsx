import '../billing/billing.css'
import { type Operations, PASSWORD } from '@assay/sdk'
import { Anchor, Button, Checkbox, NativeSelect, Alert as Notice, Stack, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useCallback, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { type Offer, offerQuery, type Plan, plansQuery } from '../api/billing.ts'
import { server } from '../api/client.ts'
import { newRequestKey } from '../api/organisation.ts'
import { signIn } from '../api/session.ts'
import { priceWords } from '../billing/plan-card.tsx'
import { penceOf, topUpProblem } from '../billing/pounds.ts'
import { PoundsInput } from '../billing/pounds-input.tsx'
import { Loading } from '../shell/loading.tsx'
import { PersonFields } from '../shell/person-fields.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { NotLoaded } from '../shell/problem-page.tsx'
import { Sheet } from '../shell/sheet.tsx'
import { SubmitButton } from '../shell/submit-button.tsx'
import { useSubmit } from '../shell/use-submit.ts'
import { type Claimed, claim, keep, readKept } from './kept.ts'
import { goToPayment, TheKey, Waiting } from './waiting.tsx'
import { APPROVAL_WORDS, ASK_WORDS } from './words.ts'

type Form = Operations['POST /v1/checkout']['body']

export function Component() {
  const [search] = useSearchParams()
  const id = search.get('checkout')
  if (id === null) return <SignUp planId={search.get('plan')} />
  const kept = readKept(id)
  if (kept) return <Waiting kept={kept} cancelled={search.get('cancelled') === 'true'} />
  return (
    <Sheet title="This checkout is finished" lead="An API key is shown once, in the tab that subscribed.">
      <Text>
        Sign in and make a new key under <strong>Keys and applications</strong>. While the first invoice is not paid,{' '}
        <strong>Usage and billing</strong> says how to pay it.
      </Text>
      <Button component={Link} to="/console/keys" size="md">
        Go to the console
      </Button>
    </Sheet>
  )
}

function SignUp({ planId }: { planId: string | null }) {
  const plans = useQuery(plansQuery)
  const offer = useQuery(offerQuery)
  if (plans.isError) return <NotLoaded query={plans} />
  if (offer.isError) return <NotLoaded query={offer} />
  if (plans.isPending || offer.isPending) return <Loading />
  const offered = plans.data.filter(({ id }) => offer.data.plans.includes(id))
  if (offer.data.sign_up === 'closed' || offered.length === 0) {
    return (
      <Sheet title="Sign-up is closed" lead={ASK_WORDS}>
        <Text size="sm">
          <SignInLink /> if you have an account.
        </Text>
      </Sheet>
    )
  }
  return <Subscribe plans={offered} offer={offer.data} planId={planId} />
}

const SignInLink = () => (
  <Anchor component={Link} to="/sign-in">
    Sign in
  </Anchor>
)

const CREDIT_POUNDS = 20

/** Checks cost money from the first one on, and the plan gives none. */
function needsCredit(plan: Plan): boolean {
  const gives = plan.monthly_price_pence > 0 || plan.free_units > 0 || plan.included_credit_pence > 0
  return !gives && !plan.overage_allowed && Object.values(plan.unit_price_pence).some((pence) => pence > 0)
}

function Subscribe({ plans, offer, planId }: { plans: readonly Plan[]; offer: Offer; planId: string | null }) {
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
  const [pounds, setPounds] = useState<number | string>(CREDIT_POUNDS)
  const [tried, setTried] = useState(false)
  const [claimed, setClaimed] = useState<{
    readonly key: Claimed
    readonly owedPence: number
    readonly confirms: string | undefined
  }>()
  /** A repeat of the same form is the same request; a corrected form is another. */
  const pending = useRef<{ readonly form: string; readonly key: string }>(undefined)
  const submission = useSubmit(
    useCallback(
      async (body: Form) => {
        const form = JSON.stringify(body)
        if (pending.current?.form !== form) pending.current = { form, key: newRequestKey() }
        const begun = await server.call('POST /v1/checkout', { body, idempotencyKey: pending.current.key })
        const kept = keep(begun, body.email)
        const confirms = begun.confirm_email ? body.email : undefined
        if (!confirms) await signIn({ email: body.email, password: body.password }, queries)
        if (begun.state === 'complete') {
          setClaimed({ key: await claim(kept), owedPence: begun.amount_due_pence, confirms })
          return
        }
        if (offer.by_card && begun.amount_due_pence > 0) await goToPayment(kept)
        setSearch({ checkout: begun.id }, { replace: true })
      },
      [queries, setSearch, offer],
    ),
  )
  const { submit, error } = submission
  if (claimed) return <TheKey claimed={claimed.key} owedPence={claimed.owedPence} confirms={claimed.confirms} />
  const plan = plans.find(({ id }) => id === form.plan) ?? plans[0]
  const buysCredit = plan !== undefined && needsCredit(plan)
  const pence = penceOf(pounds)
  const withoutCredit = pounds === '' || pence === 0
  const creditProblem = !buysCredit || withoutCredit ? undefined : topUpProblem(pence)
  const missing = tried ? problems(form) : {}
  const refused = (name: keyof Form) => error?.errors.find(({ pointer }) => pointer === `/${name}`)?.detail
  const field = (name: 'organisation_name' | 'name' | 'email' | 'password') => ({
    name,
    value: form[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setForm((now) => ({ ...now, [name]: value }))
    },
    error: missing[name] ?? refused(name),
    size: 'md' as const,
  })
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    setTried(true)
    const credit = buysCredit && pence !== undefined && pence > 0 ? { top_up_pence: pence } : {}
    const body = { ...form, plan: plan?.id ?? '', email: form.email.trim(), ...credit }
    if (creditProblem === undefined && Object.keys(problems(body)).length === 0) submit(body)
  }
  return (
    <Sheet title="Subscribe" lead={`Your API key is shown at the end, once.${whenWords(offer, plan)}`}>
      <form onSubmit={onSubmit} noValidate aria-label="Subscribe">
        <Stack gap="md">
          {offer.sign_up === 'approval' ? (
            <Notice>
              <Text size="sm">{APPROVAL_WORDS}</Text>
            </Notice>
          ) : null}
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
            data={plans.map((each) => ({ value: each.id, label: `${each.name}: ${priceWords(each)}` }))}
            error={refused('plan')}
          />
          {buysCredit ? (
            <PoundsInput
              label="Credit to buy now, in pounds"
              description="Checks are paid from it, and it never expires. Without it checks are refused until you top up."
              size="md"
              value={pounds}
              onChange={setPounds}
              error={creditProblem ?? refused('top_up_pence')}
            />
          ) : null}
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
            </Anchor>
            , or <SignInLink /> if you have an account.
          </Text>
        </Stack>
      </form>
    </Sheet>
  )
}

/** How a paid plan is paid, where it is not by card. */
function whenWords(offer: Offer, plan: Plan | undefined): string {
  if (!plan || plan.monthly_price_pence === 0 || offer.by_card) return ''
  return ' The first month is paid by bank transfer.'
}

function problems(form: Form): Partial<Record<keyof Form, string>> {
  return {
    ...(form.organisation_name.trim() === '' ? { organisation_name: 'Enter the name of your organisation.' } : {}),
    ...(form.name.trim() === '' ? { name: 'Enter your name.' } : {}),
    ...(/^[^\s@]+@[^\s@]+$/.test(form.email.trim()) ? {} : { email: 'Enter your email address.' }),
    ...(form.password.length < PASSWORD.characters.min
      ? { password: `Use at least ${PASSWORD.characters.min} characters.` }
      : {}),
    ...(form.accept_terms ? {} : { accept_terms: 'Accept the terms to go on.' }),
  }
}
