import { Button, NumberInput } from '@mantine/core'
import { useState } from 'react'
import type { Invoice } from '../api/billing.ts'
import { Panel } from '../shell/page.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { useChange } from '../shell/use-change.ts'
import { POUNDS_MAX, penceOf, topUpProblem } from './pounds.ts'

/** Buying prepaid credit; it is there when its invoice is paid. */
export function TopUp({ onPay }: { onPay: (invoice: Invoice) => void }) {
  const [pounds, setPounds] = useState<number | string>(50)
  const pence = penceOf(pounds)
  const problem = topUpProblem(pence)
  const { submit, busy, error } = useChange(async (api, amount_pence: number, idempotencyKey) => {
    onPay(await api.call('POST /v1/billing/top-ups', { body: { amount_pence }, idempotencyKey }))
  })
  return (
    <Panel title="Top up">
      <form
        className="form-row"
        noValidate
        aria-label="Top up"
        onSubmit={(event) => {
          event.preventDefault()
          if (pence !== undefined && problem === undefined) submit(pence)
        }}
      >
        <NumberInput
          label="Amount in pounds"
          description="Prepaid credit never expires. It is there when its invoice is paid."
          value={pounds}
          onChange={setPounds}
          max={POUNDS_MAX}
          decimalScale={2}
          allowNegative={false}
          thousandSeparator=","
          hideControls
          error={problem}
        />
        <Button type="submit" loading={busy} disabled={problem !== undefined}>
          Buy credit
        </Button>
      </form>
      {error ? <ProblemNotice error={error} title="Nothing was bought" /> : null}
    </Panel>
  )
}
