import { Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useOwnChange } from '../api/account.ts'
import { roleWords } from '../api/people.ts'
import { sessionQuery } from '../api/session.ts'
import { Empty, Panel, SureButton, WideTable } from '../shell/page.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { useSession } from '../shell/use-session.ts'

export function Organisations() {
  const { organisations } = useSession()
  const queries = useQueryClient()
  const leave = useOwnChange(async (api, id: string, once) => {
    const path = { organisation_id: id }
    await api.call('POST /api/account/organisations/{organisation_id}/leave', { path, body: {}, ...once })
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  })
  return (
    <Panel title="Organisations">
      <Stack gap="md">
        {leave.error ? <ProblemNotice error={leave.error} title="You have not left" /> : null}
        {organisations.length === 0 ? (
          <Empty>You belong to none. Ask the owner of yours for an invitation, and open its link here.</Empty>
        ) : (
          <WideTable label="Organisations" columns={['Organisation', 'Your role', 'Change']}>
            {organisations.map(({ id, name, role }) => (
              <tr key={id}>
                <td>
                  <bdi>{name}</bdi>
                </td>
                <td>{roleWords(role)}</td>
                <td>
                  <SureButton label="Leave" sure="Yes, leave" busy={leave.busy} onSure={() => leave.submit(id)} />
                </td>
              </tr>
            ))}
          </WideTable>
        )}
      </Stack>
    </Panel>
  )
}
