import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { Link, type LinkProps } from 'react-router'

export function PageLink(props: AnchorProps & Pick<LinkProps, 'to' | 'children'>) {
  return <Anchor component={Link} inherit {...props} />
}

/** A link to another page of this app that looks like a button. */
export function ButtonLink(props: ButtonProps & Pick<LinkProps, 'to'>) {
  return <Button component={Link} size="md" {...props} />
}
