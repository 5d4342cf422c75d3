import { AssayError, type CallOptions, ROLES, SCOPES } from '@assay/sdk'
import {
  keepPreviousData,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { type Context, createContext, useContext, useEffect, useId, useMemo, useRef, useState } from 'react'
import {
  type AllOperations,
  type Answer,
  asAssayError,
  type Body,
  ONCE,
  type Server,
  serverFor,
} from '../api/client.ts'
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
import { sessionCredential, sessionQuery } from '../api/session.ts'

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

type OwnName = Extract<ReadName, `GET /api/account${string}` | 'GET /api/factors'>

/** Data of the person's own account. */
export function useOwn<Name extends OwnName>(name: Name) {
  const api = useOwnApi()
  return useQuery({
    queryKey: ['account', name],
    queryFn: ({ signal }): Promise<Answer<Name>> => api.call(name, { signal }),
  })
}

/** A change to the person's own account; afterwards all shown account data is read again. */
export function useOwnChange<Input = void>(
  action: (api: Pick<Server, 'call'>, input: Input) => Promise<unknown>,
): Submission<Input> {
  const api = useOwnApi()
  const queries = useQueryClient()
  return useSubmit(async (input: Input) => {
    try {
      await action({ call: (name, options) => api.call(name, { ...ONCE, ...options }) }, input)
    } finally {
      await queries.invalidateQueries({ queryKey: ['account'] })
    }
  })
}

/** Data of the organisation: every change reads it again. */
export const useRead: <Name extends ReadName>(name: Name, wanted?: Wanted<Name>) => UseQueryResult<Answer<Name>> = (
  name,
  wanted,
) => useQuery(readQuery(useApi(), name, wanted))

/** As `useRead`, with the version that a change must name. */
export function useVersion<Name extends ReadName>(name: Name, wanted: Wanted<Name> = {}) {
  const api = useApi()
  return useQuery({
    queryKey: [api.organisationId, 'version', name, wanted],
    queryFn: ({ signal }) => api.callForVersion(name, { ...wanted, signal }),
  })
}

/** The settings of the organisation, and changes of the version that was read. The session has some of them, too. */
export function useSettings() {
  const settings = useVersion('GET /v1/organisation')
  const queries = useQueryClient()
  const change = useChange(async (own, body: Body<'PATCH /v1/organisation'>) => {
    await own.call('PATCH /v1/organisation', { body, headers: { 'if-match': settings.data?.etag ?? '' } })
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  })
  return { settings, change }
}

type PageName = {
  [Name in keyof AllOperations]: AllOperations[Name]['response'] extends { readonly next_cursor: string | null }
    ? Name
    : never
}[keyof AllOperations]
const LOOK_AGAIN_MS = 2000

/** A list, read page by page. It is read again every few seconds while an entry `isUnderWay`. */
export function usePages<Name extends PageName>(
  name: Name,
  query: Omit<AllOperations[Name]['query'], 'cursor'>,
  path: AllOperations[Name]['path'] = {},
  isUnderWay?: (entry: Answer<Name>['data'][number]) => boolean,
) {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: [api.organisationId, name, path, query],
    queryFn: ({ signal, pageParam }): Promise<Answer<Name>> =>
      api.call(name, { path, query: { ...query, ...(pageParam === null ? {} : { cursor: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      isUnderWay && state.data?.pages.some(({ data }) => data.some(isUnderWay)) ? LOOK_AGAIN_MS : false,
  })
}

export const useList = <Name extends ListName>(name: Name, enabled = true) =>
  useQuery({ ...listQuery(useApi(), name), enabled })

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
 * arrives, so that a retry after a lost answer does not repeat the change. Afterwards all shown data is read again. An
 * action makes one change: all calls of its `api` carry the key.
 */
export function useChange<Input = void>(
  action: (api: OrganisationApi, input: Input) => Promise<unknown>,
  /** Identifies the change across dialogs, so that a retry gets the same idempotency key. */
  name?: string,
): Submission<Input> {
  const api = useApi()
  const queries = useQueryClient()
  const own = useId()
  return useSubmit(async (input: Input) => {
    const place = `${name ?? own} ${api.organisationId} ${JSON.stringify(input)}`
    const idempotencyKey = unanswered.get(place) ?? newRequestKey()
    unanswered.set(place, idempotencyKey)
    try {
      await action({ ...api, call: (name, options) => api.call(name, { idempotencyKey, ...options }) }, input)
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

type CallInput<Name extends keyof AllOperations> = CallOptions<AllOperations[Name]>

/** A change that is one call: its path, query and body are the input; `then` gets the answer. */
export const useCall = <Name extends keyof AllOperations>(name: Name, then?: (answer: Answer<Name>) => unknown) =>
  // biome-ignore lint/suspicious/noConfusingVoidType: a call without path and body is submitted without input
  useChange<CallInput<Name> | void>(async (api, input) => {
    const answer = await api.call(name, input ?? {})
    await then?.(answer)
  })

/** Reads something on a click, such as a file. Nothing was changed, so the shown data is not read again. */
export function useFile<Input = void>(
  action: (api: OrganisationApi, input: Input) => Promise<unknown>,
): Submission<Input> {
  const api = useApi()
  return useSubmit((input: Input) => action(api, input))
}

export interface Submission<Input = void> {
  /** True when it was done. Does nothing while an earlier one is in progress, or while the server asked to wait. */
  readonly submit: (input: Input) => Promise<boolean>
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

  async function submit(input: Input): Promise<boolean> {
    if (underWay.current || waitSeconds > 0) return false
    underWay.current = true
    setBusy(true)
    setError(undefined)
    try {
      await action(input)
      return true
    } catch (thrown) {
      const problem = asAssayError(thrown)
      setError(problem)
      if (problem.status === 429) setWaitSeconds(Math.ceil((problem.retryAfterMs ?? 0) / 1000))
      return false
    } finally {
      underWay.current = false
      setBusy(false)
    }
  }
  return { submit, busy, error, waitSeconds }
}
