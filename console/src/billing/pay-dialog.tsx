import { Group, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { leaveTo } from '../api/client.ts'
import type { HowToPay, Invoice } from '../api/organisation.ts'
import { CopyButton, useClose } from '../shell/form.tsx'
import { day, fullDay, invoiceName, money } from '../shell/format.ts'
import { DescriptionList, Loaded, MainButton, ProblemNotice, QuietButton } from '../shell/page.tsx'
import { useChange, useRead } from '../shell/use-session.ts'

export function TransferFacts({ how }: { how: HowToPay }) {
  return (
    <Stack gap="md">
      <DescriptionList
        of={{
          Amount: money(how.amount_pence),
          Due: day(how.due_at),
          Reference: (
            <Group gap="sm">
              <span className="mono">{how.reference}</span>
              <CopyButton value={how.reference} label="the reference" size="xs" />
            </Group>
          ),
          'How to pay': how.instructions && <span style={{ whiteSpace: 'pre-line' }}>{how.instructions}</span>,
        }}
      />
      <Text size="sm">
        {how.instructions === null
          ? `This server has no bank details on file. Ask its operator how to pay, and give the reference ${how.reference}.`
          : 'Give the reference with the transfer, so that the payment is recognised.'}{' '}
        The invoice counts as paid when the operator has noted the payment.
      </Text>
    </Stack>
  )
}

/** The content of a dialog. */
export function HowToPayInvoice({ invoice }: { invoice: Invoice }) {
  const how = useRead('GET /v1/billing/invoices/{invoice_id}/payment', { path: { invoice_id: invoice.id } })
  return (
    <Stack gap="md">
      <Text>{paidWords(invoice)}</Text>
      <Loaded query={how} heightPx={160}>
        {(data) => (data.by_card ? <ByCard invoice={invoice} how={data} /> : <TransferFacts how={data} />)}
      </Loaded>
      <Group justify="flex-end">
        <QuietButton onClick={useClose()} label="Close" />
      </Group>
    </Stack>
  )
}

/** Goes to the page of the payment provider immediately; stays only if there is none. */
function ByCard({ invoice, how }: { invoice: Invoice; how: HowToPay }) {
  const [withoutPage, setWithoutPage] = useState(false)
  const payment = useChange(async (api) => {
    const path = { invoice_id: invoice.id }
    const { url } = await api.call('POST /v1/billing/invoices/{invoice_id}/payment', { path })
    if (url === null) setWithoutPage(true)
    else await leaveTo(url)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the dialog opens
  useEffect(() => void payment.submit(), [])
  if (withoutPage) return <TransferFacts how={how} />
  if (!payment.error) return <Text role="status">The payment page opens.</Text>
  return (
    <Stack gap="md">
      <ProblemNotice error={payment.error} title="The payment page did not open" />
      <Group>
        <MainButton of={payment} label="Try again" />
      </Group>
      {how.instructions === null ? null : <TransferFacts how={how} />}
    </Stack>
  )
}

function paidWords(invoice: Invoice): string {
  const { kind, total_pence, in_advance, lines, due_at } = invoice
  if (kind === 'top_up')
    return `${money(total_pence)} is added to your credit when invoice ${invoiceName(invoice)} is settled.`
  const what = lines.map(({ description }) => description).join(', ')
  return in_advance
    ? `${what} begins when invoice ${invoiceName(invoice)} over ${money(total_pence)} is settled.`
    : `Invoice ${invoiceName(invoice)} over ${money(total_pence)} is for ${what}. It is due on ${fullDay(due_at)}.`
}
