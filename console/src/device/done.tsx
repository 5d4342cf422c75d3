import { Anchor } from '@mantine/core'
import { Link, useSearchParams } from 'react-router'
import { Sheet } from '../shell/sheet.tsx'

export function Component() {
  const [search] = useSearchParams()
  switch (search.get('outcome')) {
    case 'denied':
      return (
        <Sheet
          outcome="refused"
          title="Refused"
          lead="The device was not connected, and has been told so. You can close this page."
        />
      )
    case 'failed':
      return (
        <Sheet
          outcome="failed"
          title="Your device is not connected"
          lead="The code was used already, or too much time has passed. Start again on the device, and type its new code."
        >
          <Anchor component={Link} to="/device">
            Type a code
          </Anchor>
        </Sheet>
      )
    default:
      return (
        <Sheet
          outcome="done"
          title="Your device is connected"
          lead="Go back to it: it goes on by itself within a few seconds. You can close this page."
        />
      )
  }
}
