import { ConsolePage, PageLink } from '../shell/page.tsx'

export function Component() {
  return (
    <ConsolePage title="There is nothing here" lead="The address may be wrong, or the page has moved.">
      <PageLink to="/console">Go to the start</PageLink>
    </ConsolePage>
  )
}
