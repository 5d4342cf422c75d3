import { Anchor, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router'
import type { Credentials } from '../api/page-operations.ts'
import { sessionQuery, signIn } from '../api/session.ts'
import { Loading } from '../shell/loading.tsx'
import { Sheet } from '../shell/sheet.tsx'
import { useSubmit } from '../shell/use-submit.ts'
import { CredentialsForm } from './credentials-form.tsx'
import { nextInConsole } from './next.ts'

/** Signing in to the console itself. */
export function Component() {
  const [search] = useSearchParams()
  const next = nextInConsole(search.get('next'), window.location.origin)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const session = useQuery(sessionQuery)
  const submission = useSubmit(
    useCallback(
      async (credentials: Credentials) => {
        await signIn(credentials, queries)
        await navigate(next, { replace: true })
      },
      [queries, navigate, next],
    ),
  )
  if (session.isPending) return <Loading />
  if (session.data) return <Navigate to={next} replace />
  // Whether somebody is signed in already is a courtesy: when it cannot be learned, the form still serves.
  return (
    <Sheet
      title="Sign in"
      lead={search.has('next') ? 'Sign in to go on where you were.' : 'To the console of your organisation.'}
    >
      <CredentialsForm submission={submission} />
      <Text size="sm">
        <Anchor component={Link} to="/forgot-password">
          Forgot password?
        </Anchor>
      </Text>
      <Text size="sm">
        No account yet?{' '}
        <Anchor component={Link} to="/pricing">
          See the plans and prices
        </Anchor>
        .
      </Text>
    </Sheet>
  )
}
