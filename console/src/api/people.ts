import { ROLES } from '@assay/sdk'
import { queryOptions } from '@tanstack/react-query'
import type { Answer } from './client.ts'
import type { OrganisationApi } from './organisation.ts'

export type Key = Answer<'GET /v1/organisation/keys'>['data'][number]
export type NewKey = Answer<'POST /v1/organisation/keys'>
export type Client = Answer<'GET /v1/organisation/clients'>['data'][number]
export type NewClient = Answer<'POST /v1/organisation/clients'>
export type Member = Answer<'GET /v1/organisation/members'>['data'][number]
export type Consent = Answer<'GET /v1/organisation/consents'>['data'][number]
export type Role = keyof typeof ROLES
export type NewInvitation = Answer<'POST /v1/organisation/invitations'>

export const ROLE_NAMES = Object.keys(ROLES) as Role[]

/** A role and its purpose, such as `Viewer: reads`. */
export function roleWords(role: Role): string {
  const { about } = ROLES[role]
  return `${role[0]?.toUpperCase()}${role.slice(1)}: ${about[0]?.toLowerCase()}${about.slice(1)}`
}

const PAGES_MAX = 20

type ListName = 'keys' | 'clients' | 'members' | 'invitations' | 'consents'
type Item<Name extends ListName> = Answer<`GET /v1/organisation/${Name}`>['data'][number]

/** Reads a whole list: an organisation has hundreds of entries, not millions. */
async function readAll<Name extends ListName>(
  api: OrganisationApi,
  name: Name,
  signal: AbortSignal,
): Promise<readonly Item<Name>[]> {
  const all: Item<Name>[] = []
  let query: { limit: number; cursor?: string } = { limit: 100 }
  for (let page = 0; page < PAGES_MAX; page++) {
    const { data, next_cursor: cursor } = await api.call(`GET /v1/organisation/${name}`, { query, signal })
    all.push(...(data as readonly Item<Name>[]))
    if (cursor === null) break
    query = { ...query, cursor }
  }
  return all
}

export const listQuery = <Name extends ListName>(api: OrganisationApi, name: Name) =>
  queryOptions({
    queryKey: [api.organisationId, name],
    queryFn: ({ signal }) => readAll(api, name, signal),
  })
