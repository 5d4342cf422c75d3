import { Button, Stack } from '@mantine/core'
import { useCallback, useState } from 'react'
import type { Interaction } from '../api/generated/pages.ts'
import { goOnTo } from '../api/interaction.ts'
import { leaveTo } from '../shell/leave.ts'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { Sheet } from '../shell/sheet.tsx'
import { useSubmit } from '../shell/use-submit.ts'
import { SignInFor } from './sign-in-for.tsx'

/** The application asked that the person chooses: the account of this browser, or another. */
export function ChooseAccount({ uid, interaction }: { uid: string; interaction: Interaction }) {
  const { csrf, client, user } = interaction
  const [another, setAnother] = useState(user === null)
  const { submit, busy, error } = useSubmit(
    useCallback(async () => leaveTo((await goOnTo(uid, csrf)).redirect_to), [uid, csrf]),
  )
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
      {error ? <ProblemNotice error={error} /> : null}
      <Stack gap="sm">
        <Button size="md" h="auto" mih={42} py={8} loading={busy} onClick={() => submit(undefined)}>
          <span className="wrapping">
            Go on as <bdi>{user.name ?? user.email}</bdi>
            {user.name === null ? null : (
              <>
                {' '}
                (<bdi>{user.email}</bdi>)
              </>
            )}
          </span>
        </Button>
        <Button size="md" variant="default" onClick={() => setAnother(true)} disabled={busy}>
          Another account
        </Button>
      </Stack>
    </Sheet>
  )
}
