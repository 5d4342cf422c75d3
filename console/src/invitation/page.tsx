import type { AssayError } from '@assay/sdk'
import { Alert, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { type Answer, asAssayError, ONCE, server, withCsrf } from '../api/client.ts'
import type { Session } from '../api/generated/pages.ts'
import { type Offer, offerQuery, rememberOrganisation, roleWords } from '../api/organisation.ts'
import { sessionQuery, signedInAs, signIn, signOut } from '../api/session.ts'
import { IncompleteLink } from '../links/link-page.tsx'
import { Terms } from '../pricing/terms.tsx'
import { Form, PersonFields, SubmitButton, useFields } from '../shell/form.tsx'
import { day } from '../shell/format.ts'
import { LinkLine, MainButton, ProblemNotice, problemAt, QuietButton } from '../shell/page.tsx'
import { Loading, NotLoaded, Sheet } from '../shell/sheet.tsx'
import { useSubmit } from '../shell/use-session.ts'
import { Said, say, strong } from '../shell/words.ts'
import { SignInSteps } from '../sign-in/steps.tsx'

type Invitation = Answer<'POST /v1/invitations/lookup'>

/** Joins an organisation by a link; its secret is after the #, which browsers do not send. */
export function Component() {
  const token = useLocation().hash.slice(1)
  const session = useQuery(sessionQuery)
  const offer = useQuery(offerQuery)
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => server.call('POST /v1/invitations/lookup', { body: { token }, signal }),
    enabled: token !== '',
  })
  if (token === '') return <IncompleteLink />
  if (invitation.isPending || session.isPending || offer.isPending) return <Loading />
  if (invitation.isError) {
    const error = asAssayError(invitation.error)
    // Unknown, used, withdrawn, expired: a retry changes none of that.
    const { status = 0 } = error
    const ended = status >= 400 && status < 500 && status !== 429
    return ended ? <Ended token={token} error={error} /> : <NotLoaded query={invitation} />
  }
  if (offer.isError) return <NotLoaded query={offer} />
  return <Join token={token} found={invitation.data} offer={offer.data} session={session.data ?? null} />
}

/** The addressee of one that has ended may ask the inviter for another. */
function Ended({ token, error }: { token: string; error: AssayError }) {
  const [asked, setAsked] = useState<Answer<'POST /v1/invitations/ask'>>()
  const ask = useSubmit(async () =>
    setAsked(await server.call('POST /v1/invitations/ask', { body: { token }, ...ONCE })),
  )
  if (asked) {
    const { inviter } = asked
    const lead = say`We told ${inviter === null ? 'the owners' : strong(inviter)}. A new invitation comes to your address.`
    return <Sheet outcome="done" title="You asked for a new invitation" lead={lead} />
  }
  return (
    <Sheet outcome="failed" title="This invitation does not work">
      <ProblemNotice error={ask.error ?? error} />
      {error.errors.some(({ code }) => code === 'ended') ? (
        <MainButton size="md" of={ask} label="Ask for a new one" />
      ) : null}
      <LinkLine to="/console" label="Sign in" />
    </Sheet>
  )
}

const NEWCOMER = { email: '', name: '', password: '' }

interface JoinProps {
  readonly token: string
  readonly found: Invitation
  readonly offer: Offer
  readonly session: Session | null
}

function Join({ token, found, offer, session }: JoinProps) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { email: addressee, has_account, organisation_name: organisation } = found
  const [hasAccount, setHasAccount] = useState(has_account ?? false)
  const [mailedTo, setMailedTo] = useState<string>()
  const { values, field } = useFields({ ...NEWCOMER, email: addressee ?? '' })
  const [accepted, setAccepted] = useState(false)
  const submission = useSubmit(async (person: typeof NEWCOMER | undefined) => {
    const joined = await server.call('POST /v1/invitations/accept', {
      body: { token, ...person, ...(person && offer.terms && { accept_terms: accepted }) },
      ...(session ? withCsrf(session.csrf) : {}),
    })
    if ('confirm_email' in joined) {
      setMailedTo(person?.email)
      return
    }
    rememberOrganisation(joined.organisation.id)
    if (person) await signIn(person, queries)
    else await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    await navigate('/console', { replace: true })
  })
  const leave = useSubmit(async () => {
    await signOut(queries)
    setHasAccount(true)
  })
  const { submit, error } = submission
  if (mailedTo !== undefined) {
    return (
      <Sheet
        outcome="done"
        title="Open the link that we mailed you"
        lead={say`We sent a mail to ${strong(mailedTo)}. You join ${organisation} when you open its link. It works once, for a day.`}
      />
    )
  }
  const lead = say`${found.inviter} invites ${addressee === null ? 'you' : strong(addressee)} to join as ${roleWords(found.role)}. The link works until ${day(found.expires_at)}.`
  const anotherAccount = <QuietButton of={leave} label="Use another account" />
  const isOther = session !== null && addressee !== null && !isSameAddress(session.user.email, addressee)
  return (
    <Sheet title={say`Join ${organisation}`} lead={lead}>
      {isOther ? (
        <>
          <Alert role="alert" title="You are signed in with another address">
            <Said of={say`You are ${strong(session.user.email)}; this invitation is for ${strong(addressee)}.`} />
          </Alert>
          {anotherAccount}
        </>
      ) : session ? (
        <Form label="Join" error={error} failed="You have not joined yet" onSubmit={() => submit(undefined)}>
          <Text>
            <Said of={say`As ${strong(session.user.email)}.`} />
          </Text>
          <SubmitButton submission={submission} label="Join" />
          {anotherAccount}
        </Form>
      ) : hasAccount ? (
        <>
          <SignInSteps
            onCredentials={(credentials) => signIn(credentials, queries)}
            onSession={async (signedIn) => signedInAs(signedIn, queries)}
          />
          <QuietButton onClick={() => setHasAccount(false)} label="I have no account yet" />
        </>
      ) : (
        <Form
          label="Join"
          noValidate={false}
          error={error}
          failed="You have not joined yet"
          onSubmit={() => submit({ ...values, email: values.email.trim() })}
        >
          <PersonFields
            field={(name) => ({
              ...field(name, error),
              required: true,
              withAsterisk: false,
              ...(name === 'email' && addressee !== null && { readOnly: true }),
            })}
          />
          <Terms
            offer={offer}
            required
            checked={accepted}
            onChange={(event) => setAccepted(event.currentTarget.checked)}
            error={problemAt(error, 'accept_terms')}
          />
          <SubmitButton submission={submission} label="Join" />
          <QuietButton onClick={() => setHasAccount(true)} label="Sign in instead" />
        </Form>
      )}
    </Sheet>
  )
}

const isSameAddress = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
