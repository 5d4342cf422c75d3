import { PasswordInput, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useLayoutEffect, useRef, useState } from 'react'
import type { Credentials } from '../api/generated/pages.ts'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { SubmitButton } from '../shell/submit-button.tsx'
import type { Submission } from '../shell/use-submit.ts'

type Missing = { readonly email?: string; readonly password?: string }

export function CredentialsForm({
  submission,
  emailHint,
}: {
  submission: Submission<Credentials>
  emailHint?: string | null
}) {
  const { submit, error } = submission
  const email = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const [missing, setMissing] = useState<Missing>({})

  useLayoutEffect(() => {
    const first = emailHint ? password : email
    first.current?.focus()
  }, [emailHint])

  // After a refusal the password is what is most likely wrong: it is emptied and waits to be typed again.
  useLayoutEffect(() => {
    if (error === undefined || password.current === null) return
    password.current.value = ''
    password.current.focus()
  }, [error])

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    const credentials = { email: email.current?.value.trim() ?? '', password: password.current?.value ?? '' }
    const found: Missing = {
      ...(/^[^\s@]+@[^\s@]+$/.test(credentials.email)
        ? {}
        : { email: 'Enter your email address, for example ada@example.com.' }),
      ...(credentials.password === '' ? { password: 'Enter your password.' } : {}),
    }
    setMissing(found)
    if (found.email) email.current?.focus()
    else if (found.password) password.current?.focus()
    else submit(credentials)
  }

  return (
    <form onSubmit={onSubmit} noValidate aria-label="Sign in">
      <Stack gap="md">
        {error ? <ProblemNotice error={error} /> : null}
        <TextInput
          ref={email}
          label="Email address"
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          size="md"
          defaultValue={emailHint ?? ''}
          error={missing.email}
        />
        <PasswordInput
          ref={password}
          label="Password"
          name="password"
          autoComplete="current-password"
          maxLength={1024}
          size="md"
          error={missing.password}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
        />
        <SubmitButton submission={submission} label="Sign in" />
      </Stack>
    </form>
  )
}
