import { Button, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { Link } from 'react-router'
import { ONCE, server } from '../api/client.ts'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { Sheet } from '../shell/sheet.tsx'
import { useSubmit } from '../shell/use-submit.ts'
import { LinkPage } from './link-page.tsx'

/** Proves that an address is somebody's own, by a click on the page behind a mailed link. */
export function Component() {
  return (
    <LinkPage
      kind="verify"
      find={(token, signal) => server.call('POST /api/verify-address/lookup', { body: { token }, signal })}
      another="Sign in and ask for another link on the page of your account."
    >
      {({ email }, token) => <Verify email={email} token={token} />}
    </LinkPage>
  )
}

function Verify({ email, token }: { email: string; token: string }) {
  const queries = useQueryClient()
  const [done, setDone] = useState(false)
  const { submit, busy, error } = useSubmit(
    useCallback(async () => {
      await server.call('POST /api/verify-address', { body: { token }, ...ONCE })
      setDone(true)
      await queries.invalidateQueries({ queryKey: ['account'] })
    }, [token, queries]),
  )
  if (done) {
    return (
      <Sheet outcome="done" title="Your address is verified" lead={<bdi className="breakable">{email}</bdi>}>
        <Button component={Link} to="/console/account" variant="default" size="md">
          Go to your account
        </Button>
      </Sheet>
    )
  }
  return (
    <Sheet title="Verify your address" lead={<bdi className="breakable">{email}</bdi>}>
      {error ? <ProblemNotice error={error} title="The address is not verified yet" /> : null}
      <Button size="md" loading={busy} onClick={() => submit(undefined)}>
        Yes, this address is mine
      </Button>
      <Text size="sm" c="dimmed">
        You did not ask for this? Close the page: nothing changes.
      </Text>
    </Sheet>
  )
}
