import type { AssayError } from '@assay/sdk'
import { Button, Group, Modal, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { QuietButton } from './buttons.tsx'
import { ProblemNotice } from './problem-notice.tsx'
import type { Submission } from './use-change.ts'
import { Said, type Words } from './words.ts'

/** A question or an answer over the page. Its content is created again every time it opens. */
export function Dialog(props: { opened: boolean; title: Words; onClose: () => void; children: ReactNode }) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={<Said of={props.title} />}>
      {props.children}
    </Modal>
  )
}

export function DialogButton(props: {
  label: string
  ariaLabel?: string
  title: Words
  children: (close: () => void) => ReactNode
}) {
  const [opened, setOpened] = useState(false)
  const close = () => setOpened(false)
  return (
    <>
      <QuietButton size="xs" aria-label={props.ariaLabel} onClick={() => setOpened(true)}>
        {props.label}
      </QuietButton>
      <Dialog opened={opened} title={props.title} onClose={close}>
        {props.children(close)}
      </Dialog>
    </>
  )
}

/** A lost answer says nothing about the change: sending the same request again does it once and shows the result. */
function outcomeTitle({ outcome }: AssayError): string {
  return outcome === 'unknown'
    ? 'Whether it was done is not known. Do the same again: it is done once'
    : 'Nothing was changed'
}

/** The footer of a dialog that asks: the error, and the two answers. */
export function Answers(props: {
  submission: Pick<Submission<never>, 'busy' | 'error'>
  yes: string
  no: string
  /** The action cannot be undone: the button is red. */
  grave?: boolean
  onYes: () => void
  onNo: () => void
}) {
  const { busy, error } = props.submission
  return (
    <Stack gap="md">
      <ProblemNotice error={error} title={error && outcomeTitle(error)} />
      <Group gap="sm" justify="flex-end">
        <QuietButton onClick={props.onNo}>{props.no}</QuietButton>
        <Button {...(props.grave ? { color: 'red.9' } : {})} loading={busy} onClick={props.onYes}>
          {props.yes}
        </Button>
      </Group>
    </Stack>
  )
}
