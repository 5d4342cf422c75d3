import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { accountQuery, useOwnApi, useOwnChange } from '../api/account.ts'
import type { Account } from '../api/generated/pages.ts'
import { sessionQuery } from '../api/session.ts'
import { Loaded, Panel, State } from '../shell/page.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'

export function Profile() {
  const account = useQuery(accountQuery(useOwnApi()))
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
  const [name, setName] = useState(account.name)
  const rename = useOwnChange(async (api, wanted: string, once) => {
    await api.call('POST /api/account/name', { body: { name: wanted }, ...once })
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  })
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    rename.submit(name)
  }
  const wrong = rename.error?.errors.find(({ pointer }) => pointer === '/name')?.detail
  return (
    <form onSubmit={onSubmit} noValidate aria-label="Name">
      <Stack gap="sm">
        {rename.error && wrong === undefined ? (
          <ProblemNotice error={rename.error} title="Your name was not changed" />
        ) : null}
        <div className="form-row">
          <TextInput
            label="Name"
            description="As the other members and the audit log show you."
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            autoComplete="name"
            maxLength={200}
            error={wrong}
          />
          <Button type="submit" variant="default" loading={rename.busy} disabled={name.trim() === account.name}>
            Save the name
          </Button>
        </div>
      </Stack>
    </form>
  )
}

function Address({ account: { email, email_verified, sends_mail } }: { account: Account }) {
  const [sent, setSent] = useState(false)
  const verify = useOwnChange(async (api, _: undefined, once) => {
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
      {verify.error ? <ProblemNotice error={verify.error} title="No mail was sent" /> : null}
      {email_verified ? null : sends_mail ? (
        <Group gap="sm">
          <Button variant="default" size="sm" loading={verify.busy} onClick={() => verify.submit(undefined)}>
            {sent ? 'Send it again' : 'Send me a link to verify it'}
          </Button>
          <Text size="sm" role="status">
            {sent ? 'Sent. Open the link in the mail within a day; at most five are sent in an hour.' : ''}
          </Text>
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          This server sends no mail, so an address can be verified by its operator only.
        </Text>
      )}
    </Stack>
  )
}
