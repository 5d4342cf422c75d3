import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { Heading } from '../shell/heading.tsx'

/** The same inside the console, where its navigation stays in sight. */
export function Component() {
  return (
    <Stack gap="sm">
      <Heading>There is nothing here</Heading>
      <Text c="dimmed">The address may be mistyped, or the page has moved.</Text>
      <Anchor component={Link} to="/console">
        Go to the start
      </Anchor>
    </Stack>
  )
}
