import { Anchor, Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { renewalOf, signedInAs, signIn } from '../api/session.ts'
import { SignInSteps } from '../sign-in/steps.tsx'
import { useSession } from './use-session.ts'

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
