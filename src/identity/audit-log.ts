import { logMaker } from '../documents/log.ts'
import { shown } from '../lib/clock.ts'
import type { TimePosition } from '../lib/time-position.ts'
import { type AuditEntry, type AuditQuery, readAudit } from './audit.ts'
import { auditColumns } from './audit-chain.ts'

type Field = Exclude<keyof AuditEntry, 'organisation_id'>
export const AUDIT_FIELDS = Object.keys(auditColumns).filter((name): name is Field => name !== 'organisation_id')

type AuditPosition = readonly [createdAtMs: number, id: string]

export const auditLog = logMaker<Omit<AuditQuery, 'from' | 'limit'>, AuditEntry, AuditPosition>({
  module: import.meta.url,
  name: 'auditLog',
  fields: AUDIT_FIELDS,
  view: (entry) => ({
    ...shown(entry, 'id', 'created_at', 'action', 'target_id', 'detail', 'ip', 'request_id'),
    actor: { kind: entry.actor_kind, id: entry.actor_id, name: entry.actor_name },
  }),
  cells(entry) {
    const row = { ...shown(entry), detail: JSON.stringify(entry.detail) }
    return AUDIT_FIELDS.map((field) => row[field])
  },
  async read(sql, query, { after, limit }) {
    const from: TimePosition | undefined = after && { createdAtMs: after[0], id: after[1] }
    const { rows, next } = await readAudit(sql, { ...query, from, limit })
    return { rows, next: next && [next.createdAtMs, next.id] }
  },
})
