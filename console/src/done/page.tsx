import { useSearchParams } from 'react-router'
import { PageLink } from '../shell/page.tsx'
import { Sheet } from '../shell/sheet.tsx'

export function Component() {
  const [search] = useSearchParams()
  const [title, lead, next] = ENDS[search.get('what') ?? ''] ?? [
    'Done',
    'You can close this page.',
    'Go to the console',
  ]
  return (
    <Sheet outcome="done" title={title} lead={lead}>
      <PageLink to={next === undefined ? '/' : '/console'}>{next ?? 'Go to the front page'}</PageLink>
    </Sheet>
  )
}

/** The title, the next step and the link to the console, for each thing that has ended. */
const ENDS: Readonly<Record<string, readonly [title: string, lead: string, next?: string]>> = {
  'signed-out': ['You are signed out', 'You can close this page, or sign in again.', 'Sign in'],
  'signed-in': ['You are still signed in', 'You can close this page.', 'Go to the console'],
  deleted: ['Your account is deleted', 'You can close this page.'],
}
