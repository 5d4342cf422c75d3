import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ownApplicationsQuery, useOwnApi, useOwnChange } from '../api/account.ts'
import type { ConnectedApplication } from '../api/generated/pages.ts'
import { Owner } from '../interaction/asker.tsx'
import { Empty, Loaded, Panel, SureButton, WideTable } from '../shell/page.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { ago, day } from '../shell/time.ts'

/** What the person signed in lets applications do, wherever it is charged. */
export function Applications() {
  const applications = useQuery(ownApplicationsQuery(useOwnApi()))
  const { submit, busy, error } = useOwnChange((api, { id }: ConnectedApplication, once) =>
    api.call('DELETE /api/account/applications/{consent_id}', { path: { consent_id: id }, ...once }),
  )
  return (
    <Panel title="Connected applications">
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          What you let applications do in your name. What you withdraw ends at once, on all your devices; the
          application has to ask you again.
        </Text>
        {error ? <ProblemNotice error={error} title="Nothing was withdrawn" /> : null}
        <Loaded query={applications}>
          {({ applications: data }) =>
            data.length === 0 ? (
              <Empty>None yet. An application that asks for access to Assay in your name is listed here.</Empty>
            ) : (
              <WideTable
                label="Connected applications"
                columns={['Application', 'Charges', 'May', 'Since', 'Last used', 'Ends', 'Change']}
              >
                {data.map((application) => (
                  <tr key={application.id}>
                    <td>
                      <bdi>{application.client.name}</bdi>
                      <Text size="xs" c="dimmed">
                        <Owner client={application} />
                      </Text>
                    </td>
                    <td>
                      <bdi>{application.organisation.name}</bdi>
                    </td>
                    <td>{application.scopes.map(({ words }) => words).join(', ')}</td>
                    <td>{day(application.created_at)}</td>
                    <td>{application.last_used_at ? ago(application.last_used_at) : 'not lately'}</td>
                    <td>{day(application.expires_at)}</td>
                    <td>
                      <SureButton
                        label="Withdraw"
                        sure="Yes, withdraw"
                        busy={busy}
                        onSure={() => submit(application)}
                      />
                    </td>
                  </tr>
                ))}
              </WideTable>
            )
          }
        </Loaded>
      </Stack>
    </Panel>
  )
}
