import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Consent, consentsQuery } from '../api/people.ts'
import { scopeWords } from '../keys/scopes.ts'
import { Empty, Loaded, Panel, SureButton, WideTable } from '../shell/page.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { ago, day } from '../shell/time.ts'
import { useChange } from '../shell/use-change.ts'
import { useAbility, useApi, useOrganisation, useRights } from '../shell/use-organisation.ts'

/** What members let applications do at the organisation's expense. */
export function Consents() {
  const api = useApi()
  const { id: ownId } = useOrganisation()
  const mayManage = useAbility('manage')
  const { mayKeep } = useRights()
  const consents = useQuery(consentsQuery(api))
  const withdraw = useChange(async (own, consent: Consent) =>
    own.call('DELETE /v1/organisation/consents/{consent_id}', { path: { consent_id: consent.id } }),
  )
  return (
    <Panel title="Connected applications">
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          What members let applications do in their name. Its checks are charged to this organisation.
        </Text>
        {withdraw.error ? <ProblemNotice error={withdraw.error} title="Nothing was withdrawn" /> : null}
        <Loaded query={consents}>
          {(data) =>
            data.length === 0 ? (
              <Empty>No member has allowed an application anything here.</Empty>
            ) : (
              <WideTable
                label="Connected applications"
                columns={['Application', 'Member', 'May', 'Since', 'Last used', 'Change']}
              >
                {data.map((consent) => (
                  <tr key={consent.id}>
                    <td>
                      <bdi>{consent.client.name}</bdi>
                      <Text size="xs" c="dimmed">
                        {consent.client.organisation_name === null ? (
                          'part of this server'
                        ) : (
                          <>
                            by <bdi>{consent.client.organisation_name}</bdi>
                            {consent.client.organisation_id === ownId ? null : (
                              <>
                                , <strong className="foreign">not your organisation</strong>
                              </>
                            )}
                          </>
                        )}
                      </Text>
                    </td>
                    <td>
                      <bdi>{consent.member.name}</bdi>
                    </td>
                    <td>{consent.scopes.map(scopeWords).join(', ')}</td>
                    <td>{day(consent.created_at)}</td>
                    <td>{consent.last_used_at ? ago(consent.last_used_at) : 'not lately'}</td>
                    <td>
                      {mayManage && mayKeep(consent.scopes) ? (
                        <SureButton
                          label="Withdraw"
                          sure="Yes, withdraw"
                          busy={withdraw.busy}
                          onSure={() => withdraw.submit(consent)}
                        />
                      ) : null}
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
