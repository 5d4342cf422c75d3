import { AssayError } from '@assay/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { newRequestKey, type OrganisationApi } from '../api/organisation.ts'
import { useApi } from './use-organisation.ts'
import { type Submission, useSubmit } from './use-submit.ts'

/**
 * A change to the organisation: sent once however often it is clicked, and under one idempotency key until an answer
 * came, so that a repeat after a lost answer does it no second time. Afterwards everything shown is read again.
 */
export function useChange<Input>(
  action: (api: OrganisationApi, input: Input, idempotencyKey: string) => Promise<unknown>,
): Submission<Input> {
  const api = useApi()
  const queries = useQueryClient()
  const latest = useRef(action)
  latest.current = action
  const pending = useRef<{ readonly input: string; readonly key: string }>(undefined)
  return useSubmit(
    useCallback(
      async (given: Input) => {
        const input = JSON.stringify(given) ?? ''
        if (pending.current?.input !== input) pending.current = { input, key: newRequestKey() }
        try {
          await latest.current(api, given, pending.current.key)
          pending.current = undefined
        } catch (error) {
          if (error instanceof AssayError && error.outcome === 'refused') pending.current = undefined
          throw error
        } finally {
          // After a refusal too: what is shown may be older than what was refused.
          await queries.invalidateQueries({ queryKey: [api.organisationId] })
        }
      },
      [api, queries],
    ),
  )
}
