import { checkIdOf, checksToInsert } from '../../src/db/kept-checks.ts'
import { runStatements } from '../../src/db/routine.ts'
import type { Sql } from '../../src/db/sql.ts'
import { type CheckToKeep, checkText } from '../../src/lib/charge.ts'
import { startOfTime } from '../../src/lib/ids.ts'
import type { Ring } from '../../src/lib/seal.ts'
import { sealingOfChecks } from '../../src/record/sealed.ts'

const BILLING =
  '"charged":true,"is_free":false,"unit_price_pence":2,"billable_units":1,"total_price_pence":2,"charged_from_credit_pence":2,"overage_pence":0,"remaining_credit_pence":98'
let checks = 0

/** Puts a check on record, as if it had been charged for. */
export async function keepCheck(
  sql: Sql,
  ring: Ring,
  more: Partial<CheckToKeep> & {
    readonly organisationId: string
    readonly createdAtMs?: number
    readonly indicator?: string
    readonly signals?: readonly { readonly code: string; readonly effect: number }[]
  },
): Promise<string> {
  const {
    organisationId,
    createdAtMs = checks,
    signals = [{ code: 'email.free_mail', effect: 4 }],
    indicator = 'accounts@acme.example',
    ...given
  } = more
  const id = checkIdOf(`req_${startOfTime(createdAtMs)}test${String(++checks).padStart(8, '0')}`)
  const after = {
    signals: signals.map((one) => ({
      description: `About ${one.code}`,
      source: 'test',
      first_seen: null,
      last_seen: null,
      ...one,
    })),
    base_score: 0,
  }
  const check: CheckToKeep = {
    kind: 'email',
    level: 'low',
    score: 4,
    digest: 'digest',
    channel: 'console',
    personId: 'usr_asked',
    outcome: null,
    intelligence: 'v1',
    ...given,
  }
  const before =
    '{"endpoint":"payment-risk","risk":"low","risk_score":4,"source_type":"payment_scan","target":"sha256:00",'
  const charged = {
    organisationId,
    id,
    credentialId: 'usr_asked',
    repeatKey: null,
    billing: BILLING,
    check,
    text: checkText(indicator, before, `,${JSON.stringify(after).slice(1)}`),
  }
  await sql.transaction((tx) => runStatements(tx, checksToInsert(tx, sealingOfChecks(ring), [charged])))
  return id
}
