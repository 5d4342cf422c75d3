import { Button } from '@mantine/core'
import type { OneOrganisation } from '../../api/generated/pages.ts'
import { Empty, Panel, State, WideTable } from '../../shell/page.tsx'
import { day } from '../../shell/time.ts'
import type { Asked } from './acts.ts'

/** Its members, as far as the operator helps them. */
export function People({ members, ask }: Pick<OneOrganisation, 'members'> & { ask: (asked: Asked) => void }) {
  return (
    <Panel title="Members">
      {members.length === 0 ? (
        <Empty>Nobody yet. Add somebody with assayd user create.</Empty>
      ) : (
        <WideTable label="Members" columns={['Name', 'Email address', 'Role', 'State', 'Since', 'Password']}>
          {members.map((member) => (
            <tr key={member.id}>
              <td>
                <bdi>{member.name}</bdi>
              </td>
              <td>
                <bdi>{member.email}</bdi>
              </td>
              <td>{member.role}</td>
              <td>
                <State name={member.state} />
              </td>
              <td className="when">{day(member.joined_at)}</td>
              <td>
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Reset the password of ${member.name}`}
                  onClick={() => ask({ what: 'reset', member })}
                >
                  Reset
                </Button>
              </td>
            </tr>
          ))}
        </WideTable>
      )}
    </Panel>
  )
}
