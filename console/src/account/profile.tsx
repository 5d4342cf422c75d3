import { Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ownQuery, useOwnApi, useOwnChange } from '../api/account.ts'
import type { Account } from '../api/page-operations.ts'
import { sessionQuery } from '../api/session.ts'
import { QuietButton } from '../shell/buttons.tsx'
import { Form, PresentPasswordInput, SubmitButton, UserName, useFields } from '../shell/form.tsx'
import { Loaded, Panel, Quiet, State } from '../shell/page.tsx'
import { NewPasswordInput } from '../shell/person-fields.tsx'
import { ProblemNotice, problemBeside } from '../shell/problem-notice.tsx'
import { useSession } from '../shell/use-session.ts'

export function Profile() {
  const account = useQuery(ownQuery(useOwnApi(), 'GET /api/account'))
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
  const { submit, busy, error } = useOwnChange(async (api, name: string, once) => {
    await api.call('POST /api/account/name', { body: { name }, ...once })
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
      <QuietButton type="submit" loading={busy} disabled={values.name.trim() === account.name}>
        Save the name
      </QuietButton>
    </Form>
  )
}

function Address({ account: { email, email_verified, sends_mail } }: { account: Account }) {
  const [sent, setSent] = useState(false)
  const verify = useOwnChange(async (api, _, once) => {
    await api.call('POST /api/account/verify', { body: {}, ...once })
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
      </Group>
      <ProblemNotice error={verify.error} title="No mail was sent" />
      {email_verified ? null : sends_mail ? (
        <Group gap="sm">
          <QuietButton size="sm" loading={verify.busy} onClick={() => verify.submit()}>
            {sent ? 'Send it again' : 'Send me a link to verify it'}
          </QuietButton>
          <Text size="sm" role="status">
            {sent ? 'Sent. Open the link in the mail within a day; at most five are sent in an hour.' : ''}
          </Text>
        </Group>
      ) : (
        <Quiet>This server sends no mail, so an address can be verified by its operator only.</Quiet>
      )}
    </Stack>
  )
}

export function Password() {
  const { user } = useSession()
  const { values, field, reset } = useFields({ present: '', password: '' })
  const [disconnect, setDisconnect] = useState(false)
  const [done, setDone] = useState(false)
  const change = useOwnChange(async (api, _, once) => {
    setDone(false)
    await api.call('POST /api/account/password', { body: { ...values, disconnect }, ...once })
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
          description="They stay connected otherwise: an application never knew your password."
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
          <Text size="sm" role="status">
            {done ? 'Your password is changed. All other sessions have ended.' : ''}
          </Text>
        </Group>
      </Form>
    </Panel>
  )
}
