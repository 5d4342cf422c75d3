import { type ButtonProps, Group, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Invoice } from '../api/billing.ts'
import { pagesQuery } from '../api/organisation.ts'
import { QuietButton } from '../shell/buttons.tsx'
import { Answers, Dialog } from '../shell/dialog.tsx'
import { day, fullDay, money } from '../shell/format.ts'
import { State } from '../shell/page.tsx'
import { type Column, LogPanel, twoLines } from '../shell/table.tsx'
import { useChange, useRead } from '../shell/use-change.ts'
import { useApi } from '../shell/use-session.ts'
import { Statements } from './statements.tsx'
import type { TabProps } from './tab.ts'

export function InvoicesTab({ mayManage, onPay }: TabProps) {
  const [cancelling, setCancelling] = useState<Invoice>()
  const [asked, setAsked] = useState<{ invoice: Invoice; as: string }>()
  const document = useRead((api, { invoice, as }: { invoice: Invoice; as: 'html' | 'pdf' }) => {
    const file = {
      name: 'GET /v1/billing/invoices/{invoice_id}',
      options: { path: { invoice_id: invoice.id } },
      fileName: `assay-invoice-${invoice.number}.${as}`,
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
        empty="No invoice yet: a paid plan or a top-up makes one."
        columns={[
          ...INVOICE_COLUMNS.slice(0, 2),
          [
            'State',
            (invoice) => (
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
          ],
          ...INVOICE_COLUMNS.slice(3),
          [
            'Document',
            (invoice) => (
              <Group gap="xs" wrap="nowrap">
                <InvoiceButton act="Open" of={invoice} {...reading(invoice, 'html')} />
                <InvoiceButton act="PDF" label="PDF of" of={invoice} {...reading(invoice, 'pdf')} />
              </Group>
            ),
          ],
        ]}
      />
      <Dialog
        opened={cancelling !== undefined}
        title={`Cancel invoice ${cancelling?.number ?? ''}?`}
        onClose={() => setCancelling(undefined)}
      >
        {cancelling ? <Cancel invoice={cancelling} onClose={() => setCancelling(undefined)} /> : null}
      </Dialog>
      <Statements />
    </>
  )
}

export const INVOICE_COLUMNS: readonly Column<Invoice>[] = [
  ['Invoice', ({ number, lines }) => twoLines(number, lines.map(({ description }) => description).join(', '))],
  ['Amount', (invoice) => money(invoice.total_pence), 'number'],
  ['State', (invoice) => <InvoiceState invoice={invoice} />],
  ['Issued', (invoice) => day(invoice.issued_at), 'when'],
  ['Due', (invoice) => day(invoice.due_at), 'when'],
]

/** Does something with one invoice of a table, and says so with its number. */
export function InvoiceButton({
  act,
  label = act,
  of,
  ...others
}: ButtonProps & { act: string; label?: string; of: Invoice; onClick: () => void }) {
  return (
    <QuietButton size="xs" aria-label={`${label} invoice ${of.number}`} {...others}>
      {act}
    </QuietButton>
  )
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
        {money(invoice.total_pence)}, due on {fullDay(invoice.due_at)}, is then no longer to be paid, and{' '}
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
