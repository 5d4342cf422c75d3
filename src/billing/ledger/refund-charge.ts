/** Refunds a charge whose answer never reached the caller, once, when the store is reachable again. */
import type { Tx } from '../../db/sql.ts'
import { openInvoices } from '../invoices/invoices.ts'
import { type BillingRules, withCurrentAccount } from '../subscription/open-account.ts'
import { readEntries } from './accounts.ts'
import { isPosted } from './books.ts'
import type { Account, Entry, Movement } from './ledger.ts'
import type { UncertainCharge } from './uncertain-charges.ts'

/** Returns true if the charge was committed. Waits for a commit in progress, because that holds the account's lock. */
export function refundCharge(tx: Tx, rules: BillingRules, charge: UncertainCharge): Promise<boolean> {
  const { organisationId, requestId, seq } = charge
  return withCurrentAccount(tx, rules, organisationId, async ({ books }) => {
    const [charged] = await readEntries(tx, { organisationId, afterSeq: seq - 1, limit: 1 })
    if (charged?.seq !== seq || charged.requestId !== requestId) return false
    const reference = `refund ${charged.id}`
    if (await isPosted(tx, organisationId, reference)) return true
    const open = await openInvoices(tx, organisationId)
    const invoicedPence = open.reduce((sum, invoice) => sum + invoice.overage_pence, 0)
    books.post(refundOf(charged, books.account, invoicedPence, reference))
    return true
  })
}

function refundOf(charged: Entry, account: Account, invoicedPence: number, reference: string): Omit<Movement, 'id'> {
  // Invoiced overage is collected with its invoice, so it is refunded as credit.
  const notInvoiced = Math.max(0, account.overagePence - invoicedPence)
  const overagePence = Math.min(charged.overageDeltaPence, notInvoiced)
  // Included credit and free units of a past month would have expired with it.
  const sameMonth = account.period === charged.period
  return {
    kind: 'refund',
    family: charged.family,
    units: charged.units,
    unitPricePence: charged.unitPricePence,
    freeUnits: sameMonth ? 0 - charged.freeUnits : 0,
    includedDeltaPence: sameMonth ? 0 - charged.includedDeltaPence : 0,
    prepaidDeltaPence: charged.overageDeltaPence - overagePence - charged.prepaidDeltaPence,
    overageDeltaPence: 0 - overagePence,
    credentialId: charged.credentialId,
    requestId: charged.requestId,
    reference,
    detail: 'the answer could not be delivered',
  }
}
