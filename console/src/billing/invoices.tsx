import { KIND_WORDS } from '@assay/reader/kinds'
import { type Family, KIND_NAMES, KINDS } from '@assay/sdk'
import { type ButtonProps, Group, NativeSelect, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Entry, type Invoice, pagesQuery, type Statement } from '../api/organisation.ts'
import { Answers, Dialog } from '../shell/form.tsx'
import { count, counted, day, fullDay, invoiceName, moment, money } from '../shell/format.ts'
import { Figure, Figures, Loaded, Panel, QuietButton, State } from '../shell/page.tsx'
import { type Columns, LogPanel, twoLines } from '../shell/table.tsx'
import { useApi, useChange, useFile, useOrganisation, useRead } from '../shell/use-session.ts'
import type { TabProps } from './standing-notice.tsx'
import { statementMonths } from './words.ts'

export function InvoicesTab({ billing, mayManage, onPay }: TabProps) {
  const [cancelling, setCancelling] = useState<Invoice>()
  const keep = () => setCancelling(undefined)
  const [asked, setAsked] = useState<{ invoice: Invoice; as: string }>()
  const document = useFile((api, { invoice, as }: { invoice: Invoice; as: 'html' | 'pdf' }) => {
    const file = {
      name: 'GET /v1/billing/invoices/{invoice_id}',
      options: { path: { invoice_id: invoice.id } },
      fileName: `assay-${invoiceName(invoice)}.${as}`,
    } as const
    return as === 'html' ? api.show({ ...file, type: 'text/html' }) : api.download({ ...file, type: 'application/pdf' })
  })
  const reading = (invoice: Invoice, as: 'html' | 'pdf') => ({
    loading: document.busy && asked?.invoice.id === invoice.id && asked.as === as,
    disabled: document.busy,
    onClick: () => {
      setAsked({ invoice, as })
      document.submit({ invoice, as })
    },
  })
  return (
    <>
      <LogPanel
        title="Invoices"
        query={useInfiniteQuery(pagesQuery(useApi(), 'GET /v1/billing/invoices', { limit: 20 }))}
        error={document.error}
        failed="The document did not load"
        empty="No invoice yet: a paid plan or a top-up creates one."
        columns={{
          ...INVOICE_COLUMNS,
          State: (invoice) => (
            <>
              <InvoiceState invoice={invoice} />
              {mayManage && invoice.state === 'open' ? (
                <Group gap="xs" mt={6} wrap="nowrap">
                  <InvoiceButton act="Pay" of={invoice} variant="filled" onClick={() => onPay(invoice)} />
                  {invoice.in_advance ? (
                    <InvoiceButton act="Cancel" of={invoice} onClick={() => setCancelling(invoice)} />
                  ) : null}
                </Group>
              ) : null}
            </>
          ),
          Document: (invoice) => (
            <Group gap="xs" wrap="nowrap">
              <InvoiceButton act="Open" of={invoice} {...reading(invoice, 'html')} />
              <InvoiceButton act="PDF" label="PDF of" of={invoice} {...reading(invoice, 'pdf')} />
            </Group>
          ),
        }}
      />
      <Dialog about={cancelling} title={(invoice) => `Cancel invoice ${invoiceName(invoice)}?`} onClose={keep}>
        {(invoice) => <Cancel invoice={invoice} onClose={keep} />}
      </Dialog>
      <Statements thisMonth={billing.period.starts_at} />
    </>
  )
}

export const INVOICE_COLUMNS: Columns<Invoice> = {
  Invoice: (invoice) => twoLines(invoiceName(invoice), invoice.lines.map(({ description }) => description).join(', ')),
  Amount: [(invoice) => money(invoice.total_pence), 'number'],
  State: (invoice) => <InvoiceState invoice={invoice} />,
  Issued: [(invoice) => day(invoice.issued_at), 'when'],
  Due: [(invoice) => day(invoice.due_at), 'when'],
}

export function InvoiceButton({
  act,
  label = act,
  of,
  ...others
}: ButtonProps & { act: string; label?: string; of: Invoice; onClick: () => void }) {
  return <QuietButton size="xs" aria-label={`${label} invoice ${invoiceName(of)}`} {...others} label={act} />
}

function InvoiceState({ invoice }: { invoice: Invoice }) {
  const settled = invoice.settled_at === null ? '' : ` ${day(invoice.settled_at)}`
  if (invoice.state === 'paid') return <State name="active">Paid{settled}</State>
  if (invoice.state === 'void') return <State name="void">Cancelled{settled}</State>
  // An invoice in advance is never owed.
  const overdue = !invoice.in_advance && Date.parse(invoice.due_at) <= Date.now()
  return overdue ? <State name="disabled">Overdue</State> : <State name="open">To pay</State>
}

