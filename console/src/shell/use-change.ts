import { AssayError } from '@assay/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useId, useRef } from 'react'
import { newRequestKey, type OrganisationApi } from '../api/organisation.ts'
import { useApi } from './use-organisation.ts'
import { type Submission, useSubmit } from './use-submit.ts'

/** Idempotency keys of changes without an answer. They outlive a dialog that was closed and opened again. */
const unanswered = new Map<string, string>()

/**
 * A change to the organisation: sent once however often it is clicked, and under one idempotency key until an answer
 * came, so that a repeat after a lost answer does it no second time. Afterwards everything shown is read again.
 */
export function useChange<Input>(
  action: (api: OrganisationApi, input: Input, idempotencyKey: string) => Promise<unknown>,
  /** What is changed, in words of its own: the same change is recognised when it is asked for again. */
  name?: string,
): Submission<Input> {
  const api = useApi()
  const queries = useQueryClient()
  const latest = useRef(action)
  latest.current = action
  const own = useId()
  return useSubmit(
    useCallback(
      async (given: Input) => {
        const place = `${name ?? own} ${api.organisationId} ${JSON.stringify(given)}`
        const key = unanswered.get(place) ?? newRequestKey()
        unanswered.set(place, key)
        try {
          await latest.current(api, given, key)
          unanswered.delete(place)
        } catch (error) {
          if (error instanceof AssayError && error.outcome === 'refused') unanswered.delete(place)
          throw error
        } finally {
          // After a refusal too: what is shown may be older than what was refused.
          await queries.invalidateQueries({ queryKey: [api.organisationId] })
        }
      },
      [api, queries, name, own],
    ),
  )
}
