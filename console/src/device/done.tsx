import { useSearchParams } from 'react-router'
import { PageLink } from '../shell/page.tsx'
import { Sheet } from '../shell/sheet.tsx'

export function Component() {
  const [search] = useSearchParams()
  const outcome = search.get('outcome')
  if (outcome === 'denied') {
    const lead = 'The device was not connected and has been informed. You can close this page.'
    return <Sheet outcome="refused" title="Refused" lead={lead} />
  }
  if (outcome === 'failed') {
    return (
      <Sheet
        outcome="failed"
        title="Your device is not connected"
        lead="The code was already used, or has expired. Start again on the device, and type its new code."
      >
        <PageLink to="/device">Type a code</PageLink>
      </Sheet>
    )
  }
  const lead = 'Return to the device: it continues automatically within a few seconds. You can close this page.'
  return <Sheet outcome="done" title="Your device is connected" lead={lead} />
}
