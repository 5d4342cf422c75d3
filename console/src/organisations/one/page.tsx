import { Alert, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useParams } from 'react-router'
import type { OneOrganisation, OperatorWord, Settled } from '../../api/generated/pages.ts'
import type { Invoice } from '../../api/organisation.ts'
import { INVOICE_COLUMNS, InvoiceButton, LEDGER_COLUMNS, MonthSelect } from '../../billing/invoices.tsx'
import { PoundsInput, usePounds } from '../../billing/pounds.tsx'
import { openPence, statementMonths } from '../../billing/words.ts'
import { Answers, Dialog, Form, Secret, useClose, useFields } from '../../shell/form.tsx'
import { day, fullDay, invoiceName, money } from '../../shell/format.ts'
import {
  ConsolePage,
  Figures,
  LinkLine,
  Loaded,
  MainButton,
  Panel,
  problemAt,
  QuietButton,
  State,
} from '../../shell/page.tsx'
import { TablePanel } from '../../shell/table.tsx'
import { useCall, useChange, useFile, useRead, useSession } from '../../shell/use-session.ts'
import { Said, say, type Words } from '../../shell/words.ts'
import { ACTS, type ActProps, type Asked, paidWords, returnedWords } from './words.ts'

export function Component() {
  const { id = '' } = useParams()
  const organisation = useRead('GET /api/operator/organisations/{organisation_id}', { path: { organisation_id: id } })
  return (
    <ConsolePage title={organisation.data ? [{ name: organisation.data.name }] : 'Organisation'} lead={id}>
      <LinkLine to="/console/organisations" label="All organisations" />
      <Loaded query={organisation} heightPx={320}>
        {(data) => <Parts organisation={data} />}
      </Loaded>
    </ConsolePage>
  )
}

function Parts({ organisation }: { organisation: OneOrganisation }) {
  const [asked, ask] = useState<Asked>()
  const [done, setDone] = useState<string>()
  return (
    <>
      <Alert role="status" className="good" hidden={done === undefined}>
        {done}
      </Alert>
      <Account organisation={organisation} ask={ask} />
      <TablePanel
        title="Members"
        empty="Nobody yet. Add somebody with assayd user create."
        rows={organisation.members}
        columns={{
          Name: [({ name }) => name, 'name'],
          'Email address': [({ email }) => email, 'name'],
          Role: ({ role }) => role,
          State: ({ state }) => <State name={state} />,
          Since: [(member) => day(member.joined_at), 'when'],
          Password: (member) => (
            <QuietButton
              size="xs"
              aria-label={`Reset the password of ${member.name}`}
              onClick={() => ask({ what: 'reset', member })}
              label="Reset"
            />
          ),
        }}
      />
      <TablePanel
        title="Invoices"
        empty="No invoice yet."
        rows={organisation.invoices}
        columns={{
          ...INVOICE_COLUMNS,
          Change: (invoice) =>
            invoice.state === 'open' ? (
              <Group gap="xs" wrap="nowrap">
                <InvoiceButton
                  act="Settle"
                  of={invoice}
                  variant="filled"
                  onClick={() => ask({ what: 'settle', invoice })}
                />
                <InvoiceButton act="Take back" of={invoice} onClick={() => ask({ what: 'void', invoice })} />
              </Group>
            ) : null,
        }}
      />
      <TablePanel
        title="Payments"
        empty="No payment yet."
        rows={organisation.payments}
        columns={{
          Payment: [(payment) => payment.reference, 'name'],
          Amount: [paidWords, 'number'],
          Outcome: ({ outcome }) => outcome,
          Returned: returnedWords,
          Received: [(payment) => day(payment.received_at), 'when'],
        }}
      />
      <Usage organisation={organisation} />
      <TablePanel title="End of the ledger" empty="No entry yet." rows={organisation.ledger} columns={LEDGER_COLUMNS} />
      <Dialog about={asked} title={(about) => titleOf(about, organisation)} onClose={() => ask(undefined)}>
        {(about) => <Question asked={about} organisation={organisation} onDone={setDone} />}
      </Dialog>
    </>
  )
}

