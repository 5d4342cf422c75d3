import { signInTo } from '../api/interaction.ts'
import type { Credentials, Interaction, SecondStep } from '../api/page-operations.ts'
import { leaveTo } from '../shell/leave.ts'
import { Sheet } from '../shell/sheet.tsx'
import { SignInSteps } from '../sign-in/steps.tsx'

export function SignInFor({ uid, interaction }: { uid: string; interaction: Interaction }) {
  const { csrf } = interaction
  /** Goes on with this sign-in, or with the session that the browser has by now. */
  async function goOn(credentials: Credentials | Record<never, never>): Promise<SecondStep | undefined> {
    const answer = await signInTo(uid, credentials, csrf)
    if ('second_factor' in answer) return answer
    leaveTo(answer.redirect_to)
    return undefined
  }
  return (
    <Sheet
      title="Sign in"
      lead={
        <>
          To go on to <strong>{interaction.client.name}</strong>. It never sees your password.
        </>
      }
    >
      <SignInSteps
        emailHint={interaction.login_hint}
        onCredentials={goOn}
        onSession={async () => void (await goOn({}))}
      />
    </Sheet>
  )
}
