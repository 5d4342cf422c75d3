import { useCallback } from 'react'
import { signInTo } from '../api/interaction.ts'
import type { Credentials, Interaction } from '../api/page-operations.ts'
import { leaveTo } from '../shell/leave.ts'
import { Sheet } from '../shell/sheet.tsx'
import { useSubmit } from '../shell/use-submit.ts'
import { CredentialsForm } from '../sign-in/credentials-form.tsx'

export function SignInFor({ uid, interaction }: { uid: string; interaction: Interaction }) {
  const { csrf } = interaction
  const submission = useSubmit(
    useCallback(
      async (credentials: Credentials) => leaveTo((await signInTo(uid, credentials, csrf)).redirect_to),
      [uid, csrf],
    ),
  )
  return (
    <Sheet
      title="Sign in"
      lead={
        <>
          To go on to <strong>{interaction.client.name}</strong>. It never sees your password.
        </>
      }
    >
      <CredentialsForm submission={submission} emailHint={interaction.login_hint} />
    </Sheet>
  )
}
