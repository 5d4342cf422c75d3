import { Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { penceOf } from '../../billing/pounds.ts'
import { PoundsInput } from '../../billing/pounds-input.tsx'
import { Answers } from '../../shell/dialog.tsx'
import { money } from '../../shell/money.ts'
import { Said } from '../../shell/said.tsx'
import { useChange } from '../../shell/use-change.ts'
import { say } from '../../shell/words.ts'
import type { ActProps } from './acts.ts'

/** Prepaid credit from the operator, with the reason that stands in the ledger. */
export function GiveCredit({ organisation, onClose, onDone }: ActProps) {
  const [pounds, setPounds] = useState<number | string>('')
  const [reason, setReason] = useState('')
  const pence = penceOf(pounds)
  const isFilled = pence !== undefined && pence > 0 && reason.trim() !== ''
  const change = useChange(async (api, body: { pence: number; reason: string }, idempotencyKey) => {
    const { credit_pence: after } = await api.call('POST /api/operator/organisations/{organisation_id}/credit', {
      path: { organisation_id: organisation.id },
      body,
      idempotencyKey,
    })
    onDone(`${money(body.pence)} was added. The credit is now ${money(after)}.`)
  }, `give credit ${organisation.id}`)
  const problem = (pointer: string) => change.error?.errors.find((one) => one.pointer === pointer)?.detail
  const give = () => {
    if (isFilled) change.submit({ pence, reason: reason.trim() })
  }
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    give()
  }
  return (
    <form onSubmit={onSubmit} noValidate aria-label="Give credit">
      <Stack gap="md">
        <PoundsInput
          label="Amount in pounds"
          value={pounds}
          onChange={setPounds}
          data-autofocus
          error={problem('/pence')}
        />
        <TextInput
          label="Reason"
          description="The customer reads it in the ledger and in the audit log."
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={500}
          error={problem('/reason')}
        />
        <Text>
          <Said
            of={
              isFilled
                ? say`${money(pence)} is added today to the ${money(organisation.billing.credit_pence)} that ${organisation.name} has. Prepaid credit never expires, and cannot be taken back here.`
                : 'Give an amount and a reason.'
            }
          />
        </Text>
        <Answers
          submission={change}
          yes={isFilled ? `Give ${money(pence)}` : 'Give credit'}
          no="Leave it"
          onYes={give}
          onNo={onClose}
        />
      </Stack>
    </form>
  )
}
