import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import type { Interaction } from '../api/page-operations.ts'
import { QuietButton } from '../shell/buttons.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { Sheet } from '../shell/sheet.tsx'
import { useSubmit } from '../shell/use-change.ts'
import { Person } from './asker.tsx'
import { goOnTo, SignInFor } from './sign-in-for.tsx'

/** The application asked that the person chooses: the account of this browser, or another. */
export function ChooseAccount({ uid, interaction }: { uid: string; interaction: Interaction }) {
  const { csrf, client, user } = interaction
  const [another, setAnother] = useState(user === null)
  const { submit, busy, error } = useSubmit(() => goOnTo(uid, csrf))
  if (user === null) return <SignInFor uid={uid} interaction={interaction} />
  if (another) return <SignInFor uid={uid} interaction={interaction} back={() => setAnother(false)} />
  return (
    <Sheet
      title="Choose an account"
      lead={
        <>
          To go on to{' '}
          <strong>
            <bdi>{client.name}</bdi>
          </strong>
          .
        </>
      }
    >
      <ProblemNotice error={error} />
      <Stack gap="sm">
        <Button size="md" h="auto" mih={42} py={8} loading={busy} onClick={() => submit()}>
          <span className="wrapping">
            Go on as <Person user={user} />
          </span>
        </Button>
        <QuietButton size="md" onClick={() => setAnother(true)} disabled={busy}>
          Another account
        </QuietButton>
      </Stack>
    </Sheet>
  )
}
