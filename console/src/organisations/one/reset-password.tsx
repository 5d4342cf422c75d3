import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { OneOrganisation } from '../../api/generated/pages.ts'
import { Answers } from '../../shell/dialog.tsx'
import { Secret } from '../../shell/secret.tsx'
import { useChange } from '../../shell/use-change.ts'
import { useSession } from '../../shell/use-session.ts'
import { say } from '../../shell/words.ts'
import type { ActProps } from './acts.ts'

/** A new password for somebody who lost theirs, to hand over by another way than email. */
export function ResetPassword(props: ActProps & { member: OneOrganisation['members'][number] }) {
  const { member, onClose } = props
  const { user } = useSession()
  const [password, setPassword] = useState<string>()
  const change = useChange(async (api, id: string, idempotencyKey) => {
    const path = { person_id: id }
    const answer = await api.call('POST /api/operator/people/{person_id}/reset-password', {
      path,
      body: {},
      idempotencyKey,
    })
    setPassword(answer.password)
  })
  if (password !== undefined) {
    return (
      <Stack gap="md">
        <Secret
          label={say`New password of ${member.name}`}
          value={password}
          words={say`Shown this once. Hand it to ${member.email} in a way only they can read.`}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Done
          </Button>
        </Group>
      </Stack>
    )
  }
  return (
    <Stack gap="md">
      <Text>
        <bdi>{member.name}</bdi>, <bdi>{member.email}</bdi>, gets a new password, which is shown here once. From that
        moment the old one does not work, every session of theirs ends, and so does what applications were allowed to do
        for them, in each of their organisations.
        {member.id === user.id ? ' That is you: you are signed out as well.' : ''}
      </Text>
      <Answers
        submission={change}
        yes="Make a new password"
        no="Leave it"
        grave
        onYes={() => change.submit(member.id)}
        onNo={onClose}
      />
    </Stack>
  )
}
