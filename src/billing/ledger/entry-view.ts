import Type from 'typebox'
import { oneOf } from '../../http/operation.ts'
import { Count, named, Pence, TextLike, TextOrNull, Time } from '../../http/schema.ts'
import { iso } from '../../lib/time-text.ts'
import { FamilySchema } from '../usage/http.ts'
import { ENTRY_KINDS, type Entry } from './ledger.ts'

/** An entry of the ledger as the API shows it. */
export const EntrySchema = named('LedgerEntry', {
  id: TextLike('ent_5tY8uJ2kLm0PqRsT4vWx'),
  number: Type.Integer({
    minimum: 1,
    description: 'Counts the entries of the organisation without a gap.',
    examples: [42],
  }),
  created_at: Time('When it was posted.', '2026-03-02T10:15:30.000Z'),
  kind: oneOf(ENTRY_KINDS, { examples: ['charge'] }),
  month: TextLike('2026-03', 'The period it belongs to.'),
  plan: TextLike('growth'),
  family: Type.Union([FamilySchema, Type.Null()], { examples: ['payment-risk'] }),
  units: Count(10),
  free_units: Count(0),
  unit_price_pence: Count(2),
  included_delta_pence: Count(-20, 'The change of each balance.'),
  prepaid_delta_pence: Count(0),
  overage_delta_pence: Count(0),
  included_after_pence: Pence('The balances afterwards.', 11250),
  prepaid_after_pence: Pence('As above.'),
  overage_after_pence: Pence('As above.'),
  credential_id: Type.Union([Type.String(), Type.Null()], { examples: ['key_9aBcDeFgHiJkLmNoPqRs'] }),
  request_id: Type.Union([Type.String(), Type.Null()], { examples: ['req_Xk29fPq0LmZt0000001'] }),
  reference: TextOrNull(),
  detail: TextOrNull(),
})
export type EntryView = Type.Static<typeof EntrySchema>
export const ENTRY_FIELDS = Object.keys(EntrySchema.properties) as (keyof EntryView)[]

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
