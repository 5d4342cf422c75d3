import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ownSessionsQuery, useOwnApi, useOwnChange } from '../api/account.ts'
import { capitalised } from '../shell/money.ts'
import { Loaded, Panel, State, SureButton, WideTable } from '../shell/page.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { ago, moment } from '../shell/time.ts'

export function Sessions() {
  const sessions = useQuery(ownSessionsQuery(useOwnApi()))
  const end = useOwnChange((api, id: string, once) =>
    api.call('POST /api/account/sessions/{session_id}/end', { path: { session_id: id }, body: {}, ...once }),
  )
  const endOthers = useOwnChange((api, _: undefined, once) =>
    api.call('POST /api/account/end-other-sessions', { body: {}, ...once }),
  )
  const error = end.error ?? endOthers.error
  const several = (sessions.data?.data.length ?? 0) > 1
  return (
    <Panel
      title="Where you are signed in"
      action={
        several ? (
          <SureButton
            label="End all others"
            sure="Yes, end all others"
            busy={endOthers.busy}
            onSure={() => endOthers.submit(undefined)}
          />
        ) : undefined
      }
    >
      <Stack gap="md">
        {error ? <ProblemNotice error={error} title="Nothing was ended" /> : null}
        <Loaded query={sessions}>
          {({ data }) => (
            <>
              <WideTable label="Sessions" columns={['Device', 'Place', 'Address', 'Signed in', 'Last seen', 'Change']}>
                {data.map((session) => (
                  <tr key={session.id}>
                    <td>{capitalised(session.device)}</td>
                    <td>{session.place ?? 'not known'}</td>
                    <td className="breakable">{session.ip ?? 'not known'}</td>
                    <td>{moment(session.signed_in_at)}</td>
                    <td>{ago(session.seen_at)}</td>
                    <td>
                      {session.present ? (
                        <State name="active">this session</State>
                      ) : (
                        <SureButton label="End" sure="Yes, end it" onSure={() => end.submit(session.id)} />
                      )}
                    </td>
                  </tr>
                ))}
              </WideTable>
              <Text size="sm" c="dimmed">
                {several
                  ? 'End what you do not recognise, then change your password.'
                  : 'You are signed in nowhere else.'}
              </Text>
            </>
          )}
        </Loaded>
      </Stack>
    </Panel>
  )
}
