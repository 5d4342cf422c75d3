import { useQuery } from '@tanstack/react-query'
import { type Session, sessionQuery } from '../api/session.ts'

/** The session, for pages inside the workspace, which shows them only when there is one. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery)
  if (!data) throw new Error('useSession() outside the workspace')
  return data
}
