import type { AssayError } from '@assay/sdk'
import { Group, Modal, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { MainButton, ProblemNotice, QuietButton } from './page.tsx'
import type { Submission } from './use-session.ts'
import { Said, type Words } from './words.ts'

/** Open while there is something to ask or to show. Its content is created again every time it opens. */
export function Dialog<About>(props: {
  about: About | undefined
  title: (about: About) => Words
  onClose: () => void
  children: (about: About) => ReactNode
}) {
  const { about, onClose } = props
  const isOpen = about !== undefined
  return (
    <Modal opened={isOpen} onClose={onClose} title={isOpen ? <Said of={props.title(about)} /> : ''}>
      {isOpen ? props.children(about) : null}
    </Modal>
  )
}

export function DialogButton(props: {
  label: string
  ariaLabel?: string
  title: Words
  children: (close: () => void) => ReactNode
}) {
  const [opened, setOpened] = useState<true>()
  const close = () => setOpened(undefined)
  return (
    <>
      <QuietButton size="xs" aria-label={props.ariaLabel} onClick={() => setOpened(true)} label={props.label} />
      <Dialog about={opened} title={() => props.title} onClose={close}>
        {() => props.children(close)}
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

export function Answers(props: {
  submission: Pick<Submission<never>, 'busy' | 'error'>
  yes: string
  no?: string
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
        <QuietButton onClick={props.onNo} label={props.no ?? 'Leave it'} />
        <MainButton
          {...(props.grave ? { color: 'red.9' } : {})}
          loading={busy}
          onClick={props.onYes}
          label={props.yes}
        />
      </Group>
    </Stack>
  )
}
