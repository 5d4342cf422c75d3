import { AssayError } from '@assay/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { asAssayError } from '../api/client.ts'
import { newRequestKey, type OrganisationApi } from '../api/organisation.ts'
import { useApi } from './use-session.ts'

/** Idempotency keys of unanswered changes. They survive closing and opening a dialog. */
const unanswered = new Map<string, string>()

/**
 * A change to the organisation: sent once however often it is clicked, and under one idempotency key until an answer
 * arrives, so that a retry after a lost answer does not repeat the change. Afterwards all shown data is read again.
 */
export function useChange<Input = void>(
  action: (api: OrganisationApi, input: Input, idempotencyKey: string) => Promise<unknown>,
  /** Identifies the change across dialogs, so that a retry gets the same idempotency key. */
  name?: string,
): Submission<Input> {
  const api = useApi()
  const queries = useQueryClient()
  const own = useId()
  return useSubmit(async (input: Input) => {
    const place = `${name ?? own} ${api.organisationId} ${JSON.stringify(input)}`
    const key = unanswered.get(place) ?? newRequestKey()
    unanswered.set(place, key)
    try {
      await action(api, input, key)
      unanswered.delete(place)
    } catch (error) {
      if (error instanceof AssayError && error.outcome === 'refused') unanswered.delete(place)
      throw error
    } finally {
      // After a refusal too: the shown data may be outdated.
      await queries.invalidateQueries({ queryKey: [api.organisationId] })
    }
  })
}

/**
 * Reads something on a click, such as a file: one at a time, like a change. Nothing was changed, so the shown data is
 * not read again, and the next click does not wait for that.
 */
export function useRead<Input = void>(
  action: (api: OrganisationApi, input: Input) => Promise<unknown>,
): Submission<Input> {
  const api = useApi()
  return useSubmit((input: Input) => action(api, input))
}

export interface Submission<Input = void> {
  /** Does nothing while an earlier submission is in progress, or while the server asked to wait. */
  readonly submit: (input: Input) => void
  readonly busy: boolean
  readonly error: AssayError | undefined
  /** Seconds until the server accepts another try; 0 when it accepts one now. */
  readonly waitSeconds: number
}

/** One action at a time: a double click or a second Enter never sends twice. */
export function useSubmit<Input = void>(action: (input: Input) => Promise<unknown>): Submission<Input> {
  const underWay = useRef(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<AssayError>()
  const [waitSeconds, setWaitSeconds] = useState(0)

  useEffect(() => {
    if (waitSeconds === 0) return
    const timer = setTimeout(() => setWaitSeconds(waitSeconds - 1), 1000)
    return () => clearTimeout(timer)
  }, [waitSeconds])

  function submit(input: Input): void {
    if (underWay.current || waitSeconds > 0) return
    underWay.current = true
    setBusy(true)
    setError(undefined)
    action(input)
      .catch((thrown: unknown) => {
        const problem = asAssayError(thrown)
        setError(problem)
        if (problem.status === 429) setWaitSeconds(Math.ceil((problem.retryAfterMs ?? 0) / 1000))
      })
      .finally(() => {
        underWay.current = false
        setBusy(false)
      })
  }
  return { submit, busy, error, waitSeconds }
}
