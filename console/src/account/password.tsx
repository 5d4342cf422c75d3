import { PASSWORD } from '@assay/sdk'
import { Checkbox, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useOwnChange } from '../api/account.ts'
import type { PasswordChange } from '../api/page-operations.ts'
import { Panel } from '../shell/page.tsx'
import { PASSWORD_ADVICE } from '../shell/person-fields.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { SubmitButton } from '../shell/submit-button.tsx'
import { useSession } from '../shell/use-session.ts'

const EMPTY: PasswordChange = { present: '', password: '', disconnect: false }

export function Password() {
  const { user } = useSession()
  const [form, setForm] = useState(EMPTY)
  const [done, setDone] = useState(false)
  const change = useOwnChange(async (api, body: PasswordChange, once) => {
    setDone(false)
    await api.call('POST /api/account/password', { body, ...once })
    setForm(EMPTY)
    setDone(true)
  })
  const { error } = change
  const field = (name: 'present' | 'password') => ({
    name,
    value: form[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setForm((now) => ({ ...now, [name]: value }))
    },
    error: error?.errors.find(({ pointer }) => pointer === `/${name}`)?.detail,
    visibilityToggleButtonProps: { 'aria-label': 'Show or hide the password', tabIndex: 0 },
    maw: 420,
  })
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    change.submit(form)
  }
  return (
    <Panel title="Password">
      <form onSubmit={onSubmit} noValidate aria-label="Change the password">
        <Stack gap="md">
          {error && error.errors.length === 0 ? (
            <ProblemNotice error={error} title="The password was not changed" />
          ) : null}
          {/* For password managers: whose password it is. */}
          <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
          <PasswordInput
            label="Present password"
            autoComplete="current-password"
            maxLength={1024}
            {...field('present')}
          />
          <PasswordInput
            label="New password"
            description={PASSWORD_ADVICE}
            autoComplete="new-password"
            maxLength={PASSWORD.characters.max}
            {...field('password')}
          />
          <Checkbox
            label="Also disconnect all applications"
            description="They stay connected otherwise: an application never knew your password."
            checked={form.disconnect}
            onChange={(event) => {
              const { checked } = event.currentTarget
              setForm((now) => ({ ...now, disconnect: checked }))
            }}
          />
          <Text size="sm" c="dimmed">
            A new password signs you out everywhere else.
          </Text>
          <Group gap="md">
            <SubmitButton
              submission={change}
              label="Change the password"
              disabled={form.present === '' || form.password === ''}
            />
            <Text size="sm" role="status">
              {done ? 'Your password is changed. All other sessions have ended.' : ''}
            </Text>
          </Group>
        </Stack>
      </form>
    </Panel>
  )
}
