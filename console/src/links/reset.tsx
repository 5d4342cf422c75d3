import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, ONCE, server } from '../api/client.ts'
import { sessionQuery } from '../api/session.ts'
import { Form, NewPasswordInput, SubmitButton, UserName, useFields } from '../shell/form.tsx'
import { ButtonLink, PageLink, problemBeside, Quiet } from '../shell/page.tsx'
import { Sheet } from '../shell/sheet.tsx'
import { useSubmit } from '../shell/use-session.ts'
import { say } from '../shell/words.ts'
import { LinkPage } from './link-page.tsx'

export function Component() {
  return (
    <LinkPage
      kind="reset"
      find={(token, signal) => server.call('POST /api/reset-password/lookup', { body: { token }, signal })}
      another={<PageLink to="/forgot-password">Ask for another link</PageLink>}
    >
      {({ email, kind }, token) => <Choose email={email} kind={kind} token={token} />}
    </LinkPage>
  )
}

type Kind = Answer<'POST /api/reset-password/lookup'>['kind']

/** Title and lead for each reason to choose a new password. */
const WORDS: Readonly<Partial<Record<Kind, readonly [string, string]>>> = {
  not_me: ['Secure your account', 'Somebody else may have signed in as '],
  undo: ['Undo the change of your address', 'Your account gets this address again: '],
}

function Choose({ email, kind, token }: { email: string; kind: Kind; token: string }) {
  const queries = useQueryClient()
  const { values, field } = useFields({ password: '' })
  const [done, setDone] = useState(false)
  const submission = useSubmit(async ({ password }: { password: string }) => {
    await server.call('POST /api/reset-password', { body: { token, password }, ...ONCE })
    setDone(true)
    // The session of this browser has ended too.
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  })
  const { submit, error } = submission
  if (done) {
    return (
      <Sheet
        outcome="done"
        title="Your password is changed"
        lead="You are signed out everywhere, and connected applications must ask you again."
      >
        <ButtonLink to="/sign-in" label="Sign in" />
      </Sheet>
    )
  }
  const [title, lead] = WORDS[kind] ?? ['Choose a new password', 'For ']
  return (
    <Sheet title={title} lead={[lead, ...say`${email}.`]}>
      <Form
        label="Choose a new password"
        error={problemBeside(error, 'password')}
        failed="Your password was not changed"
        onSubmit={() => submit(values)}
      >
        <UserName email={email} />
        <NewPasswordInput {...field('password', error)} />
        <Quiet>
          All sessions end, and connected applications must ask you again, because somebody else may have used your
          account.{kind === 'reset' ? '' : ' Passkeys and codes that were added since then are removed.'}
        </Quiet>
        <SubmitButton submission={submission} label="Change the password" disabled={values.password === ''} />
      </Form>
    </Sheet>
  )
}
