import { Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useCallback, useState } from 'react'
import { ONCE, server } from '../api/client.ts'
import { Loading } from '../shell/loading.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { NotLoaded } from '../shell/problem-page.tsx'
import { Sheet } from '../shell/sheet.tsx'
import { SubmitButton } from '../shell/submit-button.tsx'
import { useSubmit } from '../shell/use-submit.ts'
import { SignInLink } from './link-page.tsx'

/** Asks for a link by which a new password is chosen. */
export function Component() {
  const offer = useQuery({
    queryKey: ['forgot-password'],
    queryFn: ({ signal }) => server.call('GET /api/forgot-password', { signal }),
  })
  if (offer.isPending) return <Loading />
  if (offer.isError) return <NotLoaded query={offer} />
  if (offer.data.sends_mail) return <Ask />
  return (
    <Sheet title="Forgot password" lead="This server sends no mail, so it cannot send you a link.">
      <Text>
        Ask the operator of this server for a new password, or an owner of your organisation who to ask. You can change
        it once you are signed in.
      </Text>
      <Text size="sm">
        <SignInLink>Back to the sign-in</SignInLink>
      </Text>
    </Sheet>
  )
}

function Ask() {
  const [email, setEmail] = useState('')
  const [missing, setMissing] = useState<string>()
  const [sent, setSent] = useState<string>()
  const submission = useSubmit(
    useCallback(async (address: string) => {
      await server.call('POST /api/forgot-password', { body: { email: address }, ...ONCE })
      setSent(address)
    }, []),
  )
  const { submit, error } = submission
  if (sent !== undefined) {
    return (
      <Sheet
        outcome="done"
        title="Look into your mailbox"
        lead={
          <>
            If <strong className="breakable">{sent}</strong> has an account here, a link was sent there. It works once,
            within an hour.
          </>
        }
      >
        <Text size="sm">
          Nothing came? Look among the unwanted mail, and try the address you sign in with. At most three links are sent
          in an hour.
        </Text>
        <Text size="sm">
          <SignInLink>Back to the sign-in</SignInLink>
        </Text>
      </Sheet>
    )
  }
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    const address = email.trim()
    const valid = /^[^\s@]+@[^\s@]+$/.test(address)
    setMissing(valid ? undefined : 'Enter your email address, for example ada@example.com.')
    if (valid) submit(address)
  }
  return (
    <Sheet title="Forgot password" lead="A link to choose a new one is sent to your email address.">
      <form onSubmit={onSubmit} noValidate aria-label="Forgot password">
        <Stack gap="md">
          {error ? <ProblemNotice error={error} title="Nothing was sent" /> : null}
          <TextInput
            label="Email address"
            name="email"
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={254}
            size="md"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={missing}
          />
          <SubmitButton submission={submission} label="Send the link" />
          <Text size="sm">
            <SignInLink>Back to the sign-in</SignInLink>
          </Text>
        </Stack>
      </form>
    </Sheet>
  )
}
