import { useSearchParams } from 'react-router'
import { PageLink } from '../shell/page.tsx'
import { Sheet } from '../shell/sheet.tsx'

export function Component() {
  const [search] = useSearchParams()
  const what = search.get('what')
  const signedOut = what === 'signed-out'
  return (
    <Sheet
      outcome="done"
      title={signedOut ? 'You are signed out' : what === 'signed-in' ? 'You are still signed in' : 'Done'}
      lead={signedOut ? 'You can close this page, or sign in again.' : 'You can close this page.'}
    >
      <PageLink to="/console">{signedOut ? 'Sign in' : 'Go to the console'}</PageLink>
    </Sheet>
  )
}
