import { useState } from 'react'
import type { Answer } from '../api/client.ts'
import { Answers, DialogButton } from '../shell/form.tsx'
import { counted } from '../shell/format.ts'
import { Status } from '../shell/page.tsx'
import { useCall } from '../shell/use-session.ts'
import { Said, say } from '../shell/words.ts'

/** Erases every kept check of an indicator, after a confirmation. */
export function EraseButton({ indicator, onErased }: { indicator: string; onErased?: () => void }) {
  const [done, setDone] = useState<Answer<'POST /v1/checks/erase'>>()
  const erase = useCall('POST /v1/checks/erase', (answer) => {
    setDone(answer)
    onErased?.()
  })
  return (
    <>
      <DialogButton label="Erase this indicator" title={say`Erase what is kept about ${indicator}?`}>
        <Answers submission={erase} yes="Erase it" grave onYes={() => erase.submit({ body: { indicator } })}>
          <Said
            of={say`Every kept check of ${indicator} is erased, with its answer, decision and note, for everybody in the organisation. This cannot be undone. The ledger keeps what the checks cost.`}
          />
        </Answers>
      </DialogButton>
      {done ? (
        <Status>
          {counted(done.erased, 'kept check')} erased.
          {done.own_list_entries > 0 ? ' An own list still names it: remove it there, too, if you want.' : ''}
        </Status>
      ) : null}
    </>
  )
}
