import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { Sheet } from '../shell/sheet.tsx'

export function Component() {
  return (
    <Sheet title="There is nothing here" lead="The address may be mistyped, or the page has moved.">
      <Anchor component={Link} to="/console">
        Go to the console
      </Anchor>
    </Sheet>
  )
}
