import Type from 'typebox'
import { oneOf } from '../../http/operation.ts'
import { named, Pence, Time } from '../../http/schema.ts'
import { iso } from '../../lib/time-text.ts'
import { FamilySchema } from '../usage/http.ts'
import { ENTRY_KINDS, type Entry } from './ledger.ts'

/** An entry of the ledger as the API shows it. */
export const EntrySchema = named('LedgerEntry', {
  id: Type.String(),
  number: Type.Integer({ minimum: 1, description: 'Counts the entries of the organisation without a gap.' }),
  created_at: Time('When it was posted.'),
  kind: oneOf(ENTRY_KINDS),
  month: Type.String({ description: 'The period it belongs to.' }),
  plan: Type.String(),
  family: Type.Union([FamilySchema, Type.Null()]),
  units: Type.Integer(),
  free_units: Type.Integer(),
  unit_price_pence: Type.Integer(),
  included_delta_pence: Type.Integer({ description: 'The change of each balance.' }),
  prepaid_delta_pence: Type.Integer(),
  overage_delta_pence: Type.Integer(),
  included_after_pence: Pence('The balances afterwards.'),
  prepaid_after_pence: Pence('As above.'),
  overage_after_pence: Pence('As above.'),
  credential_id: Type.Union([Type.String(), Type.Null()]),
  request_id: Type.Union([Type.String(), Type.Null()]),
  reference: Type.Union([Type.String(), Type.Null()]),
  detail: Type.Union([Type.String(), Type.Null()]),
})
export type EntryView = Type.Static<typeof EntrySchema>
export const ENTRY_FIELDS = Object.keys(EntrySchema.properties) as (keyof EntryView)[]

export const sampleEntry: EntryView = {
  id: 'ent_5tY8uJ2kLm0PqRsT4vWx',
  number: 42,
  created_at: '2026-03-02T10:15:30.000Z',
  kind: 'charge',
  month: '2026-03',
  plan: 'growth',
  family: 'payment-risk',
  units: 10,
  free_units: 0,
  unit_price_pence: 2,
  included_delta_pence: -20,
  prepaid_delta_pence: 0,
  overage_delta_pence: 0,
  included_after_pence: 11250,
  prepaid_after_pence: 0,
  overage_after_pence: 0,
  credential_id: 'key_9aBcDeFgHiJkLmNoPqRs',
  request_id: 'req_Xk29fPq0LmZt0000001',
  reference: null,
  detail: null,
}

export function entryView(entry: Entry): EntryView {
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
