import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useCallback, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { ONCE, server } from '../api/client.ts'
import type { WaitingSignUp } from '../api/generated/pages.ts'
import { rememberOrganisation } from '../api/organisation.ts'
import { sessionQuery, signIn } from '../api/session.ts'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { Sheet } from '../shell/sheet.tsx'
import { SubmitButton } from '../shell/submit-button.tsx'
import { useSubmit } from '../shell/use-submit.ts'
import { LinkPage } from './link-page.tsx'

/** Finishes a sign-up by the link that was mailed. */
export function Component() {
  return (
    <LinkPage
      kind="confirm"
      find={(token, signal) => server.call('POST /api/confirm-sign-up/lookup', { body: { token }, signal })}
      another="If you have confirmed already, sign in. Otherwise sign up again, or ask the operator of this server."
    >
      {(found, token) =>
        found.has_account ? <Add found={found} token={token} /> : <Finish found={found} token={token} />
      }
    </LinkPage>
  )
}

interface Props {
  readonly found: WaitingSignUp
  readonly token: string
}

/** The address has an account: the organisation is added to it. */
function Add({ found: { email, organisation }, token }: Props) {
  const queries = useQueryClient()
  const [done, setDone] = useState(false)
  const { submit, busy, error } = useSubmit(
    useCallback(async () => {
      const { organisation_id } = await server.call('POST /api/confirm-sign-up', { body: { token }, ...ONCE })
      rememberOrganisation(organisation_id)
      setDone(true)
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    }, [token, queries]),
  )
  if (done) {
    return (
      <Sheet outcome="done" title="The organisation is yours" lead="Sign in with the password you already have.">
        <Button component={Link} to="/console" size="md">
          Go to the console
        </Button>
      </Sheet>
    )
  }
  return (
    <Sheet
      title="Add an organisation to your account"
      lead={
        <>
          Somebody signed up as <bdi className="breakable">{email}</bdi> for <bdi>{organisation}</bdi>. You have an
          account already: the organisation can be added to it.
        </>
      }
    >
      {error ? <ProblemNotice error={error} title="The organisation was not added" /> : null}
      <Button size="md" loading={busy} onClick={() => submit(undefined)}>
        Yes, that was me: add it
      </Button>
      <Text size="sm" c="dimmed">
        The password that was typed then is forgotten: yours stays. If it was not you, close the page: nothing changes.
      </Text>
    </Sheet>
  )
}

/** A new account: whoever confirms it knows the password that was chosen. */
function Finish({ found: { email, organisation }, token }: Props) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [password, setPassword] = useState('')
  const submission = useSubmit(
    useCallback(
      async (typed: string) => {
        const { organisation_id } = await server.call('POST /api/confirm-sign-up', {
          body: { token, password: typed },
          ...ONCE,
        })
        rememberOrganisation(organisation_id)
        await signIn({ email, password: typed }, queries)
        await navigate('/console', { replace: true })
      },
      [token, email, queries, navigate],
    ),
  )
  const { submit, error } = submission
  const wrong = error?.errors.find(({ pointer }) => pointer === '/password')?.detail
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    submit(password)
  }
  return (
    <Sheet
      title="Finish signing up"
      lead={
        <>
          <bdi className="breakable">{email}</bdi> becomes the owner of <bdi>{organisation}</bdi>.
        </>
      }
    >
      <form onSubmit={onSubmit} noValidate aria-label="Finish signing up">
        <Stack gap="md">
          {error && wrong === undefined ? <ProblemNotice error={error} title="You are not signed in yet" /> : null}
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
          <PasswordInput
            label="The password you chose"
            autoComplete="current-password"
            maxLength={1024}
            size="md"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={wrong}
            visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
          />
          <SubmitButton submission={submission} label="Finish and sign in" disabled={password === ''} />
          <Text size="sm" c="dimmed">
            You did not sign up? Close the page: no account is made.
          </Text>
        </Stack>
      </form>
    </Sheet>
  )
}
