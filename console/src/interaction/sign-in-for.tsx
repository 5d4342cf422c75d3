import { Button, Text } from '@mantine/core'
import { useCallback } from 'react'
import { signInTo } from '../api/interaction.ts'
import type { Credentials, Interaction } from '../api/page-operations.ts'
import { leaveTo } from '../shell/leave.ts'
import { Sheet } from '../shell/sheet.tsx'
import { useSubmit } from '../shell/use-submit.ts'
import { CredentialsForm } from '../sign-in/credentials-form.tsx'

/** `back` leads to where somebody who is signed in came from to use another account. */
export function SignInFor({ uid, interaction, back }: { uid: string; interaction: Interaction; back?: () => void }) {
  const { csrf, user } = interaction
  const submission = useSubmit(
    useCallback(
      async (credentials: Credentials) => leaveTo((await signInTo(uid, credentials, csrf)).redirect_to),
      [uid, csrf],
    ),
  )
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
      <CredentialsForm submission={submission} emailHint={back ? null : interaction.login_hint} />
      {back && user ? (
        <Button variant="default" size="md" h="auto" mih={42} py={8} onClick={back} disabled={submission.busy}>
          <span className="wrapping">
            Back, as <bdi>{user.email}</bdi>
          </span>
        </Button>
      ) : null}
    </Sheet>
  )
}
