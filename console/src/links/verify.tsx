import { Button, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { Link } from 'react-router'
import { server, withCsrf } from '../api/client.ts'
import { sessionQuery } from '../api/session.ts'
import { Loading } from '../shell/loading.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { NotLoaded } from '../shell/problem-page.tsx'
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
      {({ email }, token) => <WithAccount email={email} token={token} />}
    </LinkPage>
  )
}

/** Only whoever has the account can verify it: somebody else may have made it with the address of whoever reads the mail. */
function WithAccount({ email, token }: { email: string; token: string }) {
  const session = useQuery(sessionQuery)
  if (session.isPending) return <Loading />
  if (session.isError) return <NotLoaded query={session} />
  if (session.data?.user.email === email) return <Verify email={email} token={token} csrf={session.data.csrf} />
  return (
    <Sheet
      title="Sign in first"
      lead={
        <>
          Sign in as <bdi className="breakable">{email}</bdi>, then open the link in the mail once more.
        </>
      }
    >
      <Button component={Link} to="/sign-in" size="md">
        Sign in
      </Button>
      <Text size="sm" c="dimmed">
        You made no account here? Then somebody else gave your address: close the page, and nothing changes.
      </Text>
    </Sheet>
  )
}

function Verify({ email, token, csrf }: { email: string; token: string; csrf: string }) {
  const queries = useQueryClient()
  const [done, setDone] = useState(false)
  const { submit, busy, error } = useSubmit(
    useCallback(async () => {
      await server.call('POST /api/verify-address', { body: { token }, ...withCsrf(csrf) })
      setDone(true)
      await queries.invalidateQueries({ queryKey: ['account'] })
    }, [token, csrf, queries]),
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
