import { Text } from '@mantine/core'
import { useState } from 'react'
import type { Body } from '../api/client.ts'
import { Answers, DialogButton } from '../shell/form.tsx'
import { counted } from '../shell/format.ts'
import { Status } from '../shell/page.tsx'
import { useChange } from '../shell/use-session.ts'
import { Said, say } from '../shell/words.ts'

/** Erases every kept check of an indicator, after a confirmation. */
export function EraseButton({ indicator, done }: { indicator: string; done?: () => void }) {
  const [erased, setErased] = useState<number>()
  const erase = useChange(async (own, body: Body<'POST /v1/checks/erase'>, idempotencyKey) => {
    const answer = await own.call('POST /v1/checks/erase', { body, idempotencyKey })
    setErased(answer.erased)
    done?.()
  })
  return (
    <>
      <DialogButton label="Erase this indicator" title={say`Erase what is kept about ${indicator}?`}>
        {(close) => (
          <>
            <Text mb="md">
              <Said
                of={say`Every kept check of ${indicator} is erased, with its answer, decision and note, for everybody in the organisation. This cannot be undone. The ledger keeps what the checks cost.`}
              />
            </Text>
            <Answers submission={erase} yes="Erase it" grave onYes={() => erase.submit({ indicator })} onNo={close} />
          </>
        )}
      </DialogButton>
      {erased === undefined ? null : <Status>{counted(erased, 'kept check')} erased.</Status>}
    </>
  )
}
