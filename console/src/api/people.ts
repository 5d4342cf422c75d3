import { type Operations, ROLES } from '@assay/sdk'
import { queryOptions } from '@tanstack/react-query'
import { type OrganisationApi, pagesQuery } from './organisation.ts'

type Answer<Name extends keyof Operations> = Operations[Name]['response']

export type Key = Answer<'GET /v1/organisation/keys'>['data'][number]
export type NewKey = Answer<'POST /v1/organisation/keys'>
export type Client = Answer<'GET /v1/organisation/clients'>['data'][number]
export type NewClient = Answer<'POST /v1/organisation/clients'>
export type Member = Answer<'GET /v1/organisation/members'>['data'][number]
export type Role = keyof typeof ROLES
export type Invitation = Answer<'GET /v1/organisation/invitations'>['data'][number]
export type NewInvitation = Answer<'POST /v1/organisation/invitations'>
export type AuditPage = Answer<'GET /v1/organisation/audit'>

export const ROLE_NAMES = Object.keys(ROLES) as Role[]

/** A role and what it is for, such as `Viewer: reads`. */
export function roleWords(role: Role): string {
  const { about } = ROLES[role]
  return `${role[0]?.toUpperCase()}${role.slice(1)}: ${about[0]?.toLowerCase()}${about.slice(1)}`
}

const PAGES_MAX = 20

/** A whole list; it is bounded, since an organisation has hundreds of these, not millions. */
async function readAll<Item>(api: OrganisationApi, path: string, signal: AbortSignal): Promise<Item[]> {
  const all: Item[] = []
  let cursor: string | null = null
  for (let page = 0; page < PAGES_MAX; page++) {
    const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const answer: { data: readonly Item[]; next_cursor: string | null } = await api.call(
      'GET',
      `${path}?limit=100${query}`,
      { signal },
    )
    all.push(...answer.data)
    cursor = answer.next_cursor
    if (cursor === null) break
  }
  return all
}

const listQuery = <Item>(api: OrganisationApi, name: string) =>
  queryOptions({
    queryKey: [api.organisationId, name],
    queryFn: ({ signal }) => readAll<Item>(api, `/v1/organisation/${name}`, signal),
  })

export const keysQuery = (api: OrganisationApi) => listQuery<Key>(api, 'keys')
export const clientsQuery = (api: OrganisationApi) => listQuery<Client>(api, 'clients')
export const membersQuery = (api: OrganisationApi) => listQuery<Member>(api, 'members')
export const invitationsQuery = (api: OrganisationApi) => listQuery<Invitation>(api, 'invitations')

export const auditQuery = (api: OrganisationApi) =>
  pagesQuery<AuditPage>(api, 'audit', '/v1/organisation/audit?limit=50')
