import { Text } from '@mantine/core'
import type { OperatorWord } from '../../api/generated/pages.ts'
import { Answers } from '../../shell/dialog.tsx'
import { useChange } from '../../shell/use-change.ts'
import type { ActProps } from './acts.ts'
import { ACTS } from './words.ts'

/** One of the operator's words about an organisation. */
export function SayWord({ word, organisation, onClose, onDone }: ActProps & { word: OperatorWord }) {
  const { label, effect, done, grave } = ACTS[word]
  const change = useChange(async (api, id: string, idempotencyKey) => {
    const { state, state_reason: reason } = await api.call(
      `POST /api/operator/organisations/{organisation_id}/${word}`,
      {
        path: { organisation_id: id },
        body: {},
        idempotencyKey,
      },
    )
    const still =
      grave || state === 'active' ? '' : ` Its checks are still refused (${(reason ?? state).replaceAll('_', ' ')}).`
    onDone(`${done}${still}`)
  })
  return (
    <>
      <Text mb="lg">{effect(organisation)}</Text>
      <Answers
        submission={change}
        yes={label}
        no="Leave it"
        {...(grave ? { grave } : {})}
        onYes={() => change.submit(organisation.id)}
        onNo={onClose}
      />
    </>
  )
}
