import { Text } from '@mantine/core'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { asAssayError } from '../api/client.ts'
import { ProblemNotice } from '../shell/page.tsx'
import { Loading, NotLoaded, Sheet } from '../shell/sheet.tsx'

export function IncompleteLink({ children }: { children?: ReactNode }) {
  return (
    <Sheet outcome="failed" title="This link is not complete" lead="Open it from the mail, or copy all of it.">
      {children}
    </Sheet>
  )
}

/** The secret is after the #, which browsers do not send. Opening changes nothing: mail scanners open every link. */
export function LinkPage<Linked>(props: {
  kind: string
  find: (token: string, signal: AbortSignal) => Promise<Linked>
  another: ReactNode
  children: (found: Linked, token: string) => ReactNode
}) {
  const token = useLocation().hash.slice(1)
  const link: UseQueryResult<Linked> = useQuery({
    queryKey: ['link', props.kind, token],
    queryFn: ({ signal }) => props.find(token, signal),
    enabled: token !== '',
  })
  const another = <Text size="sm">{props.another}</Text>
  if (token === '') return <IncompleteLink>{another}</IncompleteLink>
  if (link.isPending) return <Loading />
  if (link.isError) {
    const error = asAssayError(link.error)
    if (error.status !== 404 && error.status !== 422) return <NotLoaded query={link} />
    // Unknown, used, replaced, expired: a retry changes none of that.
    return (
      <Sheet outcome="failed" title="This link does not work any more">
        <ProblemNotice error={error} />
        {another}
      </Sheet>
    )
  }
  return props.children(link.data, token)
}
