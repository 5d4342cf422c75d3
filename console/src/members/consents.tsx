import { useQuery } from '@tanstack/react-query'
import { type Consent, listQuery } from '../api/people.ts'
import { Owner } from '../interaction/asker.tsx'
import { scopeWords } from '../keys/scopes.ts'
import { Loaded, Panel, SureButton } from '../shell/page.tsx'
import { twoLines, WideTable } from '../shell/table.tsx'
import { ago, day } from '../shell/time.ts'
import { useChange } from '../shell/use-change.ts'
import { useAbility, useApi, useOrganisation, useRights } from '../shell/use-organisation.ts'

/** The access that members gave to applications, at the organisation's expense. */
export function Consents() {
  const { id: ownId } = useOrganisation()
  const ownerOf = ({ organisation_name: name, organisation_id: id }: Consent['client']) =>
    name === null ? null : { name, yours: id === ownId ? null : false }
  const mayManage = useAbility('manage')
  const { mayKeep } = useRights()
  const consents = useQuery(listQuery(useApi(), 'consents'))
  const { submit, busy, error } = useChange((own, id: string) =>
    own.call('DELETE /v1/organisation/consents/{consent_id}', { path: { consent_id: id } }),
  )
  return (
    <Panel
      title="Connected applications"
      lead="What members let applications do in their name. Its checks are charged to this organisation."
      error={error}
      failed="Nothing was withdrawn"
    >
      <Loaded query={consents}>
        {(data) => (
          <WideTable
            label="Connected applications"
            empty="No member has allowed an application anything here."
            rows={data}
            columns={[
              [
                'Application',
                ({ client }) => twoLines(<bdi>{client.name}</bdi>, <Owner client={{ owner: ownerOf(client) }} />),
              ],
              ['Member', ({ member }) => member.name, 'name'],
              ['May', ({ scopes }) => scopes.map(scopeWords).join(', ')],
              ['Since', (consent) => day(consent.created_at)],
              ['Last used', ({ last_used_at: used }) => (used ? ago(used) : 'not lately')],
              [
                'Change',
                ({ id, scopes }) =>
                  mayManage && mayKeep(scopes) ? (
                    <SureButton label="Withdraw" sure="Yes, withdraw" busy={busy} onSure={() => submit(id)} />
                  ) : null,
              ],
            ]}
          />
        )}
      </Loaded>
    </Panel>
  )
}
