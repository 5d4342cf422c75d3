import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ONCE, server } from '../api/client.ts'
import type { WaitingSignUp } from '../api/generated/pages.ts'
import { rememberOrganisation, roleWords } from '../api/organisation.ts'
import { sessionQuery, signIn } from '../api/session.ts'
import { Form, PresentPasswordInput, SubmitButton, UserName, useFields } from '../shell/form.tsx'
import { ButtonLink, problemBeside, Quiet } from '../shell/page.tsx'
import { Sheet } from '../shell/sheet.tsx'
import { useSubmit } from '../shell/use-session.ts'
import { say } from '../shell/words.ts'
import { LinkPage } from './link-page.tsx'

export function Component() {
  return (
    <LinkPage
      kind="confirm"
      find={(token, signal) => server.call('POST /api/confirm-sign-up/lookup', { body: { token }, signal })}
      another="If you have confirmed already, sign in. Otherwise sign up again, or ask the operator of this server."
    >
      {(found, token) => <Confirm found={found} token={token} />}
    </LinkPage>
  )
}

/**
 * Adds the organisation to the account of the address. Where there is none, an account is made, and the person who
 * confirms must know the password that was chosen.
 */
function Confirm({ found, token }: { found: WaitingSignUp; token: string }) {
  const { email, organisation, role, invited, has_account: hasAccount } = found
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [done, setDone] = useState(false)
  const { values, field } = useFields({ password: '' })
  const submission = useSubmit(async ({ password }: { password: string }) => {
    const body = { token, ...(password === '' ? {} : { password }) }
    const { organisation_id } = await server.call('POST /api/confirm-sign-up', { body, ...ONCE })
    rememberOrganisation(organisation_id)
    setDone(hasAccount)
    if (hasAccount) return queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    await signIn({ email, password }, queries)
    return navigate('/console', { replace: true })
  })
  const { submit, error } = submission
  const form = { error: problemBeside(error, 'password'), onSubmit: () => submit(values) }
  if (done) {
    return (
      <Sheet
        outcome="done"
        title={invited ? say`You have joined ${organisation}` : 'The organisation is yours'}
        lead="Sign in with the password you already have."
      >
        <ButtonLink to="/console" label="Go to the console" />
      </Sheet>
    )
  }
  if (!hasAccount) {
    return (
      <Sheet
        title="Finish signing up"
        lead={
          invited
            ? say`${email} joins ${organisation}. Your role would be ${roleWords(role)}.`
            : say`${email} becomes the owner of ${organisation}.`
        }
      >
        <Form label="Finish signing up" failed="You are not signed in yet" {...form}>
          <UserName email={email} />
          <PresentPasswordInput label="The password you chose" {...field('password', error)} />
          <SubmitButton submission={submission} label="Finish and sign in" disabled={values.password === ''} />
          <Quiet>You did not sign up? Close the page: no account is created.</Quiet>
        </Form>
      </Sheet>
    )
  }
  return (
    <Sheet
      title={invited ? say`Join ${organisation}` : 'Add an organisation to your account'}
      lead={
        invited
          ? say`Somebody accepted an invitation to ${organisation} as ${email}. You already have an account and can join with it. Your role would be ${roleWords(role)}.`
          : say`Somebody signed up as ${email} for ${organisation}. You already have an account: the organisation can be added to it.`
      }
    >
      <Form label="Add the organisation" failed="The organisation was not added" {...form}>
        {invited ? null : (
          <PresentPasswordInput
            label="The password typed at sign-up (optional)"
            description="With it, an API key that was shown at sign-up stays valid. Without it, that key ends."
            {...field('password', error)}
          />
        )}
        <SubmitButton submission={submission} label={invited ? 'Yes, that was me: join' : 'Yes, that was me: add it'} />
        <Quiet>
          The password typed at sign-up is discarded: your password stays. If it was not you, close the page: nothing
          changes.
        </Quiet>
      </Form>
    </Sheet>
  )
}
