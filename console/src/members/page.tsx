import { Group, List, NativeSelect, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Body, publicQuery } from '../api/client.ts'
import {
  ARCHIVE,
  type Consent,
  listQuery,
  type Member,
  type NewInvitation,
  ROLE_NAMES,
  type Role,
  roleWords,
} from '../api/organisation.ts'
import { sessionQuery } from '../api/session.ts'
import { Owner } from '../interaction/asker.tsx'
import { MadeTable, useHasLeft, useMade } from '../keys/made.tsx'
import { scopeWords } from '../keys/scopes.ts'
import { Answers, Dialog, DialogButton, Form, Secret, useFields } from '../shell/form.tsx'
import { ago, day, moment } from '../shell/format.ts'
import {
  ConsolePage,
  Loaded,
  MainButton,
  PageLink,
  Panel,
  Quiet,
  QuietButton,
  State,
  SureButton,
} from '../shell/page.tsx'
import { TablePanel, twoLines } from '../shell/table.tsx'
import {
  type Submission,
  useAbility,
  useApi,
  useCall,
  useChange,
  useFile,
  useList,
  useOrganisation,
  useRead,
  useSession,
  useSettings,
} from '../shell/use-session.ts'
import { say } from '../shell/words.ts'

export function Component() {
  const mayRead = useAbility('read')
  const mayManage = useAbility('manage')
  const { role } = useOrganisation()
  return (
    <ConsolePage of="members">
      {mayRead ? (
        <>
          <Members />
          {mayManage ? <OfFormerMembers /> : null}
          <Invitations />
          {mayManage ? <Consents /> : null}
          <SecondFactor />
          {role === 'owner' ? <Leaving /> : null}
        </>
      ) : (
        <OwnMembership />
      )}
    </ConsolePage>
  )
}

/** For roles that do not see the other members: everybody can leave. */
function OwnMembership() {
  const { user } = useSession()
  const { role } = useOrganisation()
  const leave = useRemoval()
  return (
    <Panel title="You" error={leave.error} failed="Nothing was changed">
      <Text>Your role {role} does not let you see other members. Ask an owner or admin for another role.</Text>
      <Group>
        <SureButton label="Leave" of={leave} input={user.id} />
      </Group>
    </Panel>
  )
}

/** Keys and applications outlive the membership of their maker. */
function OfFormerMembers() {
  const things = useMade(useHasLeft())
  if (things.length === 0) return null
  return (
    <Panel
      title="Keys and applications of former members"
      lead="Their keys and applications continue to work. The maker of a key may still have its secret: end the key, or replace it under Keys."
    >
      <MadeTable things={things} />
    </Panel>
  )
}

/** The keys and applications that a member made, shown before they leave or are removed. */
function Removal({ member, yes }: { member: Member; yes: string }) {
  const removal = useRemoval()
  const things = useMade(({ created_by: by }) => by?.id === member.id)
  return (
    <Stack gap="md">
      <Text>
        {things.length === 0
          ? 'This member made no key or application that still works.'
          : 'The keys and applications that this member made continue to work. End them here, or leave them to the others.'}
      </Text>
      {things.length === 0 ? null : <MadeTable things={things} />}
      <Answers submission={removal} yes={yes} no="Not now" grave onYes={() => removal.submit(member.id)} />
    </Stack>
  )
}

function useRemoval() {
  const { user } = useSession()
  const queries = useQueryClient()
  return useChange(async (own, id: string) => {
    await own.call('DELETE /v1/organisation/members/{member_id}', { path: { member_id: id } })
    if (id === user.id) await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  })
}

/** Only an owner adds or changes owners. */
function useRolesToGive(): readonly Role[] {
  return useOrganisation().role === 'owner' ? ROLE_NAMES : ROLE_NAMES.filter((role) => role !== 'owner')
}

