import { Anchor, type AnchorProps, Button, type ButtonProps, type ElementProps } from '@mantine/core'
import { useState } from 'react'
import { Link, type LinkProps } from 'react-router'

export function PageLink(props: AnchorProps & Pick<LinkProps, 'to' | 'children'>) {
  return <Anchor component={Link} inherit {...props} />
}

/** A link to another page of this app that looks like a button. */
export function ButtonLink(props: ButtonProps & Pick<LinkProps, 'to'>) {
  return <Button component={Link} size="md" {...props} />
}

/** A button beside the one that matters most. */
export function QuietButton(props: ButtonProps & ElementProps<'button', keyof ButtonProps>) {
  return <Button variant="default" {...props} />
}

/** Asks once more before something that cannot be taken back. */
export function SureButton(props: { label: string; sure?: string; busy?: boolean; onSure: () => void }) {
  const { label, sure = `Yes, ${label.charAt(0).toLowerCase()}${label.slice(1)}`, busy = false } = props
  const [asking, setAsking] = useState(false)
  if (!asking) {
    return (
      <QuietButton size="xs" onClick={() => setAsking(true)}>
        {label}
      </QuietButton>
    )
  }
  return (
    <Button
      color="red.9"
      size="xs"
      autoFocus
      loading={busy}
      onBlur={() => setAsking(false)}
      onClick={() => {
        props.onSure()
        setAsking(false)
      }}
    >
      {sure}
    </Button>
  )
}
