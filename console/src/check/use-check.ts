import type { Kind } from '@assay/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { newRequestKey } from '../api/organisation.ts'
import { type Submission, useSubmit } from '../shell/use-change.ts'
import { useApi } from '../shell/use-session.ts'
import type { Answered } from './answered.ts'

export interface Question {
  readonly entry: string
  readonly kind: Kind
  readonly value: string
}

export function useCheck(onAnswer: (answer: Answered) => void): Submission<Question> {
  const api = useApi()
  const queries = useQueryClient()
  /** The key of each question without an answer, so that asking again after a lost one is not charged twice. */
  const pending = useRef(new Map<string, string>())
  return useSubmit(async ({ entry, kind, value }: Question) => {
    const key = pending.current.get(value) ?? newRequestKey()
    pending.current.set(value, key)
    const result = await api.checks(kind).explain(value, { idempotencyKey: key })
    pending.current.delete(value)
    onAnswer({ entry, kind, value, result, checkedAt: new Date().toISOString(), ticked: [] })
    await queries.invalidateQueries({ queryKey: [api.organisationId] })
  })
}
