import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { QuietButton } from '../shell/buttons.tsx'

export type Decision = 'allow' | 'deny'

/** Refuse or allow: the chosen button shows progress, and the other one is disabled. */
export function DecisionButtons(props: {
  allowLabel: string
  mayAllow?: boolean
  busy: boolean
  onDecide: (decision: Decision) => void
}) {
  const { busy, mayAllow = true } = props
  const [decision, setDecision] = useState<Decision>()
  const button = (own: Decision) => ({
    size: 'md',
    loading: busy && decision === own,
    disabled: (own === 'allow' && !mayAllow) || (busy && decision !== own),
    onClick: () => {
      setDecision(own)
      props.onDecide(own)
    },
  })
  return (
    <Group grow gap="sm">
      <QuietButton {...button('deny')}>Refuse</QuietButton>
      <Button {...button('allow')}>{props.allowLabel}</Button>
    </Group>
  )
}