function Cancel({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const change = useChange(async (api, id: string, idempotencyKey) => {
    await api.call('POST /v1/billing/invoices/{invoice_id}/cancel', { path: { invoice_id: id }, idempotencyKey })
    onClose()
  })
  return (
    <>
      <Text mb="lg">
        {money(invoice.total_pence)}, due on {fullDay(invoice.due_at)}, will no longer have to be paid, and{' '}
        {invoice.kind === 'top_up' ? 'no credit is bought' : 'the plan does not begin'}. Do not cancel an invoice you
        have paid already.
      </Text>
      <Answers
        submission={change}
        yes={`Cancel ${money(invoice.total_pence)}`}
        no="Keep it"
        grave
        onYes={() => change.submit(invoice.id)}
        onNo={onClose}
      />
    </>
  )
}

export function MonthSelect(props: { months: string[]; month: string; onChange: (month: string) => void }) {
  return (
    <NativeSelect
      aria-label="Month"
      size="xs"
      value={props.month}
      onChange={(event) => props.onChange(event.currentTarget.value)}
      data={props.months}
    />
  )
}

function Statements({ thisMonth }: { thisMonth: string }) {
  const { created_at: since } = useOrganisation()
  const [months] = useState(() => statementMonths(since, thisMonth))
  const [month, setMonth] = useState(months[0] ?? '')
  const statement = useRead('GET /v1/billing/statements/{month}', { path: { month } })
  const { submit, busy, error } = useFile((own, extension: 'csv' | 'html') =>
    own.download({
      name: 'GET /v1/billing/statements/{month}',
      options: { path: { month } },
      type: `text/${extension}`,
      fileName: `assay-statement-${month}.${extension}`,
    }),
  )
  const button = (extension: 'csv' | 'html', label: string) => (
    <QuietButton size="xs" loading={busy} onClick={() => submit(extension)} label={label} />
  )
  return (
    <Panel
      title="Statements"
      error={error}
      action={
        <Group gap="xs">
          <MonthSelect months={months} month={month} onChange={setMonth} />
          {button('csv', 'CSV')}
          {button('html', 'To print')}
        </Group>
      }
    >
      <Loaded query={statement}>{(data) => <StatementFigures statement={data} />}</Loaded>
    </Panel>
  )
}

function StatementFigures({ statement }: { statement: Statement }) {
  return (
    <Figures>
      <Figure label={statement.state === 'open' ? 'Plan, so far' : 'Plan'} value={money(statement.plan_price_pence)} />
      <Figure label="Beyond credit" value={money(statement.overage_pence)} />
      <Figure label="Total due" value={money(statement.total_due_pence)} />
      <Figure label="Records checked" value={count(statement.usage.reduce((sum, { units }) => sum + units, 0))} />
      <Figure
        label="Credit at the end"
        value={money(statement.closing.included_credit_pence + statement.closing.prepaid_credit_pence)}
      />
    </Figures>
  )
}

const ENTRY_WORDS: Readonly<Record<string, string>> = {
  grant: 'Included credit',
  expire: 'Included credit expired',
  charge: 'Checks',
  credit: 'Prepaid credit',
  plan: 'Plan changed',
  refund: 'Refund',
  settle: 'Overage settled',
  reversal: 'Payment went back',
}

function familyWords(family: Family, units: number): string {
  const { one, many } = KIND_WORDS[KIND_NAMES.find((kind) => KINDS[kind].family === family)!]
  return counted(units, one, many)
}

const signed = (pence: number) => (pence === 0 ? '–' : pence > 0 ? `+${money(pence)}` : `−${money(-pence)}`)

export const LEDGER_COLUMNS: Columns<Entry> = {
  When: [(entry) => moment(entry.created_at), 'when'],
  What: (entry) => <What entry={entry} />,
  Credit: [(entry) => signed(entry.included_delta_pence + entry.prepaid_delta_pence), 'number'],
  'Beyond credit': [(entry) => signed(entry.overage_delta_pence), 'number'],
  'Credit after': [(entry) => money(entry.included_after_pence + entry.prepaid_after_pence), 'number'],
}

function What({ entry: { kind, family, units, free_units, detail } }: { entry: Entry }) {
  return (
    <>
      {ENTRY_WORDS[kind] ?? kind}
      {family ? `: ${familyWords(family, units)}` : ''}
      {free_units > 0 ? ' (free)' : ''}
      {detail ? (
        <>
          {' · '}
          <bdi>{detail}</bdi>
        </>
      ) : null}
    </>
  )
}