function Members() {
  const mayManage = useAbility('manage')
  const rolesToGive = useRolesToGive()
  const { user } = useSession()
  const members = useList('members')
  const change = useChange(async (own, { member, role }: { member: Member; role: Role }) => {
    const path = { member_id: member.id }
    const { data, etag } = await own.callForVersion('GET /v1/organisation/members/{member_id}', { path })
    // Another person changed the role since this page was read: send an outdated version, so that the server refuses.
    const seen = data.role === member.role ? etag : '"outdated"'
    const headers = { 'if-match': seen ?? '' }
    await own.call('PATCH /v1/organisation/members/{member_id}', { path, body: { role }, headers })
  })
  const isOwner = useOrganisation().role === 'owner'
  const isSelf = ({ id }: Member) => id === user.id
  const mayChange = ({ role }: Member) => mayManage && rolesToGive.includes(role)
  return (
    <TablePanel
      title="People"
      error={change.error}
      failed="Nothing was changed"
      label="Members"
      rows={members}
      columns={{
        Name: (member) => (
          <>
            <bdi>{member.name}</bdi>
            {isSelf(member) ? ' (you)' : ''}
          </>
        ),
        'Email address': [({ email }) => email, 'name'],
        Role: (member) =>
          mayChange(member) && !isSelf(member) ? (
            <NativeSelect
              size="xs"
              aria-label={`Role of ${member.name}`}
              value={member.role}
              onChange={(event) => change.submit({ member, role: event.currentTarget.value as Role })}
              data={[...rolesToGive]}
            />
          ) : (
            member.role
          ),
        Since: (member) => day(member.joined_at),
        ...(isOwner && {
          'Second factor': ({ second_factor: has }: Member) => (
            <State name={has ? 'active' : 'open'}>{has ? 'yes' : 'none'}</State>
          ),
        }),
        Change: (member) =>
          isSelf(member) || mayChange(member) ? (
            <DialogButton
              label={isSelf(member) ? 'Leave' : 'Remove'}
              ariaLabel={isSelf(member) ? 'Leave' : `Remove ${member.name}`}
              title={isSelf(member) ? 'Leave the organisation?' : say`Remove ${member.name}?`}
            >
              <Removal member={member} yes={isSelf(member) ? 'Yes, leave' : 'Yes, remove'} />
            </DialogButton>
          ) : null,
      }}
    />
  )
}

function sendWords({ email, mailed }: NewInvitation): string {
  if (email === null) return 'Send it to them.'
  if (mailed === 'waiting')
    return `Mail cannot be sent at the moment: it goes to ${email} later. Pass on the link yourself.`
  if (mailed) return `We sent it to ${email}. You can also pass it on yourself.`
  return 'No mail was sent: mail is not set up on this server, or this address got too many mails in the last hour. Pass on the link yourself.'
}

const useSendsMail = () => useQuery(publicQuery('GET /api/forgot-password')).data?.sends_mail

