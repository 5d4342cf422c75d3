import { Modal, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { asAssayError } from '../api/client.ts'
import { beginProof, prove, provingOf } from '../api/proof.ts'
import { renewalOf, signedInAs, signIn } from '../api/session.ts'
import { ProofForm } from '../sign-in/proof-form.tsx'
import { SignInSteps } from '../sign-in/steps.tsx'
import { ButtonLine, ProblemNotice } from './page.tsx'
import { useSession } from './use-session.ts'

/** A dialog over the page before a sensitive change: the change continues after the person has confirmed. */
export function ProveAgain() {
  const proving = provingOf(useQueryClient())
  const asked = useSyncExternalStore(proving.subscribe, proving.asked)
  const leave = () => proving.end('left')
  return (
    <Modal
      opened={asked !== undefined}
      onClose={leave}
      title="Confirm that it is you"
      // Above the dialog that asked for the change.
      zIndex={900}
      closeOnClickOutside={false}
    >
      <Stack gap="md">
        <Text size="sm">
          {asked?.code === 'second_factor_needed'
            ? 'This needs your second factor. Your change continues afterwards.'
            : 'This is a sensitive change, and you signed in some time ago. Your change continues afterwards.'}
        </Text>
        <ProofSteps
          password={asked?.code !== 'second_factor_needed'}
          label="Confirm that it is you"
          onProved={() => proving.end('proved')}
        />
        <ButtonLine label="Cancel the change" onClick={leave} />
      </Stack>
    </Modal>
  )
}

export function ProofSteps(props: { password: boolean; label: string; onProved: () => void }) {
  const queries = useQueryClient()
  const { user } = useSession()
  const begun = useQuery({
    queryKey: ['proof', user.id],
    queryFn: () => beginProof(queries, user.id),
    // A ticket is valid for one proof and for a few minutes.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  if (begun.isError) return <ProblemNotice error={asAssayError(begun.error)} />
  if (!begun.data) return <Skeleton height={120} aria-label="Loading" />
  const { ticket, ways } = begun.data
  return (
    <ProofForm
      label={props.label}
      asked={begun.data}
      ways={
        // Confirm with a second factor if there is one; the password is for people without one.
        props.password && ways.length === 0 ? ['password'] : ways
      }
      onProof={async (proof) => {
        await prove(queries, user.id, ticket, proof)
        props.onProved()
      }}
    />
  )
}

/** A dialog over the page after the session expired: typed text stays in the page, and waiting requests continue. */
export function SignInAgain() {
  const queries = useQueryClient()
  const renewal = renewalOf(queries)
  const leave = () => renewal.end(null)
  const { user } = useSession()
  const asked = useSyncExternalStore(renewal.subscribe, renewal.asked)
  // Do not ask another person who has signed in meanwhile.
  const ended = asked?.user.id === user.id ? asked : undefined
  return (
    <Modal
      opened={ended !== undefined}
      onClose={leave}
      title="You were signed out"
      // Above a dialog that was open when the session expired.
      zIndex={1000}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      // Hides the page from other people who see the screen.
      overlayProps={{ backgroundOpacity: 0.9, blur: 16 }}
    >
      <Stack gap="md">
        <Text size="sm">Sign in to continue. Your input is still here, and nothing was lost.</Text>
        <SignInSteps
          emailHint={ended?.user.email ?? null}
          onCredentials={(credentials) => signIn(credentials, queries)}
          onSession={async (session) => signedInAs(session, queries)}
        />
        <ButtonLine label="Leave this page and use another account" onClick={leave} />
      </Stack>
    </Modal>
  )
}
