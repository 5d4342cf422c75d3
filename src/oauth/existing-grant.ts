import type { Grant, KoaContextWithOIDC } from 'oidc-provider'
import type { Role } from '../access/roles.ts'
import type { Sql } from '../db/sql.ts'
import { livingGrantIds } from '../identity/people/grants.ts'
import { sha256Hex } from '../lib/hashing.ts'
import type { AnswerDependencies } from './answers.ts'
import { ACR } from './follow-session.ts'
import { splitByRole } from './policy.ts'

/**
 * Finds a person's earlier consent for an application, so that they are not asked again.
 * 1. A decision just made takes precedence.
 * 2. Otherwise the grant of this browser session; otherwise the newest valid one that covers all requested scopes,
 *    given in any browser.
 * 3. The latter only for an application identified by its https redirect address. Any program on a machine can listen
 *    on its loopback address or hold a public client's id (RFC 8252 §8.6), so a native application needs consent each
 *    time.
 * 4. A person whose role has changed is asked again: more, or less, can be allowed now.
 * 5. Refreshing does not extend a grant: a grant too old for a whole chain of refresh tokens needs consent again.
 * 6. If the organisation requires a second factor, a person without one is asked again, and refused there.
 */
export async function findExistingGrant(
  ctx: KoaContextWithOIDC,
  deps: Pick<AnswerDependencies, 'sql' | 'clock' | 'lifetimes'>,
): Promise<Grant | undefined> {
  const { result, session, client, account, provider } = ctx.oidc
  const find = (id: string) => provider.Grant.find(id)
  const decided = result?.consent?.grantId
  if (decided) {
    const grant = await find(decided)
    return grant && (await roleBehind(deps.sql, decided, 'alive')) ? grant : undefined
  }
  const clientId = client?.clientId ?? ''
  const ofSession = session?.grantIdFor(clientId)
  if (ofSession) return asBefore(ofSession, await find(ofSession))
  if (!account || !isKnownByAddress(ctx)) return undefined
  const ids = await livingGrantIds(deps.sql, { personId: account.accountId, clientId }, deps.clock.now())
  for (const id of ids) {
    const grant = await find(id)
    // The newest decision counts: an earlier matching one was overridden since.
    if (grant && covers(grant, ctx.oidc.requestParamOIDCScopes)) return asBefore(id, grant)
  }
  return undefined

  /** Rules 4 to 6. */
  async function asBefore(id: string, grant: Grant | undefined): Promise<Grant | undefined> {
    if (!grant || grant.remainingTTL < deps.lifetimes.refreshChainSeconds) return undefined
    if (ctx.oidc.acr !== ACR.twoFactor && (await needsSecondFactor(deps.sql, id))) return undefined
    const role = await roleBehind(deps.sql, id, 'alive')
    const same =
      role !== undefined &&
      splitByRole(grant.getOIDCScope(), role).refused.length === 0 &&
      splitByRole(grant.getRejectedOIDCScope(), role).allowed.length === 0
    return same ? grant : undefined
  }
}

async function needsSecondFactor(sql: Sql, grantId: string): Promise<boolean> {
  const rows = await sql.query(
    `select 1 as one from oauth_record g join organisation o on o.id = g.organisation_id
     where g.digest = $1 and g.kind = 'Grant' and o.requires_second_factor = 1`,
    [sha256Hex(grantId)],
  )
  return rows.length > 0
}

/** Rule 3. */
function isKnownByAddress({ oidc: { client, params } }: KoaContextWithOIDC): boolean {
  const redirect = params?.redirect_uri
  return client?.applicationType !== 'native' && typeof redirect === 'string' && redirect.startsWith('https:')
}

function covers(grant: Grant, asked: ReadonlySet<string>): boolean {
  const decided = new Set(grant.getOIDCScopeEncountered().split(' '))
  return [...asked].every((scope) => decided.has(scope))
}

/** The role of the person behind a grant in the organisation it charges; undefined if it may charge no organisation. */
export async function roleBehind(sql: Sql, grantId: string, how: 'alive' | 'known'): Promise<Role | undefined> {
  const rows = await sql.query<{ role: Role }>(
    `select m.role from oauth_record g join membership m on m.person_id = g.person_id
       and m.organisation_id = g.organisation_id join organisation o on o.id = g.organisation_id
     where g.digest = $1 and g.kind = 'Grant' and o.state <> 'disabled' ${how === 'alive' ? 'and g.consumed_at is null' : ''}`,
    [sha256Hex(grantId)],
  )
  return rows[0]?.role
}
