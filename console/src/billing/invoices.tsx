import { KIND_WORDS } from '@assay/reader/kinds'
import { type Family, KIND_NAMES, KINDS } from '@assay/sdk'
import { type ButtonProps, Group, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { Entry, Invoice } from '../api/organisation.ts'
import { Answers, Dialog } from '../shell/form.tsx'
import { count, counted, day, fullDay, invoiceName, moment, money } from '../shell/format.ts'
import { Figures, Loaded, Panel, QuietButton, State } from '../shell/page.tsx'
import { type Columns, LogPanel, twoLines } from '../shell/table.tsx'
import { useCall, useFile, useOrganisation, usePages, useRead } from '../shell/use-session.ts'
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
        query={usePages('GET /v1/billing/invoices', { limit: 20 })}
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
        {(invoice) => <Cancel invoice={invoice} />}
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

function Cancel({ invoice }: { invoice: Invoice }) {
  const amount = money(invoice.total_pence)
  const change = useCall('POST /v1/billing/invoices/{invoice_id}/cancel')
  const cancel = () => change.submit({ path: { invoice_id: invoice.id } })
  return (
    <Answers submission={change} yes={`Cancel ${amount}`} no="Keep it" grave onYes={cancel}>
      {amount}, due on {fullDay(invoice.due_at)}, will no longer have to be paid, and{' '}
      {invoice.kind === 'top_up' ? 'no credit is bought' : 'the plan does not begin'}. Do not cancel an invoice you have
      paid already.
    </Answers>
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
  const file = useFile((own, extension: 'csv' | 'html') =>
    own.download({
      name: 'GET /v1/billing/statements/{month}',
      options: { path: { month } },
      type: `text/${extension}`,
      fileName: `assay-statement-${month}.${extension}`,
    }),
  )
  return (
    <Panel
      title="Statements"
      error={file.error}
      action={
        <Group gap="xs">
          <MonthSelect months={months} month={month} onChange={setMonth} />
          <QuietButton size="xs" of={file} input="csv" label="CSV" />
          <QuietButton size="xs" of={file} input="html" label="To print" />
        </Group>
      }
    >
      <Loaded query={statement}>
        {({ state, usage, closing, ...sums }) => (
          <Figures
            of={{
              [state === 'open' ? 'Plan, so far' : 'Plan']: money(sums.plan_price_pence),
              'Beyond credit': money(sums.overage_pence),
              'Total due': money(sums.total_due_pence),
              'Records checked': count(usage.reduce((sum, { units }) => sum + units, 0)),
              'Credit at the end': money(closing.included_credit_pence + closing.prepaid_credit_pence),
            }}
          />
        )}
      </Loaded>
    </Panel>
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
