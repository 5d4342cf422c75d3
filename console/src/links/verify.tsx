import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { server, withCsrf } from '../api/client.ts'
import { sessionQuery } from '../api/session.ts'
import { ButtonLink, MainButton, ProblemNotice, Quiet } from '../shell/page.tsx'
import { Loading, NotLoaded, Sheet } from '../shell/sheet.tsx'
import { useSubmit } from '../shell/use-session.ts'
import { say } from '../shell/words.ts'
import { LinkPage } from './link-page.tsx'

/** Proves the ownership of an address, by a click on the page of a mailed link. */
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

/** Only the owner of the account can verify the address: the reader of the mail may be another person. */
function WithAccount({ email, token }: { email: string; token: string }) {
  const session = useQuery(sessionQuery)
  if (session.isPending) return <Loading />
  if (session.isError) return <NotLoaded query={session} />
  if (session.data?.user.email === email) return <Verify email={email} token={token} csrf={session.data.csrf} />
  return (
    <Sheet title="Sign in first" lead={say`Sign in as ${email}, then open the link in the mail once more.`}>
      <ButtonLink to="/sign-in" label="Sign in" />
      <Quiet>
        You have no account here? Then somebody else entered your address: close the page, and nothing changes.
      </Quiet>
    </Sheet>
  )
}

function Verify({ email, token, csrf }: { email: string; token: string; csrf: string }) {
  const queries = useQueryClient()
  const [done, setDone] = useState(false)
  const { submit, busy, error } = useSubmit(async () => {
    await server.call('POST /api/verify-address', { body: { token }, ...withCsrf(csrf) })
    setDone(true)
    await queries.invalidateQueries({ queryKey: ['account'] })
  })
  if (done) {
    return (
      <Sheet outcome="done" title="Your address is verified" lead={say`${email}`}>
        <ButtonLink to="/console/account" variant="default" label="Go to your account" />
      </Sheet>
    )
  }
  return (
    <Sheet title="Verify your address" lead={say`${email}`}>
      <ProblemNotice error={error} title="The address is not verified yet" />
      <MainButton size="md" loading={busy} onClick={() => submit()} label="Yes, this address is mine" />
      <Quiet>You did not ask for this? Close the page: nothing changes.</Quiet>
    </Sheet>
  )
}
