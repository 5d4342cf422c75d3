import { AssayError } from '@assay/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { newRequestKey, type OrganisationApi } from '../api/organisation.ts'
import { useApi } from './use-organisation.ts'
import { type Submission, useSubmit } from './use-submit.ts'

/** Idempotency keys of changes without an answer. They outlive a dialog that was closed and opened again. */
const unanswered = new Map<string, string>()

/**
 * A change to the organisation: sent once however often it is clicked, and under one idempotency key until an answer
 * came, so that a repeat after a lost answer does it no second time. Afterwards everything shown is read again.
 */
export function useChange<Input = void>(
  action: (api: OrganisationApi, input: Input, idempotencyKey: string) => Promise<unknown>,
  /** Names the change across dialogs, so that a repeat of it gets the same idempotency key. */
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
      // After a refusal too: what is shown may be older than what was refused.
      await queries.invalidateQueries({ queryKey: [api.organisationId] })
    }
  })
}

/**
 * Reads something on a click, such as a file: one at a time, like a change. Nothing was changed, so nothing shown is read
 * again, and the next click does not wait for that.
 */
export function useRead<Input = void>(
  action: (api: OrganisationApi, input: Input) => Promise<unknown>,
): Submission<Input> {
  const api = useApi()
  return useSubmit((input: Input) => action(api, input))
}
