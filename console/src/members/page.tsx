import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Body } from '../api/client.ts'
import {
  type Invitation,
  invitationsQuery,
  type Member,
  membersQuery,
  type NewInvitation,
  ROLE_NAMES,
  type Role,
  roleWords,
} from '../api/people.ts'
import { sessionQuery } from '../api/session.ts'
import { ConsolePage, Empty, Loaded, Panel, State, SureButton, WideTable } from '../shell/page.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { Secret } from '../shell/secret.tsx'
import { ago, day } from '../shell/time.ts'
import { useChange } from '../shell/use-change.ts'
import { useAbility, useApi, useOrganisation } from '../shell/use-organisation.ts'
import { useSession } from '../shell/use-session.ts'
import { Consents } from './consents.tsx'
import { SecondFactor } from './second-factor.tsx'

export function Component() {
  const mayRead = useAbility('read')
  return (
    <ConsolePage title="Members" lead="Who belongs to the organisation, and what each of them may do.">
      {mayRead ? (
        <>
          <Members />
          <Invitations />
          <Consents />
          <SecondFactor />
        </>
      ) : (
        <OwnMembership />
      )}
    </ConsolePage>
  )
}

/** For roles that do not see the others: everybody can leave. */
function OwnMembership() {
  const { user } = useSession()
  const { role } = useOrganisation()
  const leave = useRemoval()
  return (
    <Panel title="You">
      <Stack gap="md">
        {leave.error ? <ProblemNotice error={leave.error} title="Nothing was changed" /> : null}
        <Text>Your role {role} does not let you see the other members. Ask an owner or admin for another role.</Text>
        <Group>
          <SureButton label="Leave" sure="Yes, leave" onSure={() => leave.submit(user.id)} />
        </Group>
      </Stack>
    </Panel>
  )
}

/** Removes a member. Whoever leaves is from then on without this organisation. */
function useRemoval() {
  const { user } = useSession()
  const queries = useQueryClient()
  return useChange(async (own, id: string) => {
    await own.call('DELETE /v1/organisation/members/{member_id}', { path: { member_id: id } })
    if (id === user.id) await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  })
}

/** Only an owner makes or changes owners. */
function useRolesToGive(): readonly Role[] {
  return useOrganisation().role === 'owner' ? ROLE_NAMES : ROLE_NAMES.filter((role) => role !== 'owner')
}

function Members() {
  const api = useApi()
  const mayManage = useAbility('manage')
  const rolesToGive = useRolesToGive()
  const { user } = useSession()
  const members = useQuery(membersQuery(api))
  const change = useChange(async (own, { member, role }: { member: Member; role: Role }) => {
    const path = { member_id: member.id }
    const { data, etag } = await own.callForVersion('GET /v1/organisation/members/{member_id}', { path })
    // Somebody else changed it since this page was read: the server refuses the version the person was looking at.
    const seen = data.role === member.role ? etag : '"outdated"'
    await own.call('PATCH /v1/organisation/members/{member_id}', {
      path,
      body: { role },
      headers: { 'if-match': seen ?? '' },
    })
  })
  const remove = useRemoval()
  const error = change.error ?? remove.error
  return (
    <Panel title="People">
      <Stack gap="md">
        {error ? <ProblemNotice error={error} title="Nothing was changed" /> : null}
        <Loaded query={members}>
          {(data) => (
            <WideTable label="Members" columns={['Name', 'Email address', 'Role', 'Since', 'Change']}>
              {data.map((member) => (
                <tr key={member.id}>
                  <td>
                    <bdi>{member.name}</bdi>
                    {member.id === user.id ? ' (you)' : ''}
                  </td>
                  <td>
                    <bdi>{member.email}</bdi>
                  </td>
                  <td>
                    {mayManage && rolesToGive.includes(member.role) && member.id !== user.id ? (
                      <NativeSelect
                        size="xs"
                        aria-label={`Role of ${member.name}`}
                        value={member.role}
                        onChange={(event) => change.submit({ member, role: event.currentTarget.value as Role })}
                        data={[...rolesToGive]}
                      />
                    ) : (
                      member.role
                    )}
                  </td>
                  <td>{day(member.joined_at)}</td>
                  <td>
                    {member.id === user.id ? (
                      <SureButton label="Leave" sure="Yes, leave" onSure={() => remove.submit(member.id)} />
                    ) : mayManage && rolesToGive.includes(member.role) ? (
                      <SureButton label="Remove" sure="Yes, remove" onSure={() => remove.submit(member.id)} />
                    ) : null}
                  </td>
                </tr>
              ))}
            </WideTable>
          )}
        </Loaded>
      </Stack>
    </Panel>
  )
}

