import { useSearchParams } from 'react-router'
import { PageLink } from '../shell/page.tsx'
import { Sheet } from '../shell/sheet.tsx'

type End = readonly [title: string, lead: string, link: string]

const DONE: End = ['Done', 'You can close this page.', 'Go to the console']

const ENDS: ReadonlyMap<string | null, End> = new Map<string | null, End>([
  ['signed-out', ['You are signed out', 'You can close this page, or sign in again.', 'Sign in']],
  ['signed-in', ['You are still signed in', 'You can close this page.', 'Go to the console']],
])

export function Component() {
  const [search] = useSearchParams()
  const [title, lead, link] = ENDS.get(search.get('what')) ?? DONE
  return (
    <Sheet outcome="done" title={title} lead={lead}>
      <PageLink to="/console">{link}</PageLink>
    </Sheet>
  )
}
