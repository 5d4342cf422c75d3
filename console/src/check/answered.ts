import type { CheckAnswer, Kind } from '@assay/sdk'
import { useCallback, useState } from 'react'

/** An answer, and what it was the answer to. */
export interface Answered {
  /** What stood in the box. The answer is shown under the same text only, so that nobody takes it for another's. */
  readonly entry: string
  readonly kind: Kind
  readonly value: string
  readonly result: CheckAnswer
  /** RFC 3339. */
  readonly checkedAt: string
  /** Which of the next steps are done. */
  readonly ticked: readonly number[]
}

const KEPT_MAX = 20

/** The answers since the page was opened, the newest first. They are kept in its memory only. */
export function useAnswers() {
  const [answers, setAnswers] = useState<readonly Answered[]>([])
  const add = useCallback(
    (answer: Answered) =>
      setAnswers((all) => [answer, ...all.filter(({ entry }) => entry !== answer.entry)].slice(0, KEPT_MAX)),
    [],
  )
  const tick = useCallback(
    (answer: Answered, step: number) =>
      setAnswers((all) => all.map((one) => (one === answer ? { ...one, ticked: toggled(one.ticked, step) } : one))),
    [],
  )
  return { answers, add, tick }
}

function toggled(ticked: readonly number[], step: number): readonly number[] {
  return ticked.includes(step) ? ticked.filter((one) => one !== step) : [...ticked, step]
}

/** A private address, or a name nobody can register: a level would say something about it that nobody knows. */
export function hasNothingToCheck({ coverage }: CheckAnswer): boolean {
  return coverage?.known === 'not_public'
}

const LEVEL_TITLES = { low: 'Low risk', medium: 'Medium risk', high: 'High risk' } as const

export function verdictOf(result: CheckAnswer): string {
  return hasNothingToCheck(result) ? 'Nothing to check' : LEVEL_TITLES[result.risk]
}

/** `data-level` of what shows the answer. */
export function levelMark(result: CheckAnswer): string {
  return hasNothingToCheck(result) ? 'none' : result.risk
}
