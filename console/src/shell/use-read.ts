import { useCallback, useRef } from 'react'
import type { OrganisationApi } from '../api/organisation.ts'
import { useApi } from './use-organisation.ts'
import { type Submission, useSubmit } from './use-submit.ts'

/**
 * Reads something on a click, such as a file. One at a time, as with a change; but nothing was changed, so that nothing
 * shown is read again, and the next click need not wait for that.
 */
export function useRead<Input>(action: (api: OrganisationApi, input: Input) => Promise<unknown>): Submission<Input> {
  const api = useApi()
  const latest = useRef(action)
  latest.current = action
  return useSubmit(
    useCallback(
      async (given: Input) => {
        await latest.current(api, given)
      },
      [api],
    ),
  )
}