function Account({ organisation, ask }: { organisation: OneOrganisation; ask: (asked: Asked) => void }) {
  const { billing, standing, state } = organisation
  const { subscription } = billing
  return (
    <Panel
      title="Account"
      action={
        <Group gap="xs">
          <MainButton size="xs" onClick={() => ask({ what: 'credit' })} label="Give credit" />
          {organisation.acts.map((word) => (
            <QuietButton key={word} size="xs" onClick={() => ask({ what: 'word', word })} label={ACTS[word].label} />
          ))}
        </Group>
      }
    >
      <div>
        <State name={state} />
        {standing.detail === null ? null : <Text size="sm">{standing.detail}</Text>}
      </div>
      <Figures
        of={{
          Plan: billing.plan.name,
          Credit: money(billing.credit_pence),
          'Prepaid credit': money(billing.prepaid_credit_pence),
          'Beyond credit': money(billing.overage_owed_pence),
          'Open invoices': money(openPence(organisation.invoices)),
          Subscription: subscription?.status.replaceAll('_', ' ') ?? 'by arrangement',
          Since: day(organisation.created_at),
        }}
      />
    </Panel>
  )
}

/** The file of `assayd usage export`. */
function Usage({ organisation: { id, created_at: since, billing } }: { organisation: OneOrganisation }) {
  const [months] = useState(() => statementMonths(since, billing.period.starts_at))
  const [month, setMonth] = useState(months[0] ?? '')
  const file = useFile((own) =>
    own.download({
      name: 'GET /api/operator/organisations/{organisation_id}/usage/{month}',
      options: { path: { organisation_id: id, month } },
      type: 'text/csv',
      fileName: `usage-${id}-${month}.csv`,
    }),
  )
  return (
    <Panel
      title="Usage"
      lead="A month by day, family and credential, as assayd usage export prints it."
      error={file.error}
      action={
        <Group gap="xs">
          <MonthSelect months={months} month={month} onChange={setMonth} />
          <QuietButton size="xs" of={file} label="Download CSV" />
        </Group>
      }
    />
  )
}

function titleOf(asked: Asked, { name }: OneOrganisation): Words {
  if (asked.what === 'credit') return say`Give credit to ${name}`
  if (asked.what === 'word') return [`${ACTS[asked.word].label}: `, { name }, '?']
  if (asked.what === 'reset') return say`Reset the password of ${asked.member.name}?`
  return `${asked.what === 'settle' ? 'Settle' : 'Take back'} invoice ${invoiceName(asked.invoice)}?`
}

function Question({ asked, ...props }: ActProps & { asked: Asked }) {
  if (asked.what === 'credit') return <GiveCredit {...props} />
  if (asked.what === 'word') return <SayWord word={asked.word} {...props} />
  if (asked.what === 'reset') return <ResetPassword member={asked.member} />
  const Act = asked.what === 'settle' ? SettleInvoice : VoidInvoice
  return <Act invoice={asked.invoice} {...props} />
}

function GiveCredit({ organisation, onDone }: ActProps) {
  const { pence, field: pounds } = usePounds()
  const { values, field } = useFields({ reason: '' })
  const reason = values.reason.trim()
  const isFilled = pence !== undefined && pence > 0 && reason !== ''
  const change = useChange(async (api, body: { pence: number; reason: string }) => {
    const path = { organisation_id: organisation.id }
    const give = 'POST /api/operator/organisations/{organisation_id}/credit'
    const { credit_pence: after } = await api.call(give, { path, body })
    onDone(`${money(body.pence)} was added. The credit is now ${money(after)}.`)
  }, `give credit ${organisation.id}`)
  return (
    <Form label="Give credit" onSubmit={() => isFilled && change.submit({ pence, reason })}>
      <PoundsInput label="Amount in pounds" {...pounds} data-autofocus error={problemAt(change.error, 'pence')} />
      <TextInput
        label="Reason"
        description="The customer reads it in the ledger and in the audit log."
        maxLength={500}
        {...field('reason', change.error)}
      />
      <Answers submission={change} yes={isFilled ? `Give ${money(pence)}` : 'Give credit'}>
        <Said
          of={
            isFilled
              ? say`${money(pence)} is added today to the ${money(organisation.billing.credit_pence)} that ${organisation.name} has. Prepaid credit never expires, and cannot be removed here.`
              : 'Give an amount and a reason.'
          }
        />
      </Answers>
    </Form>
  )
}

