import { Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Invoice } from '../../api/billing.ts'
import type { Settled } from '../../api/operator-operations.ts'
import { Answers } from '../../shell/dialog.tsx'
import { money } from '../../shell/money.ts'
import { fullDay } from '../../shell/time.ts'
import { useChange } from '../../shell/use-change.ts'
import type { ActProps } from './acts.ts'

type Props = ActProps & { readonly invoice: Invoice }

const today = () => fullDay(new Date().toISOString())

function effectWords({ kind, total_pence, in_advance, lines }: Invoice): string {
  if (kind === 'top_up') return `${money(total_pence)} of credit is added at once.`
  const what = lines.map(({ description }) => description).join(', ')
  return in_advance ? `${what} begins at once.` : `${what} is then paid, and no longer owed.`
}

export function SettleInvoice({ invoice, onClose, onDone }: Props) {
  const [reference, setReference] = useState('')
  const change = useChange(async (api, given: string, idempotencyKey) => {
    const settled = await api.call('POST /api/operator/invoices/{invoice_id}/settle', {
      path: { invoice_id: invoice.id },
      body: given === '' ? {} : { reference: given },
      idempotencyKey,
    })
    onDone(settledWords(settled, invoice.state === 'open'))
  })
  return (
    <Stack gap="md">
      <Text>
        Invoice {invoice.number} over {money(invoice.total_pence)}, due on {fullDay(invoice.due_at)}, counts as paid
        from today, {today()}. {effectWords(invoice)}
      </Text>
      <TextInput
        label="Reference of the payment, if it has one"
        description="As the bank names it. A second payment with another reference becomes credit."
        value={reference}
        onChange={(event) => setReference(event.currentTarget.value)}
        maxLength={200}
      />
      <Answers
        submission={change}
        yes={`Settle ${money(invoice.total_pence)}`}
        no="Leave it"
        onYes={() => change.submit(reference.trim())}
        onNo={onClose}
      />
    </Stack>
  )
}

function settledWords({ invoice, outcome, amount_pence, repeated }: Settled, wasOpen: boolean): string {
  if (repeated) return `Invoice ${invoice.number} was settled before; nothing changed.`
  if (outcome === 'credited') {
    const why = wasOpen
      ? 'What the invoice was for is not to be had any more'
      : `Invoice ${invoice.number} was not open any more`
    return `${why}: the payment became ${money(amount_pence)} of credit.`
  }
  return `Invoice ${invoice.number} over ${money(invoice.total_pence)} is settled.`
}

export function VoidInvoice({ invoice, onClose, onDone }: Props) {
  const change = useChange(async (api, id: string, idempotencyKey) => {
    const path = { invoice_id: id }
    await api.call('POST /api/operator/invoices/{invoice_id}/void', { path, body: {}, idempotencyKey })
    onDone(`Invoice ${invoice.number} over ${money(invoice.total_pence)} is taken back.`)
  })
  return (
    <Stack gap="md">
      <Text>
        {money(invoice.total_pence)}, due on {fullDay(invoice.due_at)}, is then no longer to be paid.{' '}
        {invoice.in_advance
          ? 'What it would pay for is not given.'
          : 'What was used beyond the credit on it is forgiven.'}{' '}
        This cannot be taken back.
      </Text>
      <Answers
        submission={change}
        yes={`Take back ${money(invoice.total_pence)}`}
        no="Leave it"
        grave
        onYes={() => change.submit(invoice.id)}
        onNo={onClose}
      />
    </Stack>
  )
}
