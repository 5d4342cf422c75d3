import { PageLink } from '../shell/buttons.tsx'
import { ConsolePage } from '../shell/page.tsx'

/** Inside the console the navigation stays visible. */
export function Component() {
  return (
    <ConsolePage title="There is nothing here" lead="The address may be mistyped, or the page has moved.">
      <PageLink to="/console">Go to the start</PageLink>
    </ConsolePage>
  )
}
