import { useSearchParams } from 'react-router'
import { PageLink } from '../shell/page.tsx'
import { Sheet } from '../shell/sheet.tsx'

export function Component() {
  const [search] = useSearchParams()
  const outcome = search.get('outcome')
  if (outcome === 'denied') {
    const lead = 'The device was not connected, and has been told so. You can close this page.'
    return <Sheet outcome="refused" title="Refused" lead={lead} />
  }
  if (outcome === 'failed') {
    return (
      <Sheet
        outcome="failed"
        title="Your device is not connected"
        lead="The code was used already, or too much time has passed. Start again on the device, and type its new code."
      >
        <PageLink to="/device">Type a code</PageLink>
      </Sheet>
    )
  }
  const lead = 'Go back to it: it goes on by itself within a few seconds. You can close this page.'
  return <Sheet outcome="done" title="Your device is connected" lead={lead} />
}
