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

/** A secondary button. */
export function QuietButton(props: ButtonProps & ElementProps<'button', keyof ButtonProps>) {
  return <Button variant="default" {...props} />
}

/** Asks for confirmation before an action that cannot be undone. */
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
