/** A charge whose answer never reached the caller is refunded, once, whenever the store can be asked again. */
import { changeIn, type Tx } from '../../db/sql.ts'
import { newId } from '../../lib/ids.ts'
import { atPresent, type BillingRules, type PresentDependencies } from '../subscription/present.ts'
import { readEntries } from './accounts.ts'
import { isPosted } from './books.ts'
import type { Account, Entry, Movement } from './ledger.ts'
import { type OwedLogger, openOwedRefunds, settleOwed } from './owed-refunds.ts'

/** A charge that may or may not have been committed. */
export interface UncertainCharge {
  readonly organisationId: string
  readonly requestId: string
  /** The number its entry has if it was committed. */
  readonly seq: number
}

/**
 * Returns whether the charge had been committed. Waits for a commit that is still going on, because that holds the
 * account's lock.
 */
export function refundCharge(tx: Tx, rules: BillingRules, charge: UncertainCharge): Promise<boolean> {
  const { organisationId, requestId, seq } = charge
  return atPresent(tx, rules, organisationId, async ({ books }) => {
    const [charged] = await readEntries(tx, { organisationId, afterSeq: seq - 1, limit: 1 })
    if (charged?.seq !== seq || charged.requestId !== requestId) return false
    const reference = `refund ${charged.id}`
    if (!(await isPosted(tx, organisationId, reference))) books.post(refundOf(charged, books.account, reference))
    return true
  })
}

function refundOf(charged: Entry, account: Account, reference: string): Omit<Movement, 'id'> {
  // Included credit and free units of a month that is over would have expired with it.
  const sameMonth = account.period === charged.period
  return {
    kind: 'refund',
    family: charged.family,
    units: charged.units,
    unitPricePence: charged.unitPricePence,
    freeUnits: sameMonth ? 0 - charged.freeUnits : 0,
    includedDeltaPence: sameMonth ? 0 - charged.includedDeltaPence : 0,
    prepaidDeltaPence: 0 - charged.prepaidDeltaPence,
    overageDeltaPence: 0 - Math.min(charged.overageDeltaPence, account.overagePence),
    credentialId: charged.credentialId,
    requestId: charged.requestId,
    reference,
    detail: 'the answer could not be delivered',
  }
}

export interface UncertainCharges {
  /** Written down before it resolves, and refunded as soon as the store can tell that it was charged. */
  add(charges: readonly UncertainCharge[]): Promise<void>
  close(): Promise<void>
}

/** Charges whose callers were told 503: kept in a file beside the store until each is known to be refunded. */
export function keepUncertainCharges(
  deps: PresentDependencies,
  { file, logger }: { readonly file: string; readonly logger: OwedLogger },
): UncertainCharges {
  const owed = openOwedRefunds({ file, logger })
  const settling = settleOwed(
    owed,
    async (one) =>
      (await changeIn(deps.sql, deps.clock, (tx) => refundCharge(tx, deps, one))) ? 'settled' : 'nothing owed',
    { logger },
  )
  if (owed.all().length > 0) settling.wake()
  return {
    async add(charges) {
      const atMs = deps.clock.now()
      const owes = charges.map(({ organisationId, requestId, seq }) => {
        return { id: newId('owe'), organisationId, requestId, seq, atMs }
      })
      // Also when the file refuses: what is remembered is tried all the same.
      await owed.add(owes).finally(() => settling.wake())
    },
    async close() {
      await settling.close()
      await owed.close()
    },
  }
}
