import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { leaveTo, server, withCsrf } from '../api/client.ts'
import type { Credentials, GoOn, Interaction, SecondStep } from '../api/generated/pages.ts'
import { MainButton, ProblemNotice, QuietButton } from '../shell/page.tsx'
import { Sheet } from '../shell/sheet.tsx'
import { useSubmit } from '../shell/use-session.ts'
import { say, strong } from '../shell/words.ts'
import { SignInSteps } from '../sign-in/steps.tsx'
import { Person } from './asker.tsx'

/** Signs in for an application; without credentials it continues with the browser's session. */
async function login(uid: string, csrf: string, body: Credentials | Record<string, never>): Promise<GoOn | SecondStep> {
  return server.call('POST /api/interaction/{uid}/login', { path: { uid }, body, ...withCsrf(csrf) })
}

async function goOnTo(uid: string, csrf: string): Promise<never> {
  const answer = await login(uid, csrf, {})
  if ('second_factor' in answer) throw new Error('a session was asked for a second factor')
  return leaveTo(answer.redirect_to)
}

/** `back` returns a signed-in person who came here to use another account. */
export function SignInFor({ uid, interaction, back }: { uid: string; interaction: Interaction; back?: () => void }) {
  const { csrf, user } = interaction
  async function onCredentials(credentials: Credentials): Promise<SecondStep> {
    const answer = await login(uid, csrf, credentials)
    return 'second_factor' in answer ? answer : leaveTo(answer.redirect_to)
  }
  return (
    <Sheet
      title={back ? 'Use another account' : 'Sign in'}
      lead={say`To go on to ${strong(interaction.client.name)}. It never sees your password.`}
    >
      {back && user ? (
        <Text size="sm">
          Signing in as somebody else signs <bdi>{user.email}</bdi> out of this browser. Until then nothing changes.
        </Text>
      ) : null}
      <SignInSteps
        emailHint={back ? null : interaction.login_hint}
        onCredentials={onCredentials}
        onSession={() => goOnTo(uid, csrf)}
      />
      {back && user ? (
        <QuietButton size="md" h="auto" mih={42} py={8} onClick={back}>
          <span className="wrapping">
            Back, as <bdi>{user.email}</bdi>
          </span>
        </QuietButton>
      ) : null}
    </Sheet>
  )
}

/** The application asked for a choice of account: the account of this browser, or another. */
export function ChooseAccount({ uid, interaction }: { uid: string; interaction: Interaction }) {
  const { csrf, client, user } = interaction
  const [another, setAnother] = useState(user === null)
  const { submit, busy, error } = useSubmit(() => goOnTo(uid, csrf))
  if (user === null) return <SignInFor uid={uid} interaction={interaction} />
  if (another) return <SignInFor uid={uid} interaction={interaction} back={() => setAnother(false)} />
  return (
    <Sheet title="Choose an account" lead={say`To go on to ${strong(client.name)}.`}>
      <ProblemNotice error={error} />
      <Stack gap="sm">
        <MainButton size="md" h="auto" mih={42} py={8} loading={busy} onClick={() => submit()}>
          <span className="wrapping">
            Go on as <Person user={user} />
          </span>
        </MainButton>
        <QuietButton size="md" onClick={() => setAnother(true)} disabled={busy} label="Another account" />
      </Stack>
    </Sheet>
  )
}
