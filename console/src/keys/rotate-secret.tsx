import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Client, NewClient } from '../api/people.ts'
import { SureButton } from '../shell/page.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { moment } from '../shell/time.ts'
import { useChange } from '../shell/use-change.ts'

const GRACES = [
  { value: '24', label: 'For another 24 hours' },
  { value: '168', label: 'For another 7 days' },
  { value: '0', label: 'No longer: it stops at once' },
]

/** Gives an application a new secret, and says how long its present one goes on working. */
export function RotateSecretForm({ client, done }: { client: Client; done: (rotated?: NewClient) => void }) {
  const [hours, setHours] = useState('24')
  const { submit, busy, error } = useChange(async (api, graceHours: number, idempotencyKey) => {
    done(
      await api.call('POST /v1/organisation/clients/{client_id}/rotate-secret', {
        path: { client_id: client.id },
        query: { grace_hours: graceHours },
        idempotencyKey,
      }),
    )
  })
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    submit(Number(hours))
  }
  return (
    <form onSubmit={onSubmit} aria-label={`New secret for ${client.name}`} className="panel">
      <Stack gap="md" maw={480}>
        {error ? <ProblemNotice error={error} title="The application has the secret it had" /> : null}
        <Text>
          A new secret for <bdi>{client.name}</bdi>. Put it into the application while the present one still works.
        </Text>
        <NativeSelect
          label="The present secret works"
          value={hours}
          onChange={(event) => setHours(event.currentTarget.value)}
          data={GRACES}
          data-autofocus
        />
        <Group>
          <Button type="submit" loading={busy}>
            Give a new secret
          </Button>
          <Button variant="default" onClick={() => done()}>
            Not now
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Until when the former secret works, and a way to end it before. */
export function FormerSecret({ client, mayEnd }: { client: Client; mayEnd: boolean }) {
  const end = useChange(async (api, id: string) =>
    api.call('DELETE /v1/organisation/clients/{client_id}/former-secret', { path: { client_id: id } }),
  )
  if (!client.former_secret_expires_at) return null
  return (
    <Stack gap={4} align="flex-start">
      <Text size="xs" c="dimmed">
        former secret works until {moment(client.former_secret_expires_at)}
      </Text>
      {mayEnd ? (
        <SureButton
          label="End former secret"
          sure="Yes, it stops now"
          busy={end.busy}
          onSure={() => end.submit(client.id)}
        />
      ) : null}
      {end.error ? <ProblemNotice error={end.error} title="The former secret still works" /> : null}
    </Stack>
  )
}
