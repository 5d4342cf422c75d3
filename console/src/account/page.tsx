import { Anchor, Checkbox, Group, List, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useContext, useState } from 'react'
import { BASE_PATH } from '../api/client.ts'
import type { Account } from '../api/generated/pages.ts'
import { ARCHIVE, rememberOrganisation, roleWords, saveAs } from '../api/organisation.ts'
import { sessionQuery } from '../api/session.ts'
import { Owner } from '../interaction/asker.tsx'
import {
  Answers,
  DialogButton,
  EmailInput,
  Form,
  NewPasswordInput,
  options,
  PresentPasswordInput,
  SubmitButton,
  UserName,
  useFields,
} from '../shell/form.tsx'
import { ago, capitalised, day, moment } from '../shell/format.ts'
import {
  ConsolePage,
  Loaded,
  Panel,
  ProblemNotice,
  problemBeside,
  Quiet,
  QuietButton,
  State,
  Status,
  SureButton,
} from '../shell/page.tsx'
import { TablePanel, twoLines } from '../shell/table.tsx'
import { OrganisationContext, useOwn, useOwnApi, useOwnChange, useSession, useSubmit } from '../shell/use-session.ts'
import { Said, say, strong } from '../shell/words.ts'
import { Factors } from './factors.tsx'

export function Component() {
  const isMember = useContext(OrganisationContext) !== undefined
  return (
    <ConsolePage title="Your account" lead="Your sign-in methods, sessions, connected applications and organisations.">
      <Profile />
      <Password />
      <Factors />
      <Sessions />
      <Digest />
      {/* A person without an organisation has not given access to any application. */}
      {isMember ? <Applications /> : null}
      <Organisations />
      <DeleteAccount />
    </ConsolePage>
  )
}

function Sessions() {
  const sessions = useOwn('GET /api/account/sessions')
  const end = useOwnChange((api, id: string) =>
    api.call('POST /api/account/sessions/{session_id}/end', { path: { session_id: id }, body: {} }),
  )
  const endOthers = useOwnChange((api) => api.call('POST /api/account/end-other-sessions', { body: {} }))
  const several = (sessions.data?.data.length ?? 0) > 1
  return (
    <TablePanel
      title="Sessions"
      action={several ? <SureButton label="End all others" of={endOthers} /> : null}
      error={end.error ?? endOthers.error}
      failed="Nothing was ended"
      rows={sessions}
      columns={{
        Device: ({ device }) => capitalised(device),
        Place: ({ place }) => place ?? 'not known',
        Address: ({ ip }) => <span className="breakable">{ip ?? 'not known'}</span>,
        'Signed in': (session) => moment(session.signed_in_at),
        'Last seen': (session) => ago(session.seen_at),
        Change: ({ id, present }) =>
          present ? (
            <State name="active">this session</State>
          ) : (
            <SureButton label="End" sure="Yes, end it" of={end} input={id} />
          ),
      }}
      below={
        <Quiet>
          {several
            ? 'End sessions that you do not recognise, then change your password.'
            : 'You have no other sessions.'}
        </Quiet>
      }
    />
  )
}

const FREQUENCIES = { never: 'Never', daily: 'Every day', weekly: 'Every week' } as const
type Frequency = keyof typeof FREQUENCIES

function Digest() {
  const account = useOwn('GET /api/account')
  const digest = useOwn('GET /api/account/digest')
  const choose = useOwnChange((own, frequency: Frequency) =>
    own.call('POST /api/account/digest', { body: { frequency } }),
  )
  return (
    <Panel
      title="Events by mail"
      lead="One mail with the events that are in your inbox. No mail is sent for a period without events."
      error={choose.error}
      failed="Nothing was changed"
    >
      <Loaded query={digest}>
        {({ frequency }) => (
          <NativeSelect
            label="How often"
            maw={240}
            value={frequency}
            disabled={choose.busy}
            onChange={(event) => choose.submit(event.currentTarget.value as Frequency)}
            data={options(FREQUENCIES)}
          />
        )}
      </Loaded>
      {account.data?.sends_mail === false ? <Quiet>This server sends no mail.</Quiet> : null}
    </Panel>
  )
}

