import { Anchor, Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import type { Credentials } from '../api/page-operations.ts'
import { renewalOf } from '../api/session.ts'
import { CredentialsForm } from '../sign-in/credentials-form.tsx'
import { useSubmit } from './use-submit.ts'

/** Over the page of somebody whose session has ended: what they typed stays beneath, and what they asked goes on. */
export function SignInAgain() {
  const renewal = renewalOf(useQueryClient())
  const ended = useSyncExternalStore(renewal.subscribe, renewal.asked)
  const submission = useSubmit(useCallback((credentials: Credentials) => renewal.signInAgain(credentials), [renewal]))
  return (
    <Modal
      opened={ended !== undefined}
      onClose={renewal.leave}
      title="You were signed out"
      centered
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
          <Anchor component="button" type="button" onClick={renewal.leave}>
            Leave this page and use another account
          </Anchor>
        </Text>
      </Stack>
    </Modal>
  )
}
