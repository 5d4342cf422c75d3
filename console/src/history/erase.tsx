import { Checkbox, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Answer } from '../api/client.ts'
import { Answers, DialogButton } from '../shell/form.tsx'
import { counted } from '../shell/format.ts'
import { Status } from '../shell/page.tsx'
import { useCall } from '../shell/use-session.ts'
import { Said, say } from '../shell/words.ts'

/** Erases every kept check of an indicator, after a confirmation. The empty list of its checks then says so. */
export function EraseButton({ indicator }: { indicator: string }) {
  const [ownLists, setOwnLists] = useState(false)
  const navigate = useNavigate()
  const done = (useLocation().state as { erasure?: Answer<'POST /v1/checks/erase'> } | null)?.erasure
  const erase = useCall('POST /v1/checks/erase', (erasure) =>
    navigate(`/console/checks?indicator=${encodeURIComponent(indicator)}`, { replace: true, state: { erasure } }),
  )
  return (
    <>
      <DialogButton label="Erase this indicator" title={say`Erase what is kept about ${indicator}?`}>
        <Stack gap="md">
          <Text>
            <Said
              of={say`Every kept check of ${indicator} is erased, with its answer, decision and note, for everybody in the organisation. This cannot be undone. The ledger keeps what the checks cost.`}
            />
          </Text>
          <Checkbox
            checked={ownLists}
            onChange={(event) => setOwnLists(event.currentTarget.checked)}
            label="Also remove it from own lists"
            description="An entry that allows or blocks it, or wants it reviewed, stays otherwise."
          />
          <Answers
            submission={erase}
            yes="Erase it"
            grave
            onYes={() => erase.submit({ body: { indicator, own_lists: ownLists } })}
          />
        </Stack>
      </DialogButton>
      {done ? (
        <Status>
          {counted(done.erased, 'kept check')} erased.
          {done.own_list_entries_erased > 0 ? ' It is no longer on own lists.' : ''}
          {done.own_list_entries > 0 ? ' An own list still names it: erase it again to remove it there, too.' : ''}
        </Status>
      ) : null}
    </>
  )
}
