import { useLayoutEffect, useRef, useState } from 'react'
import type { Credentials } from '../api/generated/pages.ts'
import { EMAIL, EmailInput, Form, PresentPasswordInput, SubmitButton } from '../shell/form.tsx'
import type { Submission } from '../shell/use-session.ts'

type Missing = { readonly email?: string; readonly password?: string }

export function CredentialsForm(props: { submission: Submission<Credentials>; emailHint?: string | null | undefined }) {
  const { submission, emailHint } = props
  const { submit, error } = submission
  const email = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const [missing, setMissing] = useState<Missing>({})

  useLayoutEffect(() => {
    const first = emailHint ? password : email
    first.current?.focus()
  }, [emailHint])

  // After a refusal the password is probably wrong: empty it and focus it.
  useLayoutEffect(() => {
    if (error === undefined || password.current === null) return
    password.current.value = ''
    password.current.focus()
  }, [error])

  function send(): void {
    const credentials = { email: email.current?.value.trim() ?? '', password: password.current?.value ?? '' }
    const found: Missing = {
      ...(EMAIL.test(credentials.email) ? {} : { email: 'Enter your email address, for example ada@example.com.' }),
      ...(credentials.password === '' ? { password: 'Enter your password.' } : {}),
    }
    setMissing(found)
    if (found.email) email.current?.focus()
    else if (found.password) password.current?.focus()
    else submit(credentials)
  }

  return (
    <Form label="Sign in" error={error} onSubmit={send}>
      <EmailInput ref={email} autoComplete="username webauthn" defaultValue={emailHint ?? ''} error={missing.email} />
      <PresentPasswordInput ref={password} name="password" error={missing.password} />
      <SubmitButton submission={submission} label="Sign in" />
    </Form>
  )
}
