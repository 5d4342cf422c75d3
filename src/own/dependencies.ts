import type { Role } from '../access/roles.ts'
import type { OperationDependencies } from '../http/operation.ts'

/** A checker has no `organisation:read`, but must see what decided a check. */
const READERS: readonly Role[] = ['checker']
export const READING = { scope: 'organisation:read', roles: READERS } as const
export const WRITING = { scope: 'organisation:write' } as const

export interface OwnDependencies extends OperationDependencies {
  /** Called after the commit, so that every node reads the organisation's knowledge again. */
  readonly onOwnChanged: (organisationId: string) => Promise<void>
}
