import { Button, Text } from '@mantine/core'
import type { Credentials, Interaction, SecondStep } from '../api/generated/pages.ts'
import { goOnTo, signInTo } from '../api/interaction.ts'
import { leaveTo } from '../shell/leave.ts'
import { Sheet } from '../shell/sheet.tsx'
import { SignInSteps } from '../sign-in/steps.tsx'

/** `back` leads to where somebody who is signed in came from to use another account. */
export function SignInFor({ uid, interaction, back }: { uid: string; interaction: Interaction; back?: () => void }) {
  const { csrf, user } = interaction
  async function onCredentials(credentials: Credentials): Promise<SecondStep> {
    const answer = await signInTo(uid, credentials, csrf)
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
        onSession={async () => leaveTo((await goOnTo(uid, csrf)).redirect_to)}
      />
      {back && user ? (
        <Button variant="default" size="md" h="auto" mih={42} py={8} onClick={back}>
          <span className="wrapping">
            Back, as <bdi>{user.email}</bdi>
          </span>
        </Button>
      ) : null}
    </Sheet>
  )
}
