import { Button, Group } from '@mantine/core'
import type { OneOrganisation } from '../../api/generated/pages.ts'
import { InvoiceCells, InvoiceState } from '../../billing/invoices.tsx'
import { Empty, Panel, WideTable } from '../../shell/page.tsx'
import { day } from '../../shell/time.ts'
import type { Asked } from './acts.ts'

/** What it is to pay, and paid; open ones can be settled and taken back. */
export function Invoices({ invoices, ask }: Pick<OneOrganisation, 'invoices'> & { ask: (asked: Asked) => void }) {
  return (
    <Panel title="Invoices">
      {invoices.length === 0 ? (
        <Empty>No invoice yet.</Empty>
      ) : (
        <WideTable label="Invoices" columns={['Invoice', { number: 'Amount' }, 'State', 'Issued', 'Due', 'Change']}>
          {invoices.map((invoice) => (
            <tr key={invoice.id}>
              <InvoiceCells invoice={invoice} />
              <td>
                <InvoiceState invoice={invoice} />
              </td>
              <td className="when">{day(invoice.issued_at)}</td>
              <td className="when">{day(invoice.due_at)}</td>
              <td>
                {invoice.state === 'open' ? (
                  <Group gap="xs" wrap="nowrap">
                    <Button
                      size="xs"
                      aria-label={`Settle invoice ${invoice.number}`}
                      onClick={() => ask({ what: 'settle', invoice })}
                    >
                      Settle
                    </Button>
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={`Take back invoice ${invoice.number}`}
                      onClick={() => ask({ what: 'void', invoice })}
                    >
                      Take back
                    </Button>
                  </Group>
                ) : null}
              </td>
            </tr>
          ))}
        </WideTable>
      )}
    </Panel>
  )
}
