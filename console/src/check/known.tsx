import { comparisonFindings, comparisonsOf, type Finding } from '@assay/reader/comparison'
import { Alert, List, Text, TextInput } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answer, Body } from '../api/client.ts'
import { Outcome } from '../decision-rules/words.tsx'
import { Form, useFields } from '../shell/form.tsx'
import { Level, NameLink, Panel, Quiet, QuietButton } from '../shell/page.tsx'
import { useAbility, useApi, useFile } from '../shell/use-session.ts'
import type { Answered } from './answered.ts'
import { visible } from './words.ts'

/** The organisation's own knowledge and decision: its rule, its list, its counterparty. */
export function OwnPanel({ result }: Pick<Answered, 'result'>) {
  const { counterparty, decision, signals = [] } = result
  const own = signals.filter(({ code }) => code.startsWith('own.'))
  if (!counterparty && !decision && own.length === 0) return null
  return (
    <Panel title="From your organisation">
      <Decided by={decision} />
      {own.length > 0 ? (
        <List listStyleType="none" spacing={4}>
          {own.map(({ code, description }) => (
            <List.Item key={code}>
              <bdi>{visible(description)}</bdi>
            </List.Item>
          ))}
        </List>
      ) : null}
      {counterparty ? (
        <div>
          <NameLink to={`/console/counterparties/${counterparty.id}`} name={counterparty.name} />
          {counterparty.reference === null ? '' : ` (${counterparty.reference})`}
          {counterparty.since === null ? '' : `, known since ${counterparty.since}`}
          {counterparty.state === 'active' ? '' : `, ${counterparty.state}`}
        </div>
      ) : null}
    </Panel>
  )
}

function Decided({ by }: { by: Answered['result']['decision'] }) {
  if (!by) return null
  return (
    <div>
      <Outcome of={by.outcome} /> <bdi>{by.text}</bdi>
      <Quiet>
        Your rule “<bdi>{by.rule}</bdi>”
      </Quiet>
    </div>
  )
}

/** Compares a bank account with those of the sender. Nothing of it is stored. */
export function AccountPanel({ answer: { kind, value }, suggested }: { answer: Answered; suggested: string }) {
  const { values, field } = useFields({ account: suggested })
  const [compared, setCompared] = useState<Answer<'POST /v1/payments/compare'>>()
  const compare = useFile(async (own, body: Body<'POST /v1/payments/compare'>) => {
    setCompared(undefined)
    setCompared(await own.call('POST /v1/payments/compare', { body }))
  })
  if (kind === 'ip') return null
  const account = values.account.trim()
  const submit = () =>
    account !== '' && compare.submit(kind === 'email' ? { email: value, account } : { domain: value, account })
  return (
    <Panel
      title="Bank account"
      className="no-print"
      lead="Is the account on the invoice one of this counterparty? Free of charge; the account is not stored."
      error={compare.error}
      failed="The account was not compared"
    >
      <Form label="Compare a bank account" row onSubmit={submit}>
        <TextInput
          label="Account"
          placeholder="IBAN, or sort code and account"
          flex="1 1 16rem"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          {...field('account', compare.error)}
        />
        <QuietButton type="submit" loading={compare.busy} disabled={account === ''} label="Compare" />
      </Form>
      <Findings of={compared ? comparisonFindings(value, compared) : []} />
    </Panel>
  )
}

/** Holds the names and accounts of a mail against the counterparties. */
export function MailFindings({ reading }: { reading: Parameters<typeof comparisonsOf>[0] }) {
  const api = useApi()
  const mayCheck = useAbility('check')
  const answers = useQueries({
    queries: (mayCheck ? comparisonsOf(reading) : []).map((body) => ({
      queryKey: [api.organisationId, 'compare', body],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        comparisonFindings(body.email, await api.call('POST /v1/payments/compare', { body, signal })),
      retry: false,
    })),
  })
  return <Findings of={answers.flatMap(({ data }) => data ?? [])} />
}

/** Warnings as a notice; the rest in one line each. */
function Findings({ of }: { of: readonly Finding[] }) {
  const all = [...new Map(of.map((one) => [one.words, one])).values()]
  const bad = all.filter(({ says }) => says === 'bad')
  return (
    <>
      {bad.length === 0 ? null : (
        <Alert role="alert" className="problem" title="Stop and ask">
          <List listStyleType="none" spacing={6}>
            {bad.map(({ words }) => (
              <List.Item key={words}>
                <bdi>{visible(words)}</bdi>
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {all.map(({ says, words }) =>
        says === 'bad' ? null : (
          <Text key={words} size="sm" role="status">
            {says === 'good' ? <Level of="low">On record</Level> : null} <bdi>{visible(words)}</bdi>
          </Text>
        ),
      )}
    </>
  )
}
