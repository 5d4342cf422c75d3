import type { Command } from 'commander'
import { isoOrNull } from '../lib/time-text.ts'
import { dateText, type OperatorContext, print, table, verb, withStore } from '../operator/context.ts'
import { type AuditEntry, readAudit } from './audit.ts'
import { requireOrganisation } from './organisation/organisations.ts'

const ROWS = 100

/** By a verb the operator is nobody in particular; on the operator's pages, a person. */
const whoActed = ({ actor_kind: kind, actor_name: name, actor_id: id }: AuditEntry) =>
  kind === 'operator' && name === null ? kind : `${kind} ${name ?? id}`

export function registerAuditVerbs(program: Command, context: OperatorContext): void {
  const audit = program.command('audit').description('who changed what')

  verb(audit, 'list', `show the last ${ROWS} changes, newest first`)
    .option('--org <id>', 'only those of one organisation')
    .action(async (options: { org?: string; json?: boolean }) => {
      await withStore(context, async ({ sql }) => {
        if (options.org !== undefined) await requireOrganisation(sql, options.org)
        const { rows } = await readAudit(sql, { organisationId: options.org, limit: ROWS })
        const views = rows.map((row) => ({ ...row, created_at: isoOrNull(row.created_at) }))
        print(context, options.json, views, () =>
          table(
            ['WHEN', 'ORGANISATION', 'WHO', 'ACTION', 'TARGET', 'DETAIL'],
            rows.map((row) => [
              dateText(row.created_at),
              row.organisation_id || '-',
              whoActed(row),
              row.action,
              row.target_id ?? '-',
              JSON.stringify(row.detail),
            ]),
            'Nothing has been changed yet.',
          ),
        )
      })
    })
}
