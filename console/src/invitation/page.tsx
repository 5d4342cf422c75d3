import { Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { type Answer, asAssayError, server, withCsrf } from '../api/client.ts'
import type { Session } from '../api/generated/pages.ts'
import { rememberOrganisation, roleWords } from '../api/organisation.ts'
import { sessionQuery, signIn } from '../api/session.ts'
import { Form, PersonFields, SubmitButton, useFields } from '../shell/form.tsx'
import { Loading, NotLoaded, ProblemPage, Sheet } from '../shell/sheet.tsx'
import { useSubmit } from '../shell/use-session.ts'
import { Said, say, strong } from '../shell/words.ts'

type Invitation = Answer<'POST /v1/invitations/lookup'>

/** Joins an organisation by a link; its secret is after the #, which browsers do not send. */
export function Component() {
  const token = useLocation().hash.slice(1)
  const session = useQuery(sessionQuery)
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => server.call('POST /v1/invitations/lookup', { body: { token }, signal }),
  })
  if (invitation.isPending || session.isPending) return <Loading />
  if (invitation.isError) {
    const error = asAssayError(invitation.error)
    // Unknown, used, withdrawn, expired: a retry changes none of that.
    const { status = 0 } = error
    const ended = status >= 400 && status < 500 && status !== 429
    return ended ? (
      <ProblemPage title="This invitation does not work" error={error} />
    ) : (
      <NotLoaded query={invitation} />
    )
  }
  return <Join token={token} found={invitation.data} session={session.data ?? null} />
}

const NEWCOMER = { email: '', name: '', password: '' }

function Join({ token, found, session }: { token: string; found: Invitation; session: Session | null }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { values, field } = useFields(NEWCOMER)
  const [mailedTo, setMailedTo] = useState<string>()
  const submission = useSubmit(async (person: typeof NEWCOMER | undefined) => {
    const joined = await server.call('POST /v1/invitations/accept', {
      body: { token, ...person },
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
  const { submit, error } = submission
  if (mailedTo !== undefined) {
    return (
      <Sheet
        outcome="done"
        title="Open the link that we mailed you"
        lead={say`We sent a mail to ${strong(mailedTo)}. You join ${found.organisation_name} when you open its link. It works once, for a day.`}
      />
    )
  }
  return (
    <Sheet title={say`Join ${found.organisation_name}`} lead={`Your role would be ${roleWords(found.role)}.`}>
      <Form
        label="Join"
        noValidate={false}
        error={error}
        failed="You have not joined yet"
        onSubmit={() => submit(session ? undefined : { ...values, email: values.email.trim() })}
      >
        {session ? (
          <Text>
            <Said of={say`As ${strong(session.user.email)}.`} />
          </Text>
        ) : (
          <PersonFields field={(name) => ({ ...field(name, error), required: true, withAsterisk: false })} />
        )}
        <SubmitButton submission={submission} label="Join" />
      </Form>
    </Sheet>
  )
}