function Invitations() {
  const mayManage = useAbility('manage')
  const rolesToGive = useRolesToGive()
  const invitations = useList('invitations')
  const { values, field, reset } = useFields({ email: '', role: 'developer' })
  const [made, setMade] = useState<NewInvitation>()
  const invite = useCall('POST /v1/organisation/invitations', (answer) => {
    setMade(answer)
    reset()
  })
  const revoke = useCall('DELETE /v1/organisation/invitations/{invitation_id}')
  const email = values.email.trim()
  const sendsMail = useSendsMail()
  return (
    <TablePanel
      title="Invitations"
      error={invite.error ?? revoke.error}
      failed="Nothing was changed"
      empty="None yet. Create a link and send it to a colleague."
      rows={invitations}
      columns={{
        For: (one) => (one.email === null ? 'anybody with the link' : <bdi>{one.email}</bdi>),
        Role: ({ role }) => role,
        State: ({ state }) => <State name={state === 'accepted' ? 'active' : state}>{state}</State>,
        Ends: (one) => day(one.expires_at),
        Change: ({ id, state, email: to, role }) =>
          mayManage && state === 'open' ? (
            <SureButton label="Withdraw" of={revoke} input={{ path: { invitation_id: id } }} />
          ) : mayManage && state === 'expired' && to !== null && rolesToGive.includes(role) ? (
            <QuietButton size="xs" label="Invite again" onClick={() => invite.submit({ body: { role, email: to } })} />
          ) : null,
      }}
    >
      {mayManage ? (
        <Form
          label="Invite somebody"
          row
          onSubmit={() => invite.submit({ body: { role: values.role as Role, ...(email === '' ? {} : { email }) } })}
        >
          <TextInput
            label="For this address only"
            placeholder="Anybody with the link"
            type="email"
            maxLength={254}
            miw="min(17rem, 100%)"
            {...field('email')}
          />
          <NativeSelect
            label="Role"
            data={rolesToGive.map((value) => ({ value, label: roleWords(value) }))}
            {...field('role')}
          />
          <MainButton
            type="submit"
            loading={invite.busy}
            label={sendsMail && email !== '' ? 'Send invitation' : 'Create a link'}
          />
        </Form>
      ) : null}
      {mayManage && sendsMail === false ? (
        <Quiet>This server sends no mail: you get a link and pass it on yourself.</Quiet>
      ) : null}
      {made ? (
        <div role="status">
          <Secret
            label="Invitation link"
            value={made.link}
            words={`${sendWords(made)} It is shown only once, works once, and expires ${ago(made.expires_at)}.`}
          />
        </div>
      ) : null}
    </TablePanel>
  )
}

function SecondFactor() {
  const { role } = useOrganisation()
  const { second_factor: own } = useSession()
  const [asking, setAsking] = useState<true>()
  const { settings, change } = useSettings()
  const hasOwn = (own?.ways.length ?? 0) > 0
  return (
    <Panel title="Second factor" error={asking ? undefined : change.error} failed="Nothing was changed">
      <Loaded query={settings} heightPx={60}>
        {({ data: { requires_second_factor: isRequired, second_factor_from: from } }) => {
          const planned = from ? `From ${moment(from)} on. ` : ''
          return role === 'owner' ? (
            <Switch
              label="Members need a second factor"
              description={`${planned}Members who sign in with only a password cannot act here until they add a passkey or one-time codes. Their consents to applications end. API keys and services are not affected.`}
              checked={isRequired || from !== null}
              disabled={change.busy || (!isRequired && from === null && !hasOwn)}
              onChange={(event) =>
                event.currentTarget.checked ? setAsking(true) : change.submit({ requires_second_factor: false })
              }
            />
          ) : (
            <Text size="sm">
              {isRequired
                ? 'Members need a second factor here. An owner decides that.'
                : from
                  ? `Members need a second factor from ${moment(from)} on. An owner decides that.`
                  : 'Members may sign in with only a password. An owner can require a second factor.'}
            </Text>
          )
        }}
      </Loaded>
      {role === 'owner' && !hasOwn ? (
        <Text size="sm">
          You have no second factor yourself: <PageLink to="/console/account">add one first</PageLink>.
        </Text>
      ) : null}
      <Dialog about={asking} title={() => 'Require a second factor?'} onClose={() => setAsking(undefined)}>
        {() => <RequireFactor change={change} />}
      </Dialog>
    </Panel>
  )
}

