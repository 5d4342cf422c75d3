import { Text } from '@mantine/core'
import { server, withCsrf } from '../api/client.ts'
import type { Credentials, GoOn, Interaction, SecondStep } from '../api/page-operations.ts'
import { QuietButton } from '../shell/buttons.tsx'
import { leaveTo } from '../shell/leave.ts'
import { Sheet } from '../shell/sheet.tsx'
import { SignInSteps } from '../sign-in/steps.tsx'

/** Signs in for an application; without credentials it goes on with the session that the browser has. */
async function login(uid: string, csrf: string, body: Credentials | Record<string, never>): Promise<GoOn | SecondStep> {
  return server.call('POST /api/interaction/{uid}/login', { path: { uid }, body, ...withCsrf(csrf) })
}

export async function goOnTo(uid: string, csrf: string): Promise<never> {
  const answer = await login(uid, csrf, {})
  if ('second_factor' in answer) throw new Error('a session was asked for a second factor')
  return leaveTo(answer.redirect_to)
}

/** `back` leads to where somebody who is signed in came from to use another account. */
export function SignInFor({ uid, interaction, back }: { uid: string; interaction: Interaction; back?: () => void }) {
  const { csrf, user } = interaction
  async function onCredentials(credentials: Credentials): Promise<SecondStep> {
    const answer = await login(uid, csrf, credentials)
    return 'second_factor' in answer ? answer : leaveTo(answer.redirect_to)
  }
  return (
    <Sheet
      title={back ? 'Use another account' : 'Sign in'}
      lead={
        <>
          To go on to{' '}
          <strong>
            <bdi>{interaction.client.name}</bdi>
          </strong>
          . It never sees your password.
        </>
      }
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
