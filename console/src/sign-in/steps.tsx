import { Stack } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { ONCE, server } from '../api/client.ts'
import type { Credentials, SecondStep, Session } from '../api/generated/pages.ts'
import { askPasskey, filledInPasskey, fillsInPasskeys, knowsPasskeys } from '../api/proof.ts'
import { ButtonLine, ProblemNotice, QuietButton, Status } from '../shell/page.tsx'
import { useSubmit } from '../shell/use-session.ts'
import { CredentialsForm } from './credentials-form.tsx'
import { ProofForm } from './proof-form.tsx'

type PasskeyAnswer = { readonly ticket: string; readonly passkey: unknown }

async function answerWith(ask: (options: unknown) => Promise<unknown>): Promise<PasskeyAnswer> {
  const { ticket, passkey } = await server.call('POST /api/session/passkey/begin', ONCE)
  return { ticket, passkey: await ask(passkey) }
}

/** A request is valid for five minutes, however long the page stays open. */
const ASK_AGAIN_MS = 4 * 60_000

/** Offers the passkeys of this browser in the address field while `waits`, where the browser can. */
function useFilledInPasskey(waits: boolean, onAnswer: (answer: PasskeyAnswer) => void): void {
  const latest = useRef(onAnswer)
  latest.current = onAnswer
  useEffect(() => {
    if (!waits) return
    let ended = false
    async function offer(): Promise<void> {
      if (!(await fillsInPasskeys()) || ended) return
      const answer = await answerWith((options) => (ended ? Promise.reject() : filledInPasskey(options)))
      if (!ended) latest.current(answer)
    }
    // Nobody asked for it: a failure, or a newer request in its place, is not shown.
    const ask = () => void offer().catch(() => {})
    ask()
    const timer = setInterval(ask, ASK_AGAIN_MS)
    return () => {
      ended = true
      clearInterval(timer)
    }
  }, [waits])
}

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
  const byPasskey = useSubmit(async (filledIn?: PasskeyAnswer) => {
    const body = filledIn ?? (await answerWith(askPasskey))
    await props.onSession(await server.call('POST /api/session/passkey', { body, ...ONCE }))
  })
  useFilledInPasskey(step === undefined && !byPasskey.busy, byPasskey.submit)
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
          disabled={byPasskey.waitSeconds > 0}
          of={byPasskey}
          input={undefined}
          label="Use a passkey"
        />
      ) : null}
    </Stack>
  )
}
