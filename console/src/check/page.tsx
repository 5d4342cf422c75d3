import './check.css'
import { KIND_WORDS } from '@assay/reader/kinds'
import { recognise } from '@assay/reader/recognise'
import type { AssayError, CheckAnswer, Kind } from '@assay/sdk'
import { Alert, Anchor, Stack, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { type Billing, billingQuery } from '../api/billing.ts'
import { newRequestKey } from '../api/organisation.ts'
import { Heading } from '../shell/heading.tsx'
import { capitalised, count, counted, money } from '../shell/money.ts'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { SubmitButton } from '../shell/submit-button.tsx'
import { ago } from '../shell/time.ts'
import { useAbility, useApi } from '../shell/use-organisation.ts'
import { useSubmit } from '../shell/use-submit.ts'
import { FactsPanel } from './facts.tsx'
import { familyOf } from './families.ts'
import { Gauge } from './gauge.tsx'
import { KnownPanel } from './known.tsx'
import { Signals } from './signals.tsx'

interface Checked {
  readonly kind: Kind
  readonly value: string
  readonly result: CheckAnswer
}

/** One box, one answer: can I trust this? */
export function Component() {
  const api = useApi()
  const queries = useQueryClient()
  const mayCheck = useAbility('check')
  const billing = useQuery(billingQuery(api))
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState<string>()
  const [checked, setChecked] = useState<Checked>()
  /** Kept until an answer came, so that trying again after a lost one is not charged twice. */
  const pending = useRef<{ readonly value: string; readonly key: string }>(undefined)

  useLayoutEffect(() => input.current?.focus(), [])

  const submission = useSubmit(
    useCallback(
      async ({ kind, value }: { kind: Kind; value: string }) => {
        if (pending.current?.value !== value) pending.current = { value, key: newRequestKey() }
        const result = await api.checks(kind).explain(value, { idempotencyKey: pending.current.key })
        pending.current = undefined
        setChecked({ kind, value, result })
        await queries.invalidateQueries({ queryKey: [api.organisationId] })
      },
      [api, queries],
    ),
  )
  const { submit, error } = submission

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    const found = recognise(text)
    setWrong('problem' in found ? found.problem : undefined)
    if ('problem' in found) input.current?.focus()
    else submit(found)
  }

  const recognised = text.trim() === '' ? undefined : recognise(text)
  return (
    <Stack gap="lg" maw={980}>
      <div>
        <Heading>Can I trust this?</Heading>
        <Text c="dimmed" mt={6}>
          Before you pay, sign or connect: an email address, a domain or an IP address.
        </Text>
      </div>
      {mayCheck ? null : (
        <Alert>
          <Text size="sm">Your role lets you read, not check. Ask an owner or admin for another role.</Text>
        </Alert>
      )}
      <form onSubmit={onSubmit} noValidate aria-label="Check" className="check-form">
        <TextInput
          ref={input}
          aria-label="Email address, domain or IP address"
          placeholder="accounts@supplier.com, supplier.com or 203.0.113.7"
          size="lg"
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setWrong(undefined)
          }}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={2048}
          disabled={!mayCheck}
          error={wrong}
          description={<Hint recognised={recognised} billing={billing.data} />}
          inputWrapperOrder={['input', 'error', 'description']}
        />
        <SubmitButton submission={submission} label="Check" size="lg" disabled={!mayCheck} />
      </form>
      {error ? <ProblemNotice error={error} title={unanswered(error)} /> : null}
      <div aria-live="polite">{checked ? <Answer {...checked} billing={billing.data} /> : null}</div>
      {checked || error ? null : (
        <Text size="sm" c="dimmed">
          To vet a whole list, open{' '}
          <Anchor component={Link} to="/console/bulk" size="sm">
            Check a list
          </Anchor>
          .
        </Text>
      )}
    </Stack>
  )
}

/** What the service refuses itself, it does not charge; where no answer came, only the next try can tell. */
function unanswered({ outcome }: AssayError): string {
  return outcome === 'unknown'
    ? 'There is no answer. Whether it was charged is not known: check again, and it is charged once'
    : 'There is no answer, and nothing was charged'
}

function Hint({
  recognised,
  billing,
}: {
  recognised: ReturnType<typeof recognise> | undefined
  billing: Billing | undefined
}) {
  if (recognised?.kind === undefined) return billing ? whatIsLeft(billing) : null
  const price = billing?.plan.unit_price_pence[familyOf(recognised.kind)]
  const cost =
    price === undefined || !billing
      ? ''
      : billing.free_units_left > 0 || price === 0
        ? ' · this check is free'
        : ` · costs ${money(price)}`
  return (
    <>
      {recognised.kind === 'domain' ? 'This is a ' : 'This is an '}
      <strong>{KIND_WORDS[recognised.kind].one}</strong>
      {cost}
    </>
  )
}

function whatIsLeft(billing: Billing): string {
  const free = billing.free_units_left > 0 ? `${counted(billing.free_units_left, 'free check')} and ` : ''
  return `${free}${money(billing.credit_pence)} of credit left`
}

function Answer({ kind, value, result, billing }: Checked & { billing: Billing | undefined }) {
  const { signals = [], coverage, facts, base_score, recommended_action: action = '' } = result
  const reserved = coverage?.known === 'not_public'
  return (
    <Stack gap="md">
      <section className="panel verdict" data-level={reserved ? 'none' : result.risk} aria-label="Result">
        {reserved ? null : <Gauge score={result.risk_score} />}
        <div>
          <p className="verdict-target">
            {value}{' '}
            <Text component="span" size="sm">
              ({KIND_WORDS[kind].one})
            </Text>
          </p>
          <p className="verdict-level">{reserved ? 'Nothing to check' : LEVEL_TITLES[result.risk]}</p>
          <p className="verdict-action">
            {reserved ? capitalised(coverage.summary.replace(/^Nothing to check: /, '')) : `${capitalised(action)}.`}
          </p>
        </div>
      </section>
      {coverage && !reserved ? <KnownPanel coverage={coverage} /> : null}
      {coverage && facts && !reserved ? <FactsPanel kind={kind} facts={facts} live={coverage.live.status} /> : null}
      {reserved ? null : (
        <section className="panel" aria-labelledby="why">
          <h2 id="why">Why {result.risk_score}</h2>
          <Signals signals={signals} start={base_score} score={result.risk_score} />
        </section>
      )}
      <section className="panel" aria-label="Cost">
        <dl className="figures">
          <div>
            <dt>This check cost</dt>
            <dd>{result.is_free ? 'Nothing' : money(result.total_price_pence)}</dd>
          </div>
          {result.overage_pence > 0 ? (
            <div>
              <dt>Of it beyond credit</dt>
              <dd>{money(result.overage_pence)}</dd>
            </div>
          ) : null}
          <div>
            <dt>Credit left</dt>
            <dd>{money(result.remaining_credit_pence)}</dd>
          </div>
          {billing && billing.free_units > 0 ? (
            <div>
              <dt>Free checks left this month</dt>
              <dd>{count(billing.free_units_left)}</dd>
            </div>
          ) : null}
        </dl>
      </section>
      <Text size="sm" c="dimmed">
        {result.intelligence
          ? `Answered from the intelligence ${result.intelligence.version}, built ${ago(result.intelligence.built_at)}. `
          : ''}
        One signal among others, not the sole control.
      </Text>
    </Stack>
  )
}

const LEVEL_TITLES = { low: 'Low risk', medium: 'Medium risk', high: 'High risk' } as const
