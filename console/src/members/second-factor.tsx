import { Anchor, Stack, Switch, Text } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { OrganisationApi } from '../api/organisation.ts'
import { sessionQuery } from '../api/session.ts'
import { Loaded, Panel } from '../shell/page.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { useChange } from '../shell/use-change.ts'
import { useApi, useOrganisation } from '../shell/use-organisation.ts'
import { useSession } from '../shell/use-session.ts'

const organisationQuery = (api: OrganisationApi) =>
  queryOptions({
    queryKey: [api.organisationId, 'organisation'],
    queryFn: ({ signal }) => api.callForVersion('GET /v1/organisation', { signal }),
  })

/** Whether members need a second factor: an owner decides, with one of their own. */
export function SecondFactor() {
  const api = useApi()
  const queries = useQueryClient()
  const { role } = useOrganisation()
  const { second_factor: own } = useSession()
  const organisation = useQuery(organisationQuery(api))
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
    <Panel title="Second factor">
      <Stack gap="md">
        {change.error ? <ProblemNotice error={change.error} title="Nothing was changed" /> : null}
        <Loaded query={organisation} heightPx={60}>
          {({ data, etag }) =>
            role === 'owner' ? (
              <Switch
                label="Members need a second factor"
                description="Whoever signs in with a password alone can do nothing here until they add a passkey or one-time codes. What applications were allowed to do for such members ends. API keys and services go on."
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
            You have none yourself:{' '}
            <Anchor component={Link} to="/console/account">
              add one first
            </Anchor>
            .
          </Text>
        ) : null}
      </Stack>
    </Panel>
  )
}