function Applications() {
  const { data, ...applications } = useOwn('GET /api/account/applications')
  const withdraw = useOwnChange((api, id: string) =>
    api.call('DELETE /api/account/applications/{consent_id}', { path: { consent_id: id } }),
  )
  return (
    <TablePanel
      title="Connected applications"
      lead="Applications that may act in your name. If you withdraw access, it ends immediately on all your devices, and the application must ask you again."
      error={withdraw.error}
      failed="Nothing was withdrawn"
      empty="None yet. Applications that you give access to Assay are listed here."
      rows={{ ...applications, data: data?.applications }}
      columns={{
        Application: (one) => twoLines(<bdi>{one.client.name}</bdi>, <Owner client={one} />),
        Charges: [({ organisation }) => organisation.name, 'name'],
        May: ({ scopes }) => scopes.map(({ words }) => words).join(', '),
        Since: (application) => day(application.created_at),
        'Last used': ({ last_used_at: used }) => (used ? ago(used) : 'not lately'),
        Ends: (application) => day(application.expires_at),
        Change: ({ id }) => <SureButton label="Withdraw" of={withdraw} input={id} />,
      }}
    />
  )
}

function Organisations() {
  const { organisations } = useSession()
  const queries = useQueryClient()
  const leave = useOwnChange(async (api, id: string) => {
    const path = { organisation_id: id }
    await api.call('POST /api/account/organisations/{organisation_id}/leave', { path, body: {} })
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  })
  return (
    <TablePanel
      title="Organisations"
      error={leave.error}
      failed="You have not left"
      empty="You are not a member of an organisation. Ask the owner of your organisation for an invitation, and open its link here."
      rows={organisations}
      columns={{
        Organisation: [({ name }) => name, 'name'],
        'Your role': ({ role }) => roleWords(role),
        Change: ({ id }) => <SureButton label="Leave" of={leave} input={id} />,
      }}
    />
  )
}

function Profile() {
  const account = useOwn('GET /api/account')
  return (
    <Panel title="Profile">
      <Loaded query={account}>
        {(data) => (
          <Stack gap="lg">
            <Name key={data.name} account={data} />
            <Address account={data} />
          </Stack>
        )}
      </Loaded>
    </Panel>
  )
}

function Name({ account }: { account: Account }) {
  const queries = useQueryClient()
  const { values, field } = useFields({ name: account.name })
  const { submit, busy, error } = useOwnChange(async (api, name: string) => {
    await api.call('POST /api/account/name', { body: { name } })
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  })
  return (
    <Form
      label="Name"
      row
      error={problemBeside(error, 'name')}
      failed="Your name was not changed"
      onSubmit={() => submit(values.name)}
    >
      <TextInput
        label="Name"
        description="As the other members and the audit log show you."
        autoComplete="name"
        maxLength={200}
        {...field('name', error)}
      />
      <QuietButton type="submit" loading={busy} disabled={values.name.trim() === account.name} label="Save the name" />
    </Form>
  )
}

function Address({ account: { email, email_verified, sends_mail, pending_email } }: { account: Account }) {
  const [sent, setSent] = useState(false)
  const verify = useOwnChange(async (api) => {
    await api.call('POST /api/account/verify', { body: {} })
    setSent(true)
  })
  return (
    <Stack gap="xs">
      <Text fw={600} size="sm">
        Email address
      </Text>
      <Group gap="sm">
        <bdi className="breakable">{email}</bdi>
        <State name={email_verified ? 'active' : 'open'}>{email_verified ? 'verified' : 'not verified'}</State>
        {sends_mail ? (
          <DialogButton label="Change" ariaLabel="Change the email address" title="Change your email address">
            <ChangeAddress pending={pending_email} />
          </DialogButton>
        ) : null}
      </Group>
      {pending_email === null ? null : (
        <Status>
          <Said of={say`Open the link that we sent to ${strong(pending_email)}: until then nothing changes.`} />
        </Status>
      )}
      <ProblemNotice error={verify.error} title="No mail was sent" />
      {email_verified ? null : sends_mail ? (
        <Group gap="sm">
          <QuietButton size="sm" of={verify} label={sent ? 'Send it again' : 'Send me a link to verify it'} />
          <Status>
            {sent ? 'Sent. Open the link in the mail within a day; at most five are sent in an hour.' : ''}
          </Status>
        </Group>
      ) : (
        <Quiet>This server sends no mail, so only its operator can verify or change an address.</Quiet>
      )}
    </Stack>
  )
}

