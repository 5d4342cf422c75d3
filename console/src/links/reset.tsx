import { PASSWORD } from '@assay/sdk'
import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useCallback, useState } from 'react'
import { Link } from 'react-router'
import { ONCE, server } from '../api/client.ts'
import { sessionQuery } from '../api/session.ts'
import { PASSWORD_ADVICE } from '../shell/person-fields.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { Sheet } from '../shell/sheet.tsx'
import { SubmitButton } from '../shell/submit-button.tsx'
import { useSubmit } from '../shell/use-submit.ts'
import { ForgotLink, LinkPage } from './link-page.tsx'

/** Chooses a new password by a mailed link. */
export function Component() {
  return (
    <LinkPage
      kind="reset"
      find={(token, signal) => server.call('POST /api/reset-password/lookup', { body: { token }, signal })}
      another={<ForgotLink>Ask for another link</ForgotLink>}
    >
      {({ email }, token) => <Choose email={email} token={token} />}
    </LinkPage>
  )
}

function Choose({ email, token }: { email: string; token: string }) {
  const queries = useQueryClient()
  const [password, setPassword] = useState('')
  const [done, setDone] = useState(false)
  const submission = useSubmit(
    useCallback(
      async (chosen: string) => {
        await server.call('POST /api/reset-password', { body: { token, password: chosen }, ...ONCE })
        setDone(true)
        // Whoever was signed in in this browser is not any more.
        await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
      },
      [token, queries],
    ),
  )
  const { submit, error } = submission
  if (done) {
    return (
      <Sheet
        outcome="done"
        title="Your password is changed"
        lead="You are signed out everywhere, and applications that were connected have to ask you again."
      >
        <Button component={Link} to="/sign-in" size="md">
          Sign in
        </Button>
      </Sheet>
    )
  }
  const wrong = error?.errors.find(({ pointer }) => pointer === '/password')?.detail
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    submit(password)
  }
  return (
    <Sheet
      title="Choose a new password"
      lead={
        <>
          For <bdi className="breakable">{email}</bdi>.
        </>
      }
    >
      <form onSubmit={onSubmit} noValidate aria-label="Choose a new password">
        <Stack gap="md">
          {error && wrong === undefined ? <ProblemNotice error={error} title="Your password was not changed" /> : null}
          {/* For password managers: whose password it is. */}
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
          <PasswordInput
            label="New password"
            description={PASSWORD_ADVICE}
            autoComplete="new-password"
            maxLength={PASSWORD.characters.max}
            size="md"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={wrong}
            visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
          />
          <Text size="sm" c="dimmed">
            All sessions end, and applications that were connected have to ask you again: somebody else may have used
            your account.
          </Text>
          <SubmitButton submission={submission} label="Change the password" disabled={password === ''} />
        </Stack>
      </form>
    </Sheet>
  )
}
