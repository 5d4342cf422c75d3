import { PageLink } from '../shell/page.tsx'
import { Sheet } from '../shell/sheet.tsx'

export function Component() {
  return (
    <Sheet title="There is nothing here" lead="The address may be wrong, or the page has moved.">
      <PageLink to="/console">Go to the console</PageLink>
    </Sheet>
  )
}
