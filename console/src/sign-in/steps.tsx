import { Stack } from '@mantine/core'
import { useState } from 'react'
import { ONCE, server } from '../api/client.ts'
import type { Credentials, SecondStep, Session } from '../api/generated/pages.ts'
import { askPasskey, knowsPasskeys } from '../api/proof.ts'
import { ButtonLine, ProblemNotice, QuietButton, Status } from '../shell/page.tsx'
import { useSubmit } from '../shell/use-session.ts'
import { CredentialsForm } from './credentials-form.tsx'
import { ProofForm } from './proof-form.tsx'

/** Signing in on any page: a password, then the second factor if there is one; or a passkey alone. */
export function SignInSteps(props: {
  /** Sends the password; returns the proof that is still missing, if any. */
  onCredentials: (credentials: Credentials) => Promise<SecondStep | undefined>
  onSession: (session: Session) => Promise<void>
  emailHint?: string | null
}) {
  const [step, setStep] = useState<SecondStep['second_factor']>()
  const byPassword = useSubmit(async (credentials: Credentials) =>
    setStep((await props.onCredentials(credentials))?.second_factor),
  )
  const byPasskey = useSubmit(async () => {
    const { ticket, passkey } = await server.call('POST /api/session/passkey/begin', ONCE)
    const body = { ticket, passkey: await askPasskey(passkey) }
    await props.onSession(await server.call('POST /api/session/passkey', { body, ...ONCE }))
  })
  if (step) {
    return (
      <Stack gap="md">
        <Status>Your password is right. Confirm your identity with your second factor.</Status>
        <ProofForm
          label="Second step"
          asked={step}
          ways={step.ways}
          onProof={async (proof) => {
            if ('password' in proof) return
            const body = { ticket: step.ticket, ...proof }
            await props.onSession(await server.call('POST /api/session/second-factor', { body, ...ONCE }))
          }}
        />
        <ButtonLine label="Back" onClick={() => setStep(undefined)} />
      </Stack>
    )
  }
  return (
    <Stack gap="md">
      <CredentialsForm submission={byPassword} emailHint={props.emailHint} />
      <ProblemNotice error={byPasskey.error} />
      {knowsPasskeys() ? (
        <QuietButton
          size="md"
          loading={byPasskey.busy}
          disabled={byPasskey.waitSeconds > 0}
          onClick={() => byPasskey.submit()}
          label="Use a passkey"
        />
      ) : null}
    </Stack>
  )
}
