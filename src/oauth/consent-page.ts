import type { Client } from 'oidc-provider'
import Type from 'typebox'
import { RISK_SCOPES, type Scope } from '../access/scopes.ts'
import type { SqlQueries } from '../db/sql.ts'
import { oneOf } from '../http/operation.ts'
import { orNull, texts, textsOrNull } from '../http/page-operation.ts'
import { CLIENT_KIND_NAMES, type ClientKind } from '../identity/clients/registration.ts'
import { organisationsOf } from '../identity/members/members.ts'
import { organisations } from '../identity/organisation/organisations.ts'
import { DAY_MS, SECOND_MS } from '../lib/clock.ts'
import type { Lifetimes } from '../lib/lifetimes.ts'
import { scopesIn, scopesInWords } from './policy.ts'

/** The application and its request, as the pages show them to the person who decides. */

const ScopeWords = Type.Object(texts('name', 'words'), { $id: 'ScopeWords' })
export const ScopeList = Type.Array(ScopeWords)

export const ApplicationSchema = Type.Object(
  {
    ...texts('id', 'name'),
    kind: oneOf(CLIENT_KIND_NAMES),
    owner: orNull(
      Type.Object({
        ...texts('name'),
        yours: orNull(Type.Boolean(), { description: 'Null before sign-in.' }),
      }),
      { description: 'Null: part of this server.' },
    ),
    ...textsOrNull('policy_uri', 'terms_uri'),
  },
  { $id: 'Application', description: 'An application that requests access.' },
)

export const GoOnSchema = Type.Object(texts('redirect_to'), { $id: 'GoOn' })

export const AskedForSchema = Type.Object(
  {
    charged: ScopeList,
    about_you: ScopeList,
    stays_days: orNull(Type.Integer(), { description: 'Days the application stays connected; null: not requested.' }),
  },
  { $id: 'AskedFor', description: 'Requested scopes, grouped by their meaning for the person.' },
)

export async function applicationOf(sql: SqlQueries, client: Client, personId: string | undefined) {
  const ownerId = typeof client.organisation_id === 'string' ? client.organisation_id : undefined
  const owner = ownerId === undefined ? undefined : await organisations.find(sql, { id: ownerId })
  const own = personId === undefined ? undefined : await organisationsOf(sql, personId)
  return {
    id: client.clientId,
    name: client.clientName ?? client.clientId,
    kind: client.kind_of_client as ClientKind,
    // Null: part of this server, such as its command line.
    owner: owner ? { name: owner.name, yours: own?.some(({ id }) => id === owner.id) ?? null } : null,
    policy_uri: client.policyUri ?? null,
    terms_uri: client.tosUri ?? null,
  }
}

const STAYS: Scope = 'offline_access'

/** The requested scopes by their meaning for the person: money, identity, duration. */
export function askedFor(scope: string | undefined, lifetimes: Lifetimes) {
  const scopes = scopesInWords(scope)
  const charged: readonly string[] = RISK_SCOPES
  return {
    charged: scopes.filter(({ name }) => charged.includes(name)),
    about_you: scopes.filter(({ name }) => !charged.includes(name) && name !== STAYS),
    stays_days: scopesIn(scope).includes(STAYS) ? daysOf(lifetimes.refreshChainSeconds) : null,
  }
}

const daysOf = (seconds: number) => Math.max(1, Math.round((seconds * SECOND_MS) / DAY_MS))
