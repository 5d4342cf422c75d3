import { createContext, useContext } from 'react'
import type { Session } from '../api/generated/pages.ts'

/** Set by the workspace, which shows its pages only while there is a session. */
export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession() outside the workspace')
  return session
}
