import { Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { sessionQuery, signedInAs, signIn } from '../api/session.ts'
import { LinkLine, PageLink } from '../shell/page.tsx'
import { Loading, Sheet } from '../shell/sheet.tsx'
import { nextInConsole } from './next.ts'
import { SignInSteps } from './steps.tsx'

export function Component() {
  const [search] = useSearchParams()
  const next = nextInConsole(search.get('next'), window.location.origin)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const session = useQuery(sessionQuery)
  if (session.isPending) return <Loading />
  if (session.data) return <Navigate to={next} replace />
  // When the session cannot be read, the form still works.
  return (
    <Sheet title="Sign in" lead={search.has('next') ? 'Sign in to continue.' : 'To the console of your organisation.'}>
      <SignInSteps
        onCredentials={async (credentials) => {
          const step = await signIn(credentials, queries)
          if (!step) await navigate(next, { replace: true })
          return step
        }}
        onSession={async (signedIn) => {
          signedInAs(signedIn, queries)
          await navigate(next, { replace: true })
        }}
      />
      <LinkLine to="/forgot-password" label="Forgot password?" />
      <Text size="sm">
        No account yet? <PageLink to="/pricing">See the plans and prices</PageLink>.
      </Text>
    </Sheet>
  )
}
