import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Plan, Standing } from '../api/billing.ts'
import { money } from '../shell/money.ts'
import { Empty, Figure, Panel } from '../shell/page.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { useChange } from '../shell/use-change.ts'
import { penceOf } from './pounds.ts'
import { PoundsInput } from './pounds-input.tsx'

/** How much may be owed beyond the credit before checks are refused. */
export function OverageLimit({ plan, standing, mayManage }: { plan: Plan; standing: Standing; mayManage: boolean }) {
  return (
    <Panel title="Limit beyond the credit">
      {plan.overage_allowed ? (
        <Stack gap="md">
          <dl className="figures">
            <Figure label="Limit" value={amount(standing.overage_limit_pence)} />
            <Figure label="Of it, left" value={amount(standing.overage_left_pence)} />
            <Figure label={`Limit of ${plan.name}`} value={amount(plan.overage_limit_pence ?? null)} />
          </dl>
          {mayManage ? <Lower plan={plan} /> : null}
        </Stack>
      ) : (
        <Empty>{plan.name} stops when the credit is used up: nothing is owed beyond it.</Empty>
      )}
    </Panel>
  )
}

const amount = (pence: number | null) => (pence === null ? 'None' : money(pence))

function Lower({ plan }: { plan: Plan }) {
  const [pounds, setPounds] = useState<number | string>('')
  const [done, setDone] = useState<string>()
  const pence = penceOf(pounds)
  const highest = plan.overage_limit_pence
  const change = useChange(async (api, overage_limit_pence: number | null, idempotencyKey) => {
    setDone(undefined)
    await api.call('PUT /v1/billing/overage-limit', { body: { overage_limit_pence }, idempotencyKey })
    setDone(
      overage_limit_pence === null ? 'The limit of the plan holds.' : `Your limit is ${money(overage_limit_pence)}.`,
    )
    setPounds('')
  })
  const problem = change.error?.errors.find(({ pointer }) => pointer === '/overage_limit_pence')?.detail
  return (
    <>
      {change.error && problem === undefined ? (
        <ProblemNotice error={change.error} title="The limit is as it was" />
      ) : null}
      <form
        className="form-row"
        noValidate
        aria-label="Limit beyond the credit"
        onSubmit={(event) => {
          event.preventDefault()
          if (pence !== undefined) change.submit(pence)
        }}
      >
        <PoundsInput
          label="Your limit in pounds"
          description={highest === undefined ? undefined : `At most ${money(highest)}; ask the operator for more.`}
          value={pounds}
          onChange={setPounds}
          error={problem}
        />
        <Button type="submit" variant="default" loading={change.busy} disabled={pence === undefined}>
          Set the limit
        </Button>
        <Button variant="default" loading={change.busy} onClick={() => change.submit(null)}>
          Use the limit of the plan
        </Button>
      </form>
      <Text role="status" size="sm">
        {done ?? ''}
      </Text>
    </>
  )
}
