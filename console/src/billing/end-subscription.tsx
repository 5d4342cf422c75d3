import { Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Billing, type Ending, standingQuery } from '../api/billing.ts'
import { Answers } from '../shell/dialog.tsx'
import { fullDay, lastDay, money } from '../shell/format.ts'
import { useChange } from '../shell/use-change.ts'
import { useApi } from '../shell/use-session.ts'
import { dueWords } from './invoice-words.ts'

type When = 'now' | 'period_end'

interface Props {
  readonly billing: Billing
  readonly ending: Ending
  readonly onClose: () => void
  readonly onDone: (words: string) => void
}

/** The question before a subscription is ended: with the month, or at once; what each costs and stops, and when. */
export function EndSubscription({ billing, ending, onClose, onDone }: Props) {
  const { ends_at: endsAt, invoice_now_pence: invoiceNow } = ending
  const [when, setWhen] = useState<When>(endsAt === null ? 'now' : 'period_end')
  const owed = useQuery(standingQuery(useApi())).data?.owed_pence ?? 0
  const last = endsAt === null ? '' : lastDay(endsAt)
  const change = useChange(async (api, end: When, idempotencyKey) => {
    const { invoice } = await api.call('POST /v1/billing/subscription', { body: { end }, idempotencyKey })
    onDone((end === 'now' ? 'The subscription has ended.' : `Your plan ends on ${last}.`) + dueWords(invoice))
  })
  return (
    <>
      <Radio.Group
        label="When"
        value={when}
        onChange={(value) => setWhen(value === 'now' ? 'now' : 'period_end')}
        mb="md"
      >
        <Stack gap="sm" mt="xs">
          {endsAt === null ? null : (
            <Radio
              value="period_end"
              label={`With the month, on ${last}`}
              description={`Your plan ends on ${last}; until then nothing changes. Nothing more is invoiced now; what is used beyond the credit until then is invoiced on ${fullDay(endsAt)}.`}
            />
          )}
          <Radio
            value="now"
            label="Now"
            description={`Checks are refused at once. ${invoiceNow > 0 ? `${money(invoiceNow)}, used beyond the credit, is invoiced today.` : 'Nothing more is invoiced.'} What was paid for the month until ${lastDay(billing.period.ends_at)} is not paid back.`}
          />
        </Stack>
      </Radio.Group>
      {owed > 0 ? (
        <Text size="sm" mb="lg">
          {money(owed)} on invoices that are open stays to be paid.
        </Text>
      ) : null}
      {billing.prepaid_credit_pence > 0 ? (
        <Text size="sm" mb="lg">
          {money(billing.prepaid_credit_pence)} of prepaid credit stays, for when you take up a plan again.
        </Text>
      ) : null}
      <Answers
        submission={change}
        yes={when === 'now' ? 'End it now' : `End it on ${last}`}
        no="Keep it"
        grave
        onYes={() => change.submit(when)}
        onNo={onClose}
      />
    </>
  )
}
