import { type Operations, PASSWORD } from '@assay/sdk'
import { Alert, Checkbox, NativeSelect, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { server } from '../api/client.ts'
import { newRequestKey, type Offer, offerQuery, type Plan, plansQuery } from '../api/organisation.ts'
import { signIn } from '../api/session.ts'
import { APPROVAL_WORDS, ASK_WORDS, priceWords } from '../billing/plan-card.tsx'
import { PoundsInput, penceOf, topUpProblem } from '../billing/pounds.tsx'
import { EMAIL, Form, PersonFields, SubmitButton, useFields } from '../shell/form.tsx'
import { ButtonLink, PageLink, problemAt } from '../shell/page.tsx'
import { Loading, NotLoaded, Sheet } from '../shell/sheet.tsx'
import { useSubmit } from '../shell/use-session.ts'
import { type Claimed, claim, goToPayment, keep, readKept, TheKey, Waiting } from './waiting.tsx'

type Request = Operations['POST /v1/checkout']['body']

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
      <ButtonLink to="/console/keys" label="Go to the console" />
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
          <PageLink to="/sign-in">Sign in</PageLink> if you have an account.
        </Text>
      </Sheet>
    )
  }
  return <Subscribe plans={offered} offer={offer.data} planId={planId} />
}

const CREDIT_POUNDS = 20

/** True when checks cost money from the first one on, and the plan includes no free units or credit. */
function needsCredit(plan: Plan): boolean {
  const gives = plan.monthly_price_pence > 0 || plan.free_units > 0 || plan.included_credit_pence > 0
  return !gives && !plan.overage_allowed && Object.values(plan.unit_price_pence).some((pence) => pence > 0)
}

function Subscribe({ plans, offer, planId }: { plans: readonly Plan[]; offer: Offer; planId: string | null }) {
  const queries = useQueryClient()
  const [, setSearch] = useSearchParams()
  const { values, field } = useFields({ organisation_name: '', name: '', email: '', password: '', plan: planId ?? '' })
  const [terms, setTerms] = useState(false)
  const [pounds, setPounds] = useState<number | string>(CREDIT_POUNDS)
  const [tried, setTried] = useState(false)
  const [claimed, setClaimed] = useState<{
    readonly key: Claimed
    readonly owedPence: number
    readonly confirms: string | undefined
  }>()
  /** Sending the same form again uses the same idempotency key; a corrected form uses a new one. */
  const pending = useRef<{ readonly form: string; readonly key: string }>(undefined)
  const submission = useSubmit(async (body: Request) => {
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
  })
  const { submit, error } = submission
  if (claimed) return <TheKey claimed={claimed.key} owedPence={claimed.owedPence} confirms={claimed.confirms} />
  const plan = plans.find(({ id }) => id === values.plan) ?? plans[0]
  const buysCredit = plan !== undefined && needsCredit(plan)
  const pence = penceOf(pounds)
  const withoutCredit = pounds === '' || pence === 0
  const creditProblem = !buysCredit || withoutCredit ? undefined : topUpProblem(pence)
  const credit = buysCredit && pence !== undefined && pence > 0 ? { top_up_pence: pence } : {}
  const request = { ...values, plan: plan?.id ?? '', email: values.email.trim(), accept_terms: terms, ...credit }
  const missing = problems(request)
  const text = (name: 'organisation_name' | 'name' | 'email' | 'password') => {
    const own = field(name, error)
    return { ...own, error: (tried ? missing[name] : undefined) ?? own.error }
  }
  return (
    <Sheet title="Subscribe" lead={`Your API key is shown at the end, once.${whenWords(offer, plan)}`}>
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
            description="Checks are paid from it, and it never expires. Without it checks are refused until you top up."
            size="md"
            value={pounds}
            onChange={setPounds}
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
        <Checkbox
          label="I accept the terms of the service"
          checked={terms}
          onChange={(event) => setTerms(event.currentTarget.checked)}
          error={tried ? missing.accept_terms : undefined}
        />
        <SubmitButton submission={submission} label="Subscribe" />
        <Text size="sm">
          <PageLink to="/pricing">Compare the plans</PageLink>, or <PageLink to="/sign-in">Sign in</PageLink> if you
          have an account.
        </Text>
      </Form>
    </Sheet>
  )
}

function whenWords(offer: Offer, plan: Plan | undefined): string {
  if (!plan || plan.monthly_price_pence === 0 || offer.by_card) return ''
  return ' The first month is paid by bank transfer.'
}

function problems(form: Request): Partial<Record<keyof Request, string>> {
  return {
    ...(form.organisation_name.trim() === '' ? { organisation_name: 'Enter the name of your organisation.' } : {}),
    ...(form.name.trim() === '' ? { name: 'Enter your name.' } : {}),
    ...(EMAIL.test(form.email) ? {} : { email: 'Enter your email address.' }),
    ...(form.password.length < PASSWORD.characters.min
      ? { password: `Use at least ${PASSWORD.characters.min} characters.` }
      : {}),
    ...(form.accept_terms ? {} : { accept_terms: 'Accept the terms to go on.' }),
  }
}
