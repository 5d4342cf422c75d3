import { logMaker } from '../../documents/log.ts'
import { iso } from '../../lib/clock.ts'
import { type EntryQuery, readEntryPage } from './accounts.ts'
import type { Entry } from './ledger.ts'

export function entryView(entry: Entry) {
  return {
    id: entry.id,
    number: entry.seq,
    created_at: iso(entry.createdAtMs),
    kind: entry.kind,
    month: entry.period,
    plan: entry.planId,
    family: entry.family,
    units: entry.units,
    free_units: entry.freeUnits,
    unit_price_pence: entry.unitPricePence,
    included_delta_pence: entry.includedDeltaPence,
    prepaid_delta_pence: entry.prepaidDeltaPence,
    overage_delta_pence: entry.overageDeltaPence,
    included_after_pence: entry.includedAfterPence,
    prepaid_after_pence: entry.prepaidAfterPence,
    overage_after_pence: entry.overageAfterPence,
    credential_id: entry.credentialId,
    request_id: entry.requestId,
    reference: entry.reference,
    detail: entry.detail,
  }
}

export const ENTRY_FIELDS = Object.keys(entryView({ createdAtMs: 0 } as Entry))

export const ledgerLog = logMaker<Omit<EntryQuery, 'beforeSeq' | 'limit'>, Entry, readonly [beforeSeq: number]>({
  module: import.meta.url,
  name: 'ledgerLog',
  fields: ENTRY_FIELDS,
  view: entryView,
  cells: (entry) => Object.values(entryView(entry)),
  async read(sql, query, { after, limit }) {
    const { entries, nextBeforeSeq } = await readEntryPage(sql, { ...query, beforeSeq: after?.[0], limit })
    return { rows: entries, next: nextBeforeSeq === undefined ? undefined : [nextBeforeSeq] }
  },
})
