import { Group, Stack, Text } from '@mantine/core'
import type { HowToPay } from '../api/billing.ts'
import { CopyButton } from '../shell/copy-button.tsx'
import { money } from '../shell/money.ts'
import { day } from '../shell/time.ts'

/** How an invoice is paid by bank transfer. */
export function TransferFacts({ how }: { how: HowToPay }) {
  return (
    <Stack gap="md">
      <dl className="facts">
        <dt>Amount</dt>
        <dd>{money(how.amount_pence)}</dd>
        <dt>Due</dt>
        <dd>{day(how.due_at)}</dd>
        <dt>Reference</dt>
        <dd>
          <Group gap="sm">
            <span className="mono">{how.reference}</span>
            <CopyButton value={how.reference} label="the reference" size="xs" />
          </Group>
        </dd>
        {how.instructions === null ? null : (
          <>
            <dt>Bank details</dt>
            <dd className="bank-details">{how.instructions}</dd>
          </>
        )}
      </dl>
      <Text size="sm">
        {how.instructions === null
          ? `This server has no bank details on file. Ask the operator how to pay, and name the reference ${how.reference}.`
          : 'Give the reference with the transfer, so that the payment is recognised.'}{' '}
        The invoice counts as paid when the operator has noted the payment.
      </Text>
    </Stack>
  )
}
