import { Switch, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { sessionQuery } from '../api/session.ts'
import { PageLink } from '../shell/links.tsx'
import { Loaded, Panel } from '../shell/page.tsx'
import { useChange } from '../shell/use-change.ts'
import { useApi, useOrganisation } from '../shell/use-organisation.ts'
import { useSession } from '../shell/use-session.ts'

/** An owner who has a second factor decides if every member needs one. */
export function SecondFactor() {
  const api = useApi()
  const queries = useQueryClient()
  const { role } = useOrganisation()
  const { second_factor: own } = useSession()
  const organisation = useQuery({
    queryKey: [api.organisationId, 'organisation'],
    queryFn: ({ signal }) => api.callForVersion('GET /v1/organisation', { signal }),
  })
  const change = useChange(async (to, input: { required: boolean; etag: string }, idempotencyKey) => {
    await to.call('PATCH /v1/organisation', {
      body: { requires_second_factor: input.required },
      headers: { 'if-match': input.etag },
      idempotencyKey,
    })
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  })
  const hasOwn = (own?.ways.length ?? 0) > 0
  return (
    <Panel title="Second factor" error={change.error} failed="Nothing was changed">
      <Loaded query={organisation} heightPx={60}>
        {({ data, etag }) =>
          role === 'owner' ? (
            <Switch
              label="Members need a second factor"
              description="Members who sign in with a password alone can do nothing here until they add a passkey or one-time codes. What applications were allowed to do for such members ends. API keys and services go on."
              checked={data.requires_second_factor}
              disabled={change.busy || (!data.requires_second_factor && !hasOwn)}
              onChange={(event) => change.submit({ required: event.currentTarget.checked, etag: etag ?? '' })}
            />
          ) : (
            <Text size="sm">
              {data.requires_second_factor
                ? 'Members need a second factor here. An owner decides that.'
                : 'Members may sign in with a password alone. An owner can require more.'}
            </Text>
          )
        }
      </Loaded>
      {role === 'owner' && !hasOwn ? (
        <Text size="sm">
          You have none yourself: <PageLink to="/console/account">add one first</PageLink>.
        </Text>
      ) : null}
    </Panel>
  )
}