/** For owners: everything as an archive, and the erasure of the organisation. */
function Leaving() {
  const { name } = useOrganisation()
  const erasure = useRead('GET /v1/organisation/erasure')
  const file = useFile((own) =>
    own.download({ name: 'GET /v1/organisation/export', type: ARCHIVE, fileName: 'organisation.tar.gz' }),
  )
  const cancel = useCall('DELETE /v1/organisation/erasure')
  const waiting = erasure.isError ? undefined : erasure.data
  return (
    <Panel
      title="Leaving"
      lead="The archive has everything of the organisation. Erasing deletes checks, counterparties, lists, keys and members for good; invoices are kept by law, and remaining credit is lost."
      error={file.error ?? cancel.error}
    >
      <Group>
        <QuietButton size="xs" of={file} label="Download everything" />
        {waiting ? null : (
          <DialogButton label="Erase the organisation" title={say`Erase ${name}?`}>
            <SureToErase />
          </DialogButton>
        )}
      </Group>
      {waiting ? (
        <Group>
          <Text size="sm">Everything will be erased on {moment(waiting.erased_from)}.</Text>
          <QuietButton size="xs" of={cancel} label="Keep the organisation" />
        </Group>
      ) : null}
    </Panel>
  )
}

function SureToErase() {
  const change = useCall('POST /v1/organisation/erasure')
  return (
    <Answers submission={change} grave yes="Yes, erase everything" onYes={() => change.submit()}>
      Everything is erased for good after a waiting time. The owners get a mail with the day; until then each of them
      can cancel it here.
    </Answers>
  )
}

const NOTICE_DAYS = 7
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

function RequireFactor({ change }: { change: Submission<Body<'PATCH /v1/organisation'>> }) {
  const { values, field } = useFields({ second_factor_from: dayIn(NOTICE_DAYS) })
  const sendsMail = useSendsMail()
  // Read again: somebody may have added a factor since.
  const members = useQuery({ ...listQuery(useApi(), 'members'), staleTime: 0 })
  const from = values.second_factor_from
  const when = from === '' ? {} : { second_factor_from: `${from}T00:00:00.000Z` }
  return (
    <Form label="Require a second factor" onSubmit={() => change.submit({ requires_second_factor: true, ...when })}>
      <Loaded query={members} heightPx={60}>
        {(all) => {
          const without = all.filter(({ second_factor: has }) => has === false)
          if (without.length === 0) return <Text size="sm">Every member has one: nobody will be stopped.</Text>
          return (
            <>
              <Text size="sm">These members have none and will be stopped until they add one:</Text>
              <List size="sm">
                {without.map(({ id, name, email }) => (
                  <List.Item key={id}>
                    <bdi>{name}</bdi>, {email}
                  </List.Item>
                ))}
              </List>
              <Quiet>
                {sendsMail
                  ? 'They get a mail with the date.'
                  : 'This server sends no mail: tell them the date yourself.'}
              </Quiet>
            </>
          )
        }}
      </Loaded>
      <TextInput
        label="From this day on (UTC)"
        description="Empty: at once."
        type="date"
        min={dayIn(1)}
        max={dayIn(366)}
        {...field('second_factor_from', change.error)}
      />
      <Answers submission={change} yes="Require it" />
    </Form>
  )
}

function Consents() {
  const { id: ownId } = useOrganisation()
  const ownerOf = ({ organisation_name: name, organisation_id: id }: Consent['client']) =>
    name === null ? null : { name, yours: id === ownId ? null : false }
  const consents = useList('consents')
  const withdraw = useCall('DELETE /v1/organisation/consents/{consent_id}')
  return (
    <TablePanel
      title="Connected applications"
      lead="Applications that may act for members. Their checks are charged to this organisation."
      error={withdraw.error}
      failed="Nothing was withdrawn"
      empty="No member has given access to an application here."
      rows={consents}
      columns={{
        Application: ({ client }) => twoLines(<bdi>{client.name}</bdi>, <Owner client={{ owner: ownerOf(client) }} />),
        Member: [({ member }) => member.name, 'name'],
        May: ({ scopes }) => scopes.map(scopeWords).join(', '),
        Since: (consent) => day(consent.created_at),
        'Last used': ({ last_used_at: used }) => (used ? ago(used) : 'not lately'),
        Change: ({ id }) => <SureButton label="Withdraw" of={withdraw} input={{ path: { consent_id: id } }} />,
      }}
    />
  )
}
