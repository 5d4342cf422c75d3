import { Text } from '@mantine/core'
import { useState } from 'react'
import type { Plan, Standing } from '../api/billing.ts'
import { QuietButton } from '../shell/buttons.tsx'
import { Form } from '../shell/form.tsx'
import { money } from '../shell/format.ts'
import { Figure, Figures, Panel, Quiet } from '../shell/page.tsx'
import { problemAt, problemBeside } from '../shell/problem-notice.tsx'
import { useChange } from '../shell/use-change.ts'
import { PoundsInput, penceOf } from './pounds.tsx'

const amount = (pence: number | null) => (pence === null ? 'None' : money(pence))

/** How much may be owed beyond the credit before checks are refused. */
export function OverageLimit({ plan, standing, mayManage }: { plan: Plan; standing: Standing; mayManage: boolean }) {
  return (
    <Panel title="Limit beyond the credit">
      {plan.overage_allowed ? (
        <>
          <Figures>
            <Figure label="Limit" value={amount(standing.overage_limit_pence)} />
            <Figure label="Of it, left" value={amount(standing.overage_left_pence)} />
            <Figure label={`Limit of ${plan.name}`} value={amount(plan.overage_limit_pence ?? null)} />
          </Figures>
          {mayManage ? <Lower plan={plan} /> : null}
        </>
      ) : (
        <Quiet>{plan.name} stops when the credit is used up: nothing is owed beyond it.</Quiet>
      )}
    </Panel>
  )
}

function Lower({ plan: { overage_limit_pence: highest } }: { plan: Plan }) {
  const [pounds, setPounds] = useState<number | string>('')
  const [done, setDone] = useState('')
  const pence = penceOf(pounds)
  const { submit, busy, error } = useChange(async (api, overage_limit_pence: number | null, idempotencyKey) => {
    setDone('')
    await api.call('PUT /v1/billing/overage-limit', { body: { overage_limit_pence }, idempotencyKey })
    setDone(
      overage_limit_pence === null ? 'The limit of the plan holds.' : `Your limit is ${money(overage_limit_pence)}.`,
    )
    setPounds('')
  })
  return (
    <>
      <Form
        label="Limit beyond the credit"
        row
        error={problemBeside(error, 'overage_limit_pence')}
        failed="The limit is as it was"
        onSubmit={() => pence !== undefined && submit(pence)}
      >
        <PoundsInput
          label="Your limit in pounds"
          description={highest === undefined ? undefined : `At most ${money(highest)}; ask the operator for more.`}
          value={pounds}
          onChange={setPounds}
          error={problemAt(error, 'overage_limit_pence')}
        />
        <QuietButton type="submit" loading={busy} disabled={pence === undefined}>
          Set the limit
        </QuietButton>
        <QuietButton loading={busy} onClick={() => submit(null)}>
          Use the limit of the plan
        </QuietButton>
      </Form>
      <Text role="status" size="sm">
        {done}
      </Text>
    </>
  )
}
