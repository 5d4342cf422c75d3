import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ONCE, publicQuery, server } from '../api/client.ts'
import { EMAIL, EmailInput, Form, SubmitButton, useFields } from '../shell/form.tsx'
import { LinkLine } from '../shell/page.tsx'
import { Loading, NotLoaded, Sheet } from '../shell/sheet.tsx'
import { useSubmit } from '../shell/use-session.ts'
import { say, strong } from '../shell/words.ts'

export function Component() {
  const offer = useQuery(publicQuery('GET /api/forgot-password'))
  if (offer.isPending) return <Loading />
  if (offer.isError) return <NotLoaded query={offer} />
  if (offer.data.sends_mail) return <Ask />
  return (
    <Sheet title="Forgot password" lead="This server sends no mail, so it cannot send you a link.">
      <Text>
        Ask the operator of this server for a new password. An owner of your organisation knows the operator. You can
        change the password after you sign in.
      </Text>
      <Back />
    </Sheet>
  )
}

const Back = () => <LinkLine to="/sign-in" label="Back to the sign-in" />

function Ask() {
  const { values, field } = useFields({ email: '' })
  const [missing, setMissing] = useState(false)
  const [sent, setSent] = useState<string>()
  const submission = useSubmit(async (email: string) => {
    await server.call('POST /api/forgot-password', { body: { email }, ...ONCE })
    setSent(email)
  })
  if (sent !== undefined) {
    return (
      <Sheet
        outcome="done"
        title="Check your mailbox"
        lead={say`If ${strong(sent)} has an account here, a link was sent there. It works once, within an hour.`}
      >
        <Text size="sm">
          No mail? Check the spam folder, and use the address that you sign in with. At most three links are sent in an
          hour.
        </Text>
        <Back />
      </Sheet>
    )
  }
  function send(): void {
    const email = values.email.trim()
    setMissing(!EMAIL.test(email))
    if (EMAIL.test(email)) submission.submit(email)
  }
  return (
    <Sheet title="Forgot password" lead="A link to choose a new one is sent to your email address.">
      <Form label="Forgot password" error={submission.error} failed="Nothing was sent" onSubmit={send}>
        <EmailInput
          {...field('email')}
          error={missing ? 'Enter your email address, for example ada@example.com.' : undefined}
        />
        <SubmitButton submission={submission} label="Send the link" />
        <Back />
      </Form>
    </Sheet>
  )
}