/** Whether the link is on its way by mail, or has to be handed over. */
function sendWords({ email, mailed }: NewInvitation): string {
  if (email === null) return 'Send it to them.'
  if (mailed) return `We sent it to ${email}. You can also hand it over yourself.`
  return 'No mail was sent: mail is not set up on this server, or this address had too much of it in the last hour. Hand over the link yourself.'
}

function Invitations() {
  const api = useApi()
  const mayManage = useAbility('manage')
  const rolesToGive = useRolesToGive()
  const invitations = useQuery(invitationsQuery(api))
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('developer')
  const [made, setMade] = useState<NewInvitation>()
  const invite = useChange(async (own, body: Body<'POST /v1/organisation/invitations'>, idempotencyKey) => {
    setMade(await own.call('POST /v1/organisation/invitations', { body, idempotencyKey }))
    setEmail('')
  })
  const revoke = useChange(async (own, invitation: Invitation) =>
    own.call('DELETE /v1/organisation/invitations/{invitation_id}', { path: { invitation_id: invitation.id } }),
  )
  const error = invite.error ?? revoke.error
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    invite.submit({ role, ...(email.trim() === '' ? {} : { email: email.trim() }) })
  }
  return (
    <Panel title="Invitations">
      <Stack gap="md">
        {mayManage ? (
          <form className="form-row" onSubmit={onSubmit} noValidate aria-label="Invite somebody">
            <TextInput
              label="For this address only"
              placeholder="Anybody with the link"
              type="email"
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
              maxLength={254}
            />
            <NativeSelect
              label="Role"
              value={role}
              onChange={(event) => setRole(event.currentTarget.value as Role)}
              data={rolesToGive.map((value) => ({ value, label: roleWords(value) }))}
            />
            <Button type="submit" loading={invite.busy}>
              Make a link
            </Button>
          </form>
        ) : null}
        {made ? (
          <div role="status">
            <Secret
              label="Invitation link"
              value={made.link}
              words={`${sendWords(made)} It is shown this once, works once, and ends ${ago(made.expires_at)}.`}
            />
          </div>
        ) : null}
        {error ? <ProblemNotice error={error} title="Nothing was changed" /> : null}
        <Loaded query={invitations}>
          {(data) =>
            data.length === 0 ? (
              <Empty>None yet. Make a link and send it to a colleague.</Empty>
            ) : (
              <WideTable label="Invitations" columns={['For', 'Role', 'State', 'Ends', 'Change']}>
                {data.map((invitation) => (
                  <tr key={invitation.id}>
                    <td>{invitation.email === null ? 'whoever holds the link' : <bdi>{invitation.email}</bdi>}</td>
                    <td>{invitation.role}</td>
                    <td>
                      <State name={invitation.state === 'accepted' ? 'active' : invitation.state}>
                        {invitation.state}
                      </State>
                    </td>
                    <td>{day(invitation.expires_at)}</td>
                    <td>
                      {mayManage && invitation.state === 'open' ? (
                        <Group>
                          <SureButton label="Withdraw" sure="Yes, withdraw" onSure={() => revoke.submit(invitation)} />
                        </Group>
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
