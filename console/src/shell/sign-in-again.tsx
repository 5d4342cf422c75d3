import { Anchor, Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import type { Credentials } from '../api/page-operations.ts'
import { renewalOf, signIn } from '../api/session.ts'
import { CredentialsForm } from '../sign-in/credentials-form.tsx'
import { useSession } from './use-session.ts'
import { useSubmit } from './use-submit.ts'

/** Over the page of somebody whose session has ended: what they typed stays beneath, and what they asked goes on. */
export function SignInAgain() {
  const queries = useQueryClient()
  const renewal = renewalOf(queries)
  const leave = () => renewal.end(null)
  const { user } = useSession()
  const asked = useSyncExternalStore(renewal.subscribe, renewal.asked)
  // Somebody else who has signed in meanwhile is not asked.
  const ended = asked?.user.id === user.id ? asked : undefined
  const submission = useSubmit(useCallback((credentials: Credentials) => signIn(credentials, queries), [queries]))
  return (
    <Modal
      opened={ended !== undefined}
      onClose={leave}
      title="You were signed out"
      centered
      // Over a dialog that was open when the session ended.
      zIndex={1000}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      // Nobody who finds the screen reads on.
      overlayProps={{ backgroundOpacity: 0.9, blur: 16 }}
      classNames={{ title: 'dialog-title' }}
    >
      <Stack gap="md">
        <Text size="sm">Sign in to go on. What you typed is still here, and nothing was lost.</Text>
        <CredentialsForm submission={submission} emailHint={ended?.user.email ?? null} />
        <Text size="sm">
          <Anchor component="button" type="button" onClick={leave}>
            Leave this page and use another account
          </Anchor>
        </Text>
      </Stack>
    </Modal>
  )
}
