import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Invoice } from '../api/billing.ts'
import { Panel } from '../shell/page.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { useChange } from '../shell/use-change.ts'
import { penceOf, topUpProblem } from './pounds.ts'
import { PoundsInput } from './pounds-input.tsx'

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
        <PoundsInput
          label="Amount in pounds"
          description="Prepaid credit never expires. It is there when its invoice is paid."
          value={pounds}
          onChange={setPounds}
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
