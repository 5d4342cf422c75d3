import type { CheckAnswer, Kind } from '@assay/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { newRequestKey } from '../api/organisation.ts'
import { type Submission, useApi, useSubmit } from '../shell/use-session.ts'

export interface Answered {
  /** The text of the box. The answer is shown only under the same text, so that nobody takes it for another's. */
  readonly entry: string
  readonly kind: Kind
  readonly value: string
  readonly result: CheckAnswer
  readonly checkedAt: string
  /** The person or program that asked, for a check that is read from the history. */
  readonly by?: string
}

const KEPT_MAX = 20

/** The answers since the page was opened, the newest first, stored only in memory. */
export function useAnswers() {
  const [answers, setAnswers] = useState<readonly Answered[]>([])
  const add = (answer: Answered) =>
    setAnswers((all) => [answer, ...all.filter(({ entry }) => entry !== answer.entry)].slice(0, KEPT_MAX))
  return { answers, add }
}

/** The ticked steps by the name of their answer, until the page is left. */
export function useTicks() {
  const [ticks, setTicks] = useState<Readonly<Record<string, readonly number[]>>>({})
  return (name: string, saved: readonly number[] = []) => {
    const ticked = ticks[name] ?? saved
    return { ticked, onTick: (step: number) => setTicks((all) => ({ ...all, [name]: toggled(ticked, step) })) }
  }
}

function toggled(ticked: readonly number[], step: number): readonly number[] {
  return ticked.includes(step) ? ticked.filter((one) => one !== step) : [...ticked, step]
}

/** A private address, or a name that nobody can register: a level would claim something that nobody knows. */
export const hasNothingToCheck = ({ coverage }: CheckAnswer) => coverage?.known === 'not_public'

const LEVEL_TITLES = { low: 'Low risk', medium: 'Medium risk', high: 'High risk' } as const

export function verdictOf(result: CheckAnswer): string {
  return hasNothingToCheck(result) ? 'Nothing to check' : LEVEL_TITLES[result.risk]
}

export const levelMark = (result: CheckAnswer) => (hasNothingToCheck(result) ? 'none' : result.risk)

type Question = Pick<Answered, 'entry' | 'kind' | 'value'>

/** One after the other. Those answered before one fails are shown; asking again costs nothing for them. */
export function useCheck(onAnswer: (answer: Answered, isOnly: boolean) => void): Submission<readonly Question[]> {
  const api = useApi()
  const queries = useQueryClient()
  /** The idempotency key of each unanswered question, so that a retry after a lost answer is not charged twice. */
  const pending = useRef(new Map<string, string>())
  return useSubmit(async (questions: readonly Question[]) => {
    for (const { entry, kind, value } of questions) {
      const key = pending.current.get(value) ?? newRequestKey()
      pending.current.set(value, key)
      const result = await api.checks(kind).explain(value, { idempotencyKey: key })
      pending.current.delete(value)
      onAnswer({ entry, kind, value, result, checkedAt: new Date().toISOString() }, questions.length === 1)
    }
    await queries.invalidateQueries({ queryKey: [api.organisationId] })
  })
}
