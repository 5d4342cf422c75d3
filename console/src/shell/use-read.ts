import type { OrganisationApi } from '../api/organisation.ts'
import { useApi } from './use-organisation.ts'
import { type Submission, useSubmit } from './use-submit.ts'

/**
 * Reads something on a click, such as a file: one at a time, like a change. Nothing was changed, so nothing shown is read
 * again, and the next click does not wait for that.
 */
export function useRead<Input>(action: (api: OrganisationApi, input: Input) => Promise<void>): Submission<Input> {
  const api = useApi()
  return useSubmit((input: Input) => action(api, input))
}
