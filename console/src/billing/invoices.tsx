import { Button, Group, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Invoice, invoicesQuery } from '../api/billing.ts'
import { Answers, Dialog } from '../shell/dialog.tsx'
import { LogPanel } from '../shell/log-panel.tsx'
import { money } from '../shell/money.ts'
import { State } from '../shell/page.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { day, fullDay } from '../shell/time.ts'
import { useChange } from '../shell/use-change.ts'
import { useApi } from '../shell/use-organisation.ts'
import { useRead } from '../shell/use-read.ts'

function documentOf(invoice: Invoice, extension: string) {
  return {
    name: 'GET /v1/billing/invoices/{invoice_id}',
    options: { path: { invoice_id: invoice.id } },
    fileName: `assay-invoice-${invoice.number}.${extension}`,
  } as const
}

/** What is to be paid, and what was. */
export function Invoices({ mayManage, onPay }: { mayManage: boolean; onPay: (invoice: Invoice) => void }) {
  const [cancelling, setCancelling] = useState<Invoice>()
  const [asked, setAsked] = useState<Invoice>()
  const page = useRead((api, invoice: Invoice) => api.show({ ...documentOf(invoice, 'html'), type: 'text/html' }))
  const pdf = useRead((api, invoice: Invoice) =>
    api.download({ ...documentOf(invoice, 'pdf'), type: 'application/pdf' }),
  )
  const error = page.error ?? pdf.error
  const read = (how: typeof page, invoice: Invoice) => {
    setAsked(invoice)
    how.submit(invoice)
  }
  const isReading = (how: typeof page, invoice: Invoice) => how.busy && asked?.id === invoice.id
  return (
    <>
      <LogPanel
        title="Invoices"
        query={useInfiniteQuery(invoicesQuery(useApi()))}
        notice={error ? <ProblemNotice error={error} title="The document did not load" /> : null}
        empty="No invoice yet: a paid plan or a top-up makes one."
        columns={['Invoice', { number: 'Amount' }, 'State', 'Issued', 'Due', 'Document']}
        row={(invoice) => (
          <tr key={invoice.id}>
            <InvoiceCells invoice={invoice} />
            <td>
              <InvoiceState invoice={invoice} />
              {mayManage && invoice.state === 'open' ? (
                <Group gap="xs" mt={6} wrap="nowrap">
                  <Button size="xs" aria-label={`Pay invoice ${invoice.number}`} onClick={() => onPay(invoice)}>
                    Pay
                  </Button>
                  {invoice.in_advance ? (
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={`Cancel invoice ${invoice.number}`}
                      onClick={() => setCancelling(invoice)}
                    >
                      Cancel
                    </Button>
                  ) : null}
                </Group>
              ) : null}
            </td>
            <td className="when">{day(invoice.issued_at)}</td>
            <td className="when">{day(invoice.due_at)}</td>
            <td>
              <Group gap="xs" wrap="nowrap">
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Open invoice ${invoice.number}`}
                  loading={isReading(page, invoice)}
                  disabled={page.busy}
                  onClick={() => read(page, invoice)}
                >
                  Open
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`PDF of invoice ${invoice.number}`}
                  loading={isReading(pdf, invoice)}
                  disabled={pdf.busy}
                  onClick={() => read(pdf, invoice)}
                >
                  PDF
                </Button>
              </Group>
            </td>
          </tr>
        )}
      />
      <Dialog
        opened={cancelling !== undefined}
        title={`Cancel invoice ${cancelling?.number ?? ''}?`}
        onClose={() => setCancelling(undefined)}
      >
        {cancelling ? <Cancel invoice={cancelling} onClose={() => setCancelling(undefined)} /> : null}
      </Dialog>
    </>
  )
}

/** Its number, what it is for, and its amount. */
export function InvoiceCells({ invoice: { number, lines, total_pence } }: { invoice: Invoice }) {
  return (
    <>
      <td>
        {number}
        <Text size="xs" c="dimmed" className="invoice-for">
          {lines.map(({ description }) => description).join(', ')}
        </Text>
      </td>
      <td className="number">{money(total_pence)}</td>
    </>
  )
}

export function InvoiceState({ invoice }: { invoice: Invoice }) {
  const settled = invoice.settled_at === null ? '' : ` ${day(invoice.settled_at)}`
  if (invoice.state === 'paid') return <State name="active">Paid{settled}</State>
  if (invoice.state === 'void') return <State name="void">Cancelled{settled}</State>
  // What is paid in advance is never owed.
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
