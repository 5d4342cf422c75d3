import type { Caller } from '../access/caller.ts'
import type { OrganisationState, StateReason } from '../access/organisation-state.ts'
import { mayConsent } from '../access/rights.ts'
import type { Role } from '../access/roles.ts'
import { isScope, type Scope } from '../access/scopes.ts'
import type { Sql } from '../db/sql.ts'
import { COMMAND_LINE_CLIENT } from '../identity/clients/command-line.ts'
import { sha256Hex } from '../lib/hashing.ts'
import { cacheLookUps } from '../lib/look-up-cache.ts'
import { type Maybe, thenSync } from '../lib/maybe.ts'
import type { Revoked } from './adapter.ts'

interface Row {
  readonly client_id: string
  readonly person_id: string | null
  readonly grant_digest: string | null
  readonly scope: string
  readonly client_scopes: string | null
  readonly expires_at: number
  readonly organisation_id: string
  readonly state: OrganisationState
  readonly state_reason: StateReason | null
  /** Null for the built-in client, which belongs to no organisation. */
  readonly client_state: string | null
  /** Differ if the token was issued by a secret whose tokens were ended. */
  readonly tokens_ended_at: number | null
  readonly client_tokens_ended_at: number | null
  readonly grant_expires_at: number | null
  readonly person_state: string | null
  readonly role: Role | null
}

const TOKEN_FORM = /^[\w-]{43}$/

const LOOK_UP = `
  select r.client_id, r.person_id, r.grant_digest, r.scope, r.expires_at, r.client_tokens_ended_at,
    o.id as organisation_id, case when co.state = 'disabled' then co.state else o.state end as state, o.state_reason,
    c.state as client_state, c.scopes as client_scopes, c.tokens_ended_at, g.expires_at as grant_expires_at,
    p.state as person_state, m.role
  from oauth_record r
  left join oauth_client c on c.id = r.client_id
  left join organisation co on co.id = c.organisation_id
  left join oauth_record g on g.digest = r.grant_digest and g.kind = 'Grant' and g.consumed_at is null
  left join person p on p.id = r.person_id
  join organisation o on o.id = coalesce(g.organisation_id, c.organisation_id)
  left join membership m on m.person_id = r.person_id and m.organisation_id = o.id
  where r.digest = $1 and r.kind in ('AccessToken', 'ClientCredentials')`

/** Called with the application when one of its tokens is looked up. */
export type OnClientUsed = (clientId: string) => void

type Options = Parameters<typeof cacheLookUps>[1] & {
  readonly sql: Sql
  readonly onClientUsed?: OnClientUsed | undefined
}

export type TokenVerifier = ReturnType<typeof createTokenVerifier>

/**
 * Finds the caller of an access token, with a cache of recent tokens.
 * 1. A cached answer is at most `ttlMs` old; a revocation here, or announced by another node, removes it immediately.
 * 2. An answer read before a revocation is not cached after it.
 * 3. A token is valid while it has not expired, its client, its grant and its person exist and are not disabled, and
 *    the person still belongs to the organisation that pays. While that organisation or the client's is disabled, the
 *    caller is in the state `disabled`; the token works again when both are enabled.
 * 4. It has the scopes it was given, as far as its client is still registered for them and its person's role in the
 *    organisation allows them.
 * 5. The cache is bounded, the oldest entries are removed first; unknown tokens are cached too.
 */
export function createTokenVerifier({ sql, onClientUsed, ...cache }: Options) {
  const { clock } = cache
  async function lookUp(token: string) {
    const digest = sha256Hex(token)
    const [row] = await sql.query<Row>(LOOK_UP, [digest])
    const caller = row && toCaller(row, clock.now())
    if (caller) onClientUsed?.(caller.credentialId)
    return { caller, digest, grant: row?.grant_digest ?? null }
  }
  const tokens = cacheLookUps(lookUp, cache)

  return {
    find(token: string): Maybe<Caller | undefined> {
      // Other text cannot be one of our tokens: skip the look-up.
      if (!TOKEN_FORM.test(token)) return undefined
      return thenSync(tokens.find(token), ({ caller }) =>
        caller && caller.expiresAtMs > clock.now() ? caller : undefined,
      )
    },
    /** `find` without the cache. */
    findNow: async (token: string) => (TOKEN_FORM.test(token) ? (await lookUp(token)).caller : undefined),
    forget(revoked: Revoked | 'all'): void {
      if (revoked === 'all') tokens.forget()
      else if ('digest' in revoked) tokens.forget(({ digest }) => digest === revoked.digest)
      else if ('grant' in revoked) tokens.forget(({ grant }) => grant === revoked.grant)
      else tokens.forget(({ caller }) => caller?.credentialId === revoked.client)
    },
  }
}

function toCaller(row: Row, nowMs: number): Caller | undefined {
  if (row.expires_at <= nowMs) return undefined
  if (row.client_state !== 'active' && row.client_id !== COMMAND_LINE_CLIENT) return undefined
  if (row.client_tokens_ended_at !== row.tokens_ended_at) return undefined
  if (row.grant_digest !== null && (row.grant_expires_at === null || row.grant_expires_at <= nowMs)) return undefined
  if (row.person_id !== null && (row.person_state !== 'active' || row.role === null)) return undefined
  // Scopes removed from the registration are removed from the tokens as well.
  const registered = row.client_scopes === null ? undefined : new Set(row.client_scopes.split(' '))
  return {
    organisationId: row.organisation_id,
    credentialId: row.client_id,
    method: 'bearer',
    scopes: new Set<Scope>(
      row.scope
        .split(' ')
        .filter(isScope)
        .filter((scope) => registered?.has(scope) ?? true)
        .filter((scope) => row.role === null || mayConsent(row.role, scope)),
    ),
    state: row.state,
    stateReason: row.state_reason,
    expiresAtMs: row.expires_at,
    ...(row.person_id === null ? {} : { userId: row.person_id }),
  }
}
