import type { AssayError } from '@assay/sdk'
import { Button, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { ProblemNotice } from './problem-notice.tsx'
import { Said } from './said.tsx'
import type { Submission } from './use-submit.ts'
import type { Words } from './words.ts'

/** A question or an answer over the page. Its content is made anew every time it opens. */
export function Dialog(props: { opened: boolean; title: Words; onClose: () => void; children: ReactNode }) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={<Said of={props.title} />}
      centered
      classNames={{ title: 'dialog-title' }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {props.children}
    </Modal>
  )
}

/** A lost answer tells nothing about the change: the same request again does it once, and tells. */
function outcomeTitle({ outcome }: AssayError): string {
  return outcome === 'unknown'
    ? 'Whether it was done is not known. Do the same again: it is done once'
    : 'Nothing was changed'
}

/** The end of a dialog that asks: what went wrong, and the two answers. */
export function Answers(props: {
  submission: Pick<Submission<never>, 'busy' | 'error'>
  yes: string
  no: string
  /** What cannot be taken back is red. */
  grave?: boolean
  onYes: () => void
  onNo: () => void
}) {
  const { busy, error } = props.submission
  return (
    <Stack gap="md">
      {error ? <ProblemNotice error={error} title={outcomeTitle(error)} /> : null}
      <Group gap="sm" justify="flex-end">
        <Button variant="default" onClick={props.onNo}>
          {props.no}
        </Button>
        <Button {...(props.grave ? { color: 'red.9' } : {})} loading={busy} onClick={props.onYes}>
          {props.yes}
        </Button>
      </Group>
    </Stack>
  )
}
