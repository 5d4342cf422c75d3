/** Checkouts: an organisation, its owner and its subscription made in one go, and the key shown once. */
import type { SqlQueries, SqlTransaction } from '../../db/sql.ts'
import { Problem } from '../../errors.ts'
import { sha256Hex } from '../../lib/hashing.ts'
import { newId, randomBase62 } from '../../lib/ids.ts'

export interface Checkout {
  readonly id: string
  readonly organisation_id: string
  readonly invoice_id: string | null
  readonly created_at: number
  readonly claimed_at: number | null
  /** Of the first invoice; null where there was none. */
  readonly invoice_state: 'open' | 'paid' | 'void' | null
  readonly organisation_state: 'active' | 'inactive' | 'disabled'
  readonly plan_id: string
  readonly total_pence: number | null
}

/** How long the key may be asked for; afterwards the owner signs in and makes one. */
export const CLAIM_DAYS = 7

export async function createCheckout(
  tx: SqlTransaction,
  input: { readonly organisationId: string; readonly invoiceId: string | null; readonly nowMs: number },
): Promise<{ id: string; claimToken: string }> {
  const id = newId('chk')
  const claimToken = randomBase62(32)
  await tx.query(
    'insert into checkout (id, organisation_id, claim_digest, invoice_id, created_at) values ($1, $2, $3, $4, $5)',
    [id, input.organisationId, sha256Hex(claimToken), input.invoiceId, input.nowMs],
  )
  return { id, claimToken }
}

/** By id and the buyer's token: whoever has not both finds nothing. */
export async function findCheckout(sql: SqlQueries, id: string, claimToken: string): Promise<Checkout> {
  const rows = await sql.query<Checkout>(
    `select c.id, c.organisation_id, c.invoice_id, c.created_at, c.claimed_at, i.state as invoice_state, i.total_pence,
       o.state as organisation_state, a.plan_id
     from checkout c join organisation o on o.id = c.organisation_id
     join billing_account a on a.organisation_id = c.organisation_id
     left join invoice i on i.id = c.invoice_id where c.id = $1 and c.claim_digest = $2`,
    [id, sha256Hex(claimToken)],
  )
  if (!rows[0]) throw new Problem('not_found', { detail: 'There is no such checkout.' })
  return rows[0]
}

/** Of any number of claims, at any time, one succeeds. */
export async function claimCheckout(
  tx: SqlTransaction,
  input: { readonly id: string; readonly nowMs: number },
): Promise<void> {
  const rows = await tx.query('update checkout set claimed_at = $2 where id = $1 and claimed_at is null returning id', [
    input.id,
    input.nowMs,
  ])
  if (rows.length === 0) {
    throw new Problem('conflict', {
      detail: 'The key of this checkout was shown already. Sign in and make another if it is lost.',
    })
  }
}
