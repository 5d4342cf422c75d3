import { Alert } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { asAssayError } from '../api/client.ts'
import type { Billing } from '../api/organisation.ts'
import { askerOf, type KeptCheck } from '../history/words.ts'
import { Loaded } from '../shell/page.tsx'
import { Answer } from './answer.tsx'
import type { Answered, useTicks } from './answered.ts'
import { DecisionPanel } from './decision.tsx'
import { nextSteps } from './next-steps.ts'
import { RecordPanel } from './record.tsx'

/** A kept check with its record. `shown` is its answer of a moment ago: it is there before the record is read. */
export function Kept(props: {
  id: string
  query: UseQueryResult<KeptCheck>
  shown: Answered | undefined
  ticks: ReturnType<typeof useTicks>
  billing: Billing | undefined
  account: string
}) {
  const { id, query, shown, ticks, ...common } = props
  const { data: check, error } = query
  const answer = shown ?? (check && answeredIn(check))
  if (!check && !answer) {
    if (error && asAssayError(error).status === 404) return <NotOnRecord />
    return <Loaded query={query}>{() => null}</Loaded>
  }
  const steps: readonly string[] = check ? nextSteps(check.kind, check.risk).steps : []
  const saved = check?.decision?.steps.map((step) => steps.indexOf(step)).filter((at) => at >= 0)
  const own = ticks(id, saved)
  const decision = check && <DecisionPanel check={check} steps={steps.filter((_, at) => own.ticked.includes(at))} />
  // One shape before and after the record is read: an answer that is drawn anew would lose what was typed into it.
  return (
    <>
      {answer ? (
        <Answer answer={answer} {...own} {...common}>
          {decision}
        </Answer>
      ) : (
        <>
          <Alert>The answer was sealed with a key that the server no longer has. It cannot be read.</Alert>
          {decision}
        </>
      )}
      {check ? <RecordPanel check={check} /> : null}
    </>
  )
}

function NotOnRecord() {
  return (
    <Alert title="This check is not on record">
      It was erased, its days are over, it belongs to another organisation, or your role may not read it.
    </Alert>
  )
}

function answeredIn({ indicator, answer, kind, asked_at, asked_by }: KeptCheck): Answered | undefined {
  if (indicator === null || answer === null) return undefined
  return { entry: '', kind, value: indicator, result: answer, checkedAt: asked_at, by: askerOf(asked_by) }
}
