import type { Command } from 'commander'
import { shown } from '../lib/clock.ts'
import type { VerbContext } from '../verb/context.ts'
import { dateText, listAnswer } from '../verb/output.ts'
import { withStore } from '../verb/store.ts'
import { optional, verbsOf } from '../verb/verb.ts'
import { type AuditEntry, readAudit } from './audit.ts'
import { requireOrganisation } from './organisation/organisations.ts'

const ROWS = 100

/** A verb runs as the operator without a name; on the operator's pages the operator is a person. */
const whoActed = ({ actor_kind: kind, actor_name: name, actor_id: id }: AuditEntry) =>
  kind === 'operator' && name === null ? kind : `${kind} ${name ?? id}`

export function registerAuditVerbs(program: Command, context: VerbContext): void {
  const audit = program.command('audit').description('the audit log')
  verbsOf(audit, context, withStore)('list', `show the last ${ROWS} changes, newest first`, {
    organisationId: optional('--org <id>', 'only those of one organisation'),
  }).runs(async ({ sql }, { organisationId }) => {
    if (organisationId !== undefined) await requireOrganisation(sql, organisationId)
    const { rows } = await readAudit(sql, { organisationId, limit: ROWS })
    return listAnswer(rows, (row) => shown(row), 'Nothing has been changed yet.', {
      WHEN: (row) => dateText(row.created_at),
      ORGANISATION: (row) => row.organisation_id || '-',
      WHO: whoActed,
      ACTION: (row) => row.action,
      TARGET: (row) => row.target_id,
      DETAIL: (row) => JSON.stringify(row.detail),
    })
  })
}
