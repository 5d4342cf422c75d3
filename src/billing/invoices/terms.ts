/** Billing address and overage limits of an organisation. */
import type { Actor } from '../../access/actor.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { defineTable, type EntityOf, integer, named, orNull, text } from '../../db/table.ts'
import { audit } from '../../identity/audit.ts'
import { checkedName } from '../../identity/organisation/organisations.ts'
import { lockAccount } from '../ledger/accounts.ts'

export interface Customer {
  readonly name: string
  readonly address: string
  readonly tax_id: string | null
}

const terms = defineTable({
  name: 'billing_terms',
  key: ['organisationId'],
  columns: {
    organisationId: named('organisation_id', text()),
    name: named('customer_name', orNull(text())),
    address: named('customer_address', orNull(text())),
    taxId: named('customer_tax_id', orNull(text())),
    /** Null: the plan's. */
    ownerOverageLimitPence: named('owner_overage_limit_pence', orNull(integer())),
    operatorOverageLimitPence: named('operator_overage_limit_pence', orNull(integer())),
    updatedAtMs: named('updated_at', integer()),
  },
})
export type Terms = EntityOf<typeof terms>

export async function readTerms(sql: SqlQueries, organisationId: string): Promise<Terms> {
  const noLimits = { ownerOverageLimitPence: null, operatorOverageLimitPence: null }
  const none = { organisationId, name: null, address: null, taxId: null, ...noLimits, updatedAtMs: 0 }
  return (await terms.find(sql, { organisationId })) ?? none
}

export async function writeTerms(tx: Tx, changed: Terms): Promise<Terms> {
  const written = { ...changed, updatedAtMs: tx.nowMs }
  await terms.upsert(tx, [written])
  return written
}

export async function customerOf(sql: SqlQueries, organisationId: string): Promise<Customer> {
  const { name, address, taxId } = await readTerms(sql, organisationId)
  const known = await sql.query<{ name: string }>('select name from organisation where id = $1', [organisationId])
  return { name: name ?? known[0]?.name ?? '', address: address ?? '', tax_id: taxId }
}

/** Changes the billing details on open and future invoices. Paid ones stay unchanged. */
export async function setDetails(tx: Tx, actor: Actor, details: Pick<Terms, 'name' | 'address' | 'taxId'>) {
  const { organisationId } = actor
  // Under the account's lock, like every write of terms or invoices.
  await lockAccount(tx, organisationId)
  const before = await readTerms(tx, organisationId)
  // A value stored under earlier rules may stay.
  const name = details.name === null || details.name === before.name ? details.name : checkedName(details.name)
  const after = await writeTerms(tx, { ...before, ...details, name })
  const customer = await customerOf(tx, organisationId)
  await tx.query(`update invoice set customer = $2 where organisation_id = $1 and state = 'open'`, [
    organisationId,
    JSON.stringify(customer),
  ])
  await audit(tx, actor, 'details.update', organisationId, { ...customer })
  return after
}
