import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { asAssayError, server } from '../api/client.ts'
import { Loading, NotLoaded, ProblemPage } from '../shell/sheet.tsx'
import { ConsentForm } from './consent.tsx'
import { ChooseAccount, SignInFor } from './sign-in-for.tsx'

/** An application asked for access: the server says whether the person must sign in first or decide now. */
export function Component() {
  const { uid = '' } = useParams()
  const interaction = useQuery({
    queryKey: ['interaction', uid],
    queryFn: ({ signal }) => server.call('GET /api/interaction/{uid}', { path: { uid }, signal }),
    // Its csrf value is valid for one visit of the page.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (interaction.isPending) return <Loading />
  if (interaction.isError) {
    const error = asAssayError(interaction.error)
    if (error.status === 404) return <ProblemPage title="This request has ended" error={error} />
    return <NotLoaded query={interaction} />
  }
  switch (interaction.data.kind) {
    case 'login':
      return <SignInFor uid={uid} interaction={interaction.data} />
    case 'select_account':
      return <ChooseAccount uid={uid} interaction={interaction.data} />
    case 'consent':
      return <ConsentForm uid={uid} interaction={interaction.data} />
  }
}
