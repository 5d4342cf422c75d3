import { AssayError, ROLES, SCOPES } from '@assay/sdk'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Context, createContext, useContext, useEffect, useId, useMemo, useRef, useState } from 'react'
import { type Answer, asAssayError, type Server, serverFor } from '../api/client.ts'
import type { Membership, Session } from '../api/generated/pages.ts'
import {
  type ListName,
  listQuery,
  newRequestKey,
  type OrganisationApi,
  organisationApi,
  type ReadName,
  readQuery,
  type Wanted,
} from '../api/organisation.ts'
import { withProof } from '../api/proof.ts'
import { sessionCredential } from '../api/session.ts'

/** Set by the workspace, which shows its pages only while there is a session. */
export const SessionContext = createContext<Session | undefined>(undefined)

export const OrganisationContext = createContext<Membership | undefined>(undefined)

function useWorkspace<Value>(context: Context<Value | undefined>): Value {
  const value = useContext(context)
  if (!value) throw new Error('used outside the workspace')
  return value
}

export const useSession = () => useWorkspace(SessionContext)
export const useOrganisation = () => useWorkspace(OrganisationContext)

/** An operator who is no member has only the operator's pages, which need no organisation. */
export function useApi(): OrganisationApi {
  const id = useContext(OrganisationContext)?.id ?? ''
  const { user } = useSession()
  const queries = useQueryClient()
  return useMemo(() => organisationApi(id, user.id, queries), [id, user.id, queries])
}

/** For requests about the person alone. Sensitive ones wait until the person has confirmed who they are. */
export function useOwnApi(): Pick<Server, 'call' | 'callForFile'> {
  const { user } = useSession()
  const queries = useQueryClient()
  return useMemo(() => {
    const server = serverFor(sessionCredential(queries, user.id))
    return {
      call: (name, options) => withProof(queries, () => server.call(name, options)),
      callForFile: (name, type, options) => withProof(queries, () => server.callForFile(name, type, options)),
    }
  }, [user.id, queries])
}

/** Data of the organisation: every change reads it again. */
export const useRead: <Name extends ReadName>(name: Name, wanted?: Wanted<Name>) => UseQueryResult<Answer<Name>> = (
  name,
  wanted,
) => useQuery(readQuery(useApi(), name, wanted))

export const useList = <Name extends ListName>(name: Name) => useQuery(listQuery(useApi(), name))

/** The rights of the role. The server decides; this only hides actions that it would refuse. */
export function useRights() {
  const { makesKeys, scopes } = ROLES[useOrganisation().role]
  const own = scopes.split(' ')
  const bound = (scope: string) => Object.hasOwn(SCOPES, scope) && SCOPES[scope as keyof typeof SCOPES].apiKey
  const has = (scope: string) => own.includes(scope)
  /** True when a key or application created by this role can have the scope. */
  const mayGive = (scope: string) => has(scope) || !bound(scope)
  /** True when a key or application with these scopes may be changed, replaced and ended. */
  const mayKeep = (given: readonly string[]) => makesKeys && given.every(mayGive)
  return { has, mayGive, makesKeys, mayKeep }
}

export type Ability = 'check' | 'read' | 'manage' | 'make-keys'

const SCOPES_OF = { check: 'risk:payment', read: 'organisation:read', manage: 'organisation:write' } as const

export function useAbility(ability: Ability): boolean {
  const rights = useRights()
  return ability === 'make-keys' ? rights.makesKeys : rights.has(SCOPES_OF[ability])
}

/** Idempotency keys of unanswered changes. They survive closing and opening a dialog. */
const unanswered = new Map<string, string>()

/**
 * A change to the organisation: sent once however often it is clicked, and under one idempotency key until an answer
 * arrives, so that a retry after a lost answer does not repeat the change. Afterwards all shown data is read again.
 */
export function useChange<Input = void>(
  action: (api: OrganisationApi, input: Input, idempotencyKey: string) => Promise<unknown>,
  /** Identifies the change across dialogs, so that a retry gets the same idempotency key. */
  name?: string,
): Submission<Input> {
  const api = useApi()
  const queries = useQueryClient()
  const own = useId()
  return useSubmit(async (input: Input) => {
    const place = `${name ?? own} ${api.organisationId} ${JSON.stringify(input)}`
    const key = unanswered.get(place) ?? newRequestKey()
    unanswered.set(place, key)
    try {
      await action(api, input, key)
      unanswered.delete(place)
    } catch (error) {
      if (error instanceof AssayError && error.outcome === 'refused') unanswered.delete(place)
      throw error
    } finally {
      // After a refusal too: the shown data may be outdated.
      await queries.invalidateQueries({ queryKey: [api.organisationId] })
    }
  })
}

/** Reads something on a click, such as a file. Nothing was changed, so the shown data is not read again. */
export function useFile<Input = void>(
  action: (api: OrganisationApi, input: Input) => Promise<unknown>,
): Submission<Input> {
  const api = useApi()
  return useSubmit((input: Input) => action(api, input))
}

export interface Submission<Input = void> {
  /** Does nothing while an earlier submission is in progress, or while the server asked to wait. */
  readonly submit: (input: Input) => void
  readonly busy: boolean
  readonly error: AssayError | undefined
  /** Seconds until the server accepts another try; 0 when it accepts one now. */
  readonly waitSeconds: number
}

/** One action at a time: a double click or a second Enter never sends twice. */
export function useSubmit<Input = void>(action: (input: Input) => Promise<unknown>): Submission<Input> {
  const underWay = useRef(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<AssayError>()
  const [waitSeconds, setWaitSeconds] = useState(0)

  useEffect(() => {
    if (waitSeconds === 0) return
    const timer = setTimeout(() => setWaitSeconds(waitSeconds - 1), 1000)
    return () => clearTimeout(timer)
  }, [waitSeconds])

  function submit(input: Input): void {
    if (underWay.current || waitSeconds > 0) return
    underWay.current = true
    setBusy(true)
    setError(undefined)
    action(input)
      .catch((thrown: unknown) => {
        const problem = asAssayError(thrown)
        setError(problem)
        if (problem.status === 429) setWaitSeconds(Math.ceil((problem.retryAfterMs ?? 0) / 1000))
      })
      .finally(() => {
        underWay.current = false
        setBusy(false)
      })
  }
  return { submit, busy, error, waitSeconds }
}
