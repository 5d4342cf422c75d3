import { useSearchParams } from 'react-router'
import { Sheet } from '../shell/sheet.tsx'

export function Component() {
  const [search] = useSearchParams()
  return search.get('outcome') === 'denied' ? (
    <Sheet
      outcome="refused"
      title="Refused"
      lead="The device was not connected, and has been told so. You can close this page."
    />
  ) : (
    <Sheet
      outcome="done"
      title="Your device is connected"
      lead="Go back to it: it goes on by itself within a few seconds. You can close this page."
    />
  )
}
