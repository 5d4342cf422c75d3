import { Button } from '@mantine/core'
import type { Ref } from 'react'
import type { Submission } from './use-submit.ts'

/** Sends a form; says how long to wait after the server asked to wait. */
export function SubmitButton(props: {
  submission: Pick<Submission<never>, 'busy' | 'waitSeconds'>
  label: string
  ref?: Ref<HTMLButtonElement>
  size?: 'md' | 'lg'
  disabled?: boolean
}) {
  const { busy, waitSeconds } = props.submission
  return (
    <Button
      type="submit"
      ref={props.ref}
      size={props.size ?? 'md'}
      loading={busy}
      disabled={props.disabled || waitSeconds > 0}
    >
      {waitSeconds > 0 ? `Try again in ${waitSeconds} s` : props.label}
    </Button>
  )
}
