/**
 * The operator confirms that the database was restored from a backup: from then on it is compared with anchors.log
 * again.
 */
import { operatorIn } from '../../access/actor.ts'
import { changeIn, type Sql } from '../../db/sql.ts'
import { Problem } from '../../errors.ts'
import { audit } from '../../identity/audit.ts'
import type { Clock } from '../../lib/clock.ts'
import { type AnchorRing, lastAnchor } from './anchors.ts'
import { appendRestore, lastNumberOf, readAnchorsFile } from './anchors-file.ts'
import { type LedgerReport, verifyLedger } from './verify.ts'

export interface AcceptDependencies {
  readonly sql: Sql
  readonly clock: Clock
  readonly ring: AnchorRing
  readonly anchorsFile: string
}

/** Accepts only a restore: with any other difference, returns the report and writes nothing. */
export async function acceptRestore(deps: AcceptDependencies): Promise<LedgerReport> {
  const { sql, clock, anchorsFile } = deps
  const report = await verifyLedger(sql, deps)
  if (report.clean) {
    throw new Problem('conflict', { detail: 'The database fits anchors.log: there is no restore to accept.' })
  }
  if ([report.difference, ...report.more].some(({ part }) => part !== 'restore')) return report
  const last = await lastAnchor(sql)
  const detail = { anchor: last?.number ?? 0, known: lastNumberOf(readAnchorsFile(anchorsFile)) }
  await changeIn(sql, clock, (tx) => audit(tx, operatorIn(''), 'ledger.restore', null, detail))
  appendRestore(anchorsFile, last, clock.now())
  return verifyLedger(sql, deps)
}
