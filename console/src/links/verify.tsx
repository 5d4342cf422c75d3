import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { server, withCsrf } from '../api/client.ts'
import { sessionQuery } from '../api/session.ts'
import { ButtonLink, MainButton, ProblemNotice, Quiet } from '../shell/page.tsx'
import { Loading, NotLoaded, Sheet } from '../shell/sheet.tsx'
import { useSubmit } from '../shell/use-session.ts'
import { say } from '../shell/words.ts'
import { LinkPage } from './link-page.tsx'

/** Proves the ownership of an address, which may be the person's new one, by a click on the page of a mailed link. */
export function Component() {
  return (
    <LinkPage
      kind="verify"
      find={(token, signal) => server.call('POST /api/verify-address/lookup', { body: { token }, signal })}
      another="Sign in and ask for another link on the page of your account."
    >
      {({ email, kind }, token) => <WithAccount email={email} isNew={kind === 'change'} token={token} />}
    </LinkPage>
  )
}

interface Props {
  readonly email: string
  /** The address becomes that of the account. */
  readonly isNew: boolean
  readonly token: string
}

/** Only the owner of the account can verify the address: the reader of the mail may be another person. */
function WithAccount(props: Props) {
  const { email, isNew } = props
  const session = useQuery(sessionQuery)
  if (session.isPending) return <Loading />
  if (session.isError) return <NotLoaded query={session} />
  if (session.data && (isNew || session.data.user.email === email))
    return <Verify {...props} csrf={session.data.csrf} />
  const who = isNew ? ['with the address that you have until now'] : say`as ${email}`
  return (
    <Sheet title="Sign in first" lead={['Sign in ', ...who, ', then open the link in the mail once more.']}>
      <ButtonLink to="/sign-in" label="Sign in" />
      <Quiet>
        You have no account here? Then somebody else entered your address: close the page, and nothing changes.
      </Quiet>
    </Sheet>
  )
}

function Verify({ email, isNew, token, csrf }: Props & { csrf: string }) {
  const queries = useQueryClient()
  const [done, setDone] = useState(false)
  const { submit, busy, error } = useSubmit(async () => {
    await server.call('POST /api/verify-address', { body: { token }, ...withCsrf(csrf) })
    setDone(true)
    await queries.invalidateQueries({ queryKey: ['account'] })
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  })
  if (done) {
    return (
      <Sheet
        outcome="done"
        title={isNew ? 'Your address is changed' : 'Your address is verified'}
        lead={isNew ? say`Sign in with ${email} from now on. All other sessions have ended.` : say`${email}`}
      >
        <ButtonLink to="/console/account" variant="default" label="Go to your account" />
      </Sheet>
    )
  }
  return (
    <Sheet title={isNew ? 'Use this address' : 'Verify your address'} lead={say`${email}`}>
      <ProblemNotice error={error} title={isNew ? 'Your address was not changed' : 'The address is not verified yet'} />
      <MainButton size="md" loading={busy} onClick={() => submit()} label="Yes, this address is mine" />
      <Quiet>You did not ask for this? Close the page: nothing changes.</Quiet>
    </Sheet>
  )
}
