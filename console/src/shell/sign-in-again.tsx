import { Anchor, Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { renewalOf, signedInAs, signIn } from '../api/session.ts'
import { SignInSteps } from '../sign-in/steps.tsx'
import { useSession } from './use-session.ts'

/** Over the page of somebody whose session has ended: what they typed stays beneath, and what they asked goes on. */
export function SignInAgain() {
  const queries = useQueryClient()
  const renewal = renewalOf(queries)
  const leave = () => renewal.end(null)
  const { user } = useSession()
  const asked = useSyncExternalStore(renewal.subscribe, renewal.asked)
  // Somebody else who has signed in meanwhile is not asked.
  const ended = asked?.user.id === user.id ? asked : undefined
  return (
    <Modal
      opened={ended !== undefined}
      onClose={leave}
      title="You were signed out"
      // Over a dialog that was open when the session ended.
      zIndex={1000}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      // Nobody who finds the screen reads on.
      overlayProps={{ backgroundOpacity: 0.9, blur: 16 }}
    >
      <Stack gap="md">
        <Text size="sm">Sign in to go on. What you typed is still here, and nothing was lost.</Text>
        <SignInSteps
          emailHint={ended?.user.email ?? null}
          onCredentials={(credentials) => signIn(credentials, queries)}
          onSession={async (session) => signedInAs(session, queries)}
        />
        <Text size="sm">
          <Anchor component="button" type="button" onClick={leave}>
            Leave this page and use another account
          </Anchor>
        </Text>
      </Stack>
    </Modal>
  )
}