function ChangeAddress({ pending }: { pending: string | null }) {
  const { values, field } = useFields({ email: pending ?? '' })
  const change = useOwnChange((api, email: string) => api.call('POST /api/account/email', { body: { email } }))
  const email = values.email.trim()
  return (
    <Form
      label="Change the email address"
      error={problemBeside(change.error, 'email')}
      failed="No mail was sent"
      onSubmit={() => email !== '' && change.submit(email)}
    >
      <Text size="sm">
        We send a link to the new address. When you have opened it, you sign in with the new address, and your other
        sessions end. The current address gets a mail too, with a link that undoes the change for seven days.
      </Text>
      <EmailInput label="New email address" autoComplete="email" data-autofocus {...field('email', change.error)} />
      <SubmitButton submission={change} label={email === pending ? 'Send the link again' : 'Send the link'} />
    </Form>
  )
}

function DeleteAccount() {
  const api = useOwnApi()
  const account = useOwn('GET /api/account')
  const file = useSubmit(async () =>
    saveAs(await api.callForFile('GET /api/account/export', ARCHIVE), 'account.tar.gz'),
  )
  const keep = useOwnChange((own) => own.call('POST /api/account/keep', { body: {} }))
  return (
    <Panel
      title="Leave with everything, or delete your account"
      lead="The archive has all that is stored about you. Deleting takes your password, passkeys, codes, sessions, connected applications and memberships, and cannot be undone."
      error={file.error ?? keep.error}
    >
      <Quiet>
        API keys and applications that you made, checks and invoices stay, because they belong to your organisations.
        The audit log keeps what you did, without your name.
      </Quiet>
      <Group>
        <QuietButton of={file} label="Download everything about me" />
      </Group>
      <Loaded query={account}>
        {({ held_up_by: held, erased_from: from }) =>
          from !== null ? (
            <Group>
              <Text size="sm">Your account will be deleted on {moment(from)}.</Text>
              <QuietButton of={keep} label="Keep my account" />
            </Group>
          ) : held.length > 0 ? (
            <List size="sm">
              {held.map((one) => (
                <List.Item key={one.id}>
                  <HandOver organisation={one} />
                </List.Item>
              ))}
            </List>
          ) : (
            <Group>
              <DialogButton label="Delete my account" title="Delete your account for good?">
                <SureToDelete />
              </DialogButton>
            </Group>
          )
        }
      </Loaded>
    </Panel>
  )
}

/** Leads a last owner to the step that is needed first. The page is loaded anew in that organisation. */
function HandOver({ organisation: { id, name, first } }: { organisation: Account['held_up_by'][number] }) {
  const alone = first === 'end'
  return (
    <>
      You are the last owner of <bdi>{name}</bdi>.{' '}
      <Anchor
        inherit
        href={`${BASE_PATH}/console/${alone ? 'billing/plan' : 'members'}`}
        onClick={() => rememberOrganisation(id)}
      >
        {alone ? 'End its subscription first' : 'Make another member an owner first'}
      </Anchor>
    </>
  )
}

function SureToDelete() {
  const { user } = useSession()
  const change = useOwnChange((own) => own.call('POST /api/account/delete', { body: {} }))
  return (
    <Answers submission={change} grave yes="Yes, delete my account" onYes={() => change.submit()}>
      <Said
        of={say`The account of ${strong(user.email)} is deleted for good after a waiting time. You get a mail with the day; until then you can keep it here.`}
      />
    </Answers>
  )
}

function Password() {
  const { user } = useSession()
  const { values, field, reset } = useFields({ present: '', password: '' })
  const [disconnect, setDisconnect] = useState(false)
  const [done, setDone] = useState(false)
  const change = useOwnChange(async (api) => {
    setDone(false)
    await api.call('POST /api/account/password', { body: { ...values, disconnect } })
    reset()
    setDisconnect(false)
    setDone(true)
  })
  const { error } = change
  return (
    <Panel title="Password">
      <Form
        label="Change the password"
        error={error?.errors.length === 0 ? error : undefined}
        failed="The password was not changed"
        onSubmit={() => change.submit()}
      >
        <UserName email={user.email} />
        <PresentPasswordInput label="Current password" size="sm" maw={420} {...field('present', error)} />
        <NewPasswordInput size="sm" maw={420} {...field('password', error)} />
        <Checkbox
          label="Also disconnect all applications"
          description="Otherwise they stay connected: applications do not know your password."
          checked={disconnect}
          onChange={(event) => setDisconnect(event.currentTarget.checked)}
        />
        <Quiet>A new password signs you out everywhere else.</Quiet>
        <Group gap="md">
          <SubmitButton
            submission={change}
            label="Change the password"
            disabled={values.present === '' || values.password === ''}
          />
          <Status>{done ? 'Your password is changed. All other sessions have ended.' : ''}</Status>
        </Group>
      </Form>
    </Panel>
  )
}