function SayWord({ word, organisation, onDone }: ActProps & { word: OperatorWord }) {
  const { label, effect, done, grave = false } = ACTS[word]
  const name = `POST /api/operator/organisations/{organisation_id}/${word}` as const
  const change = useCall(name, ({ state, state_reason: reason }) => {
    const still =
      grave || state === 'active' ? '' : ` Its checks are still refused (${(reason ?? state).replaceAll('_', ' ')}).`
    onDone(`${done}${still}`)
  })
  const input = { path: { organisation_id: organisation.id }, body: {} }
  return (
    <Answers submission={change} yes={label} grave={grave} onYes={() => change.submit(input)}>
      {effect(organisation)}
    </Answers>
  )
}

/** A new password for a person who lost theirs, to hand over by another way than email. */
function ResetPassword({ member }: { member: OneOrganisation['members'][number] }) {
  const { user } = useSession()
  const close = useClose()
  const [password, setPassword] = useState<string>()
  const change = useCall('POST /api/operator/people/{person_id}/reset-password', (made) => setPassword(made.password))
  const reset = () => void change.submit({ path: { person_id: member.id }, body: {} })
  if (password !== undefined) {
    return (
      <Stack gap="md">
        <Secret
          label={say`New password of ${member.name}`}
          value={password}
          words={say`Shown only once. Send it to ${member.email} in a way that only they can read.`}
        />
        <Group justify="flex-end">
          <QuietButton onClick={close} label="Done" />
        </Group>
      </Stack>
    )
  }
  return (
    <Answers submission={change} yes="Set a new password" grave onYes={reset}>
      <bdi>{member.name}</bdi>, <bdi>{member.email}</bdi>, gets a new password, which is shown here once. Then the old
      password is no longer valid, and all their sessions and consents to applications end, in each of their
      organisations.
      {member.id === user.id ? ' That is you: you are signed out as well.' : ''}
    </Answers>
  )
}

type Props = ActProps & { readonly invoice: Invoice }

const today = () => fullDay(new Date().toISOString())

function effectWords({ kind, total_pence, in_advance, lines }: Invoice): string {
  if (kind === 'top_up') return `${money(total_pence)} of credit is added immediately.`
  const what = lines.map(({ description }) => description).join(', ')
  return in_advance ? `${what} begins immediately.` : `${what} is then paid.`
}

function SettleInvoice({ invoice, onDone }: Props) {
  const { values, field } = useFields({ reference: '' })
  const change = useCall('POST /api/operator/invoices/{invoice_id}/settle', (settled) =>
    onDone(settledWords(settled, invoice.state === 'open')),
  )
  const reference = values.reference.trim()
  const input = { path: { invoice_id: invoice.id }, body: reference === '' ? {} : { reference } }
  return (
    <Form label="Settle the invoice" onSubmit={() => change.submit(input)}>
      <Text>
        Invoice {invoiceName(invoice)} over {money(invoice.total_pence)}, due on {fullDay(invoice.due_at)}, counts as
        paid from today, {today()}. {effectWords(invoice)}
      </Text>
      <TextInput
        label="Reference of the payment, if it has one"
        description="As the bank names it. A second payment with another reference becomes credit."
        maxLength={200}
        {...field('reference')}
      />
      <Answers submission={change} yes={`Settle ${money(invoice.total_pence)}`} />
    </Form>
  )
}

function settledWords({ invoice, outcome, amount_pence, repeated }: Settled, wasOpen: boolean): string {
  if (repeated) return `Invoice ${invoiceName(invoice)} was already settled; nothing changed.`
  if (outcome === 'credited') {
    const why = wasOpen
      ? 'The plan of the invoice is no longer available'
      : `Invoice ${invoiceName(invoice)} was no longer open`
    return `${why}: the payment became ${money(amount_pence)} of credit.`
  }
  return `Invoice ${invoiceName(invoice)} over ${money(invoice.total_pence)} is settled.`
}

function VoidInvoice({ invoice, onDone }: Props) {
  const amount = money(invoice.total_pence)
  const change = useCall('POST /api/operator/invoices/{invoice_id}/void', () =>
    onDone(`Invoice ${invoiceName(invoice)} over ${amount} is taken back.`),
  )
  const input = { path: { invoice_id: invoice.id }, body: {} }
  return (
    <Answers submission={change} yes={`Take back ${amount}`} grave onYes={() => change.submit(input)}>
      {amount}, due on {fullDay(invoice.due_at)}, will no longer have to be paid.{' '}
      {invoice.in_advance ? 'Its plan or credit is not given.' : 'The overage on it is waived.'} This cannot be undone.
    </Answers>
  )
}
