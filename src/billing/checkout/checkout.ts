/** Checkouts: the progress of a sign-up, until its first key is shown once. */
import { systemIn } from '../../access/actor.ts'
import type { OrganisationState } from '../../access/organisation-state.ts'
import { ROLES } from '../../access/roles.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { conflict, notFound } from '../../errors.ts'
import { createKey, revokeKey } from '../../identity/keys/keys.ts'
import { findMember } from '../../identity/members/members.ts'
import { lockOrganisation } from '../../identity/organisation/organisations.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { sha256Hex } from '../../lib/hashing.ts'
import { newId, randomBase62 } from '../../lib/ids.ts'

export interface Checkout {
  readonly id: string
  readonly organisation_id: string
  /** The person who signed up; null until they confirm by mail, and in rows from before this column existed. */
  readonly person_id: string | null
  readonly invoice_id: string | null
  readonly created_at: number
  /** When the key was shown, or when the right to see it ended. */
  readonly claimed_at: number | null
  /** State of the first invoice; null without one. */
  readonly invoice_state: 'open' | 'paid' | 'void' | null
  readonly in_advance: number | null
  readonly organisation_state: OrganisationState
  readonly plan_id: string
  readonly total_pence: number | null
}

/** The key can be claimed for this long (a bank transfer takes days); afterwards the owner signs in and makes one. */
const CLAIM_DAYS = 30

export async function createCheckout(
  tx: Tx,
  input: { readonly organisationId: string; readonly personId: string | null; readonly invoiceId: string | null },
): Promise<{ id: string; claimToken: string }> {
  const id = newId('cko')
  const claimToken = randomBase62(32)
  await tx.query(
    `insert into checkout (id, organisation_id, person_id, claim_digest, invoice_id, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [id, input.organisationId, input.personId, sha256Hex(claimToken), input.invoiceId, tx.nowMs],
  )
  return { id, claimToken }
}

/**
 * Records the owner of the sign-up; the claim depends on them from now on. An owner who does not know the password of
 * the sign-up may be another person than its beginner: the key ends, or is never shown.
 */
export async function giveCheckout(
  tx: Tx,
  input: { readonly organisationId: string; readonly personId: string; readonly endsClaim: boolean },
): Promise<void> {
  const { organisationId, endsClaim } = input
  await lockOrganisation(tx, organisationId)
  const given = await tx.query<{ key_id: string | null }>(
    `update checkout set person_id = $2, claimed_at = coalesce(claimed_at, $3)
     where organisation_id = $1 and person_id is null returning key_id`,
    [organisationId, input.personId, endsClaim ? tx.nowMs : null],
  )
  if (!endsClaim) return
  const actor = systemIn(organisationId, { id: 'checkout' })
  for (const { key_id: keyId } of given) if (keyId !== null) await revokeKey(tx, actor, keyId)
}

/** Finds a checkout by its id and the buyer's token; both are needed. */
export async function findCheckout(sql: SqlQueries, id: string, claimToken: string): Promise<Checkout> {
  const rows = await sql.query<Checkout>(
    `select c.id, c.organisation_id, c.person_id, c.invoice_id, c.created_at, c.claimed_at, i.state as invoice_state, i.total_pence,
       i.in_advance, o.state as organisation_state, a.plan_id
     from checkout c join organisation o on o.id = c.organisation_id
     join billing_account a on a.organisation_id = c.organisation_id
     left join invoice i on i.id = c.invoice_id where c.id = $1 and c.claim_digest = $2`,
    [id, sha256Hex(claimToken)],
  )
  if (!rows[0]) throw notFound('There is no such checkout.')
  return rows[0]
}

/** A checkout is complete when the account is active and its first invoice, if any, is paid. */
export function checkoutState(checkout: Checkout): 'pending' | 'complete' {
  const unpaid = checkout.invoice_state === 'open' && checkout.in_advance === 1
  return unpaid || checkout.organisation_state !== 'active' ? 'pending' : 'complete'
}

/** Makes and returns the first key. Exactly one claim succeeds. */
export async function claimCheckout(
  tx: Tx,
  { id, claimToken }: { readonly id: string; readonly claimToken: string },
  from: { readonly ip: string; readonly requestId: string },
): Promise<{ organisationId: string; keyId: string; secret: string }> {
  const seen = await findCheckout(tx, id, claimToken)
  await lockOrganisation(tx, seen.organisation_id)
  // Read again under the lock.
  const checkout = await findCheckout(tx, id, claimToken)
  const buyer = checkout.person_id && (await findMember(tx, checkout.organisation_id, checkout.person_id))
  if (checkout.person_id !== null && !(buyer && buyer.state === 'active' && ROLES[buyer.role].makesKeys)) {
    throw conflict('The person who signed up may no longer create keys. Sign in and create one.')
  }
  if (checkoutState(checkout) !== 'complete') {
    throw conflict('The account is not active yet: the first invoice is not paid, or the operator has not approved it.')
  }
  if (tx.nowMs > checkout.created_at + CLAIM_DAYS * DAY_MS) {
    throw conflict('This checkout is too old to show a key. Sign in and create one.')
  }
  const claimed = await tx.query(
    'update checkout set claimed_at = $2 where id = $1 and claimed_at is null returning id',
    [checkout.id, tx.nowMs],
  )
  if (claimed.length === 0) {
    throw conflict(
      'The key of this checkout was already shown, or can no longer be shown here. Sign in and create one.',
    )
  }
  const actor = systemIn(checkout.organisation_id, { id: 'checkout', ...from })
  const { key, secret } = await createKey(tx, actor, { name: 'first key', expiresAtMs: null })
  await tx.query('update checkout set key_id = $2 where id = $1', [checkout.id, key.id])
  return { organisationId: checkout.organisation_id, keyId: key.id, secret }
}
