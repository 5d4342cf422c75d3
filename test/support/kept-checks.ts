import { checkIdOf, checksToInsert, type KeptCheck } from '../../src/db/kept-checks.ts'
import { runStatements } from '../../src/db/routine.ts'
import type { Sql } from '../../src/db/sql.ts'
import type { Ring } from '../../src/lib/seal.ts'
import { checkText, placeOfCheck, sealOfChecks } from '../../src/record/sealed.ts'

const BILLING =
  '"charged":true,"is_free":false,"unit_price_pence":2,"billable_units":1,"total_price_pence":2,"charged_from_credit_pence":2,"overage_pence":0,"remaining_credit_pence":98'
let checks = 0

/** Puts a check on record, as if it had been charged for. */
export async function keepCheck(
  sql: Sql,
  ring: Ring,
  more: Partial<KeptCheck> & {
    readonly organisation_id: string
    readonly indicator?: string
    readonly signals?: readonly { readonly code: string; readonly effect: number }[]
  },
): Promise<string> {
  const { indicator = 'accounts@acme.example', signals = [{ code: 'email.free_mail', effect: 4 }], ...columns } = more
  const id = checkIdOf(`req_decide${String(++checks).padStart(14, '0')}`)
  const after = { signals: signals.map((one) => ({ ...one, description: `About ${one.code}` })), base_score: 0 }
  const row = {
    id,
    created_at: checks,
    kind: 'email' as const,
    level: 'low' as const,
    score: 4,
    digest: 'digest',
    channel: 'console' as const,
    credential_id: 'usr_asked',
    person_id: 'usr_asked',
    outcome: null,
    intelligence: 'v1',
    billing: BILLING,
    repeat_key: null,
    review: null,
    reviewed_since: null,
    ...columns,
  }
  const text = checkText({ indicator, before: '{"risk":"low",', after: `,${JSON.stringify(after).slice(1)}` })
  const sealed = sealOfChecks(ring).seal(text, placeOfCheck(row))
  await sql.transaction((tx) => runStatements(tx, checksToInsert(tx, [{ ...row, sealed }])))
  return id
}
