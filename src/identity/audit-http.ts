import Type from 'typebox'
import { ACTOR_KINDS } from '../access/actor.ts'
import { preferredType, sendCsv, toCsv } from '../http/csv.ts'
import { answerPage, type Operation, type OperationDependencies, oneOf, operation } from '../http/operation.ts'
import {
  Cursor,
  LogLimit,
  logLimit,
  Moment,
  momentOf,
  named,
  pageResponse,
  TextOrNull,
  Time,
  withForms,
} from '../http/schema.ts'
import { iso } from '../lib/time-text.ts'
import { AUDIT_ACTION_NAMES, AUDIT_FAMILIES, type AuditEntry, type AuditFilter, readAudit } from './audit.ts'

const FIELDS = [
  'id',
  'created_at',
  'actor_kind',
  'actor_id',
  'actor_name',
  'action',
  'target_id',
  'detail',
  'ip',
  'request_id',
] as const

const AuditSchema = named('AuditEntry', {
  id: Type.String(),
  created_at: Time('When.'),
  actor: Type.Object(
    {
      kind: oneOf(ACTOR_KINDS),
      id: Type.String(),
      name: TextOrNull('As it was called at the time.'),
    },
    { description: 'Who.' },
  ),
  action: oneOf(AUDIT_ACTION_NAMES, { description: 'What.' }),
  target_id: TextOrNull('To which thing.'),
  detail: Type.Object({}, { additionalProperties: true, description: 'Details of the change; never a secret.' }),
  ip: TextOrNull('From where.'),
  request_id: TextOrNull(),
})
const sample = {
  id: 'aud_8kLmNoPqRsTuVwXyZ012',
  created_at: '2026-03-02T10:15:30.000Z',
  actor: { kind: 'person', id: 'usr_7Jk2mNpQrStUvWxYz012', name: 'Jane Doe' },
  action: 'key.create',
  target_id: 'key_9aBcDeFgHiJkLmNoPqRs',
  detail: { name: 'accounts payable', scopes: ['risk:payment', 'risk:bulk'] },
  ip: '203.0.113.7',
  request_id: 'req_Xk29fPq0LmZt0000001',
}

export function auditOperations(deps: OperationDependencies): Operation[] {
  return [
    operation({
      name: 'GET /v1/organisation/audit',
      id: 'listAudit',
      summary: 'List who changed what, newest first',
      description: 'With `Accept: text/csv` as CSV.',
      scope: 'organisation:read',
      query: Type.Object(
        {
          action: Type.Optional(
            oneOf([...AUDIT_FAMILIES, ...AUDIT_ACTION_NAMES], {
              description: 'One action, or with a dot at the end all on one sort of thing: `key.`',
            }),
          ),
          actor: Type.Optional(
            Type.String({
              pattern: '^[\\w.:-]{1,100}$',
              description: `Id of a person, key or application, or a kind of actor: ${ACTOR_KINDS.join(', ')}.`,
              examples: ['usr_7Jk2mNpQrStUvWxYz012', 'operator'],
            }),
          ),
          from: Moment('Entries of this time or later.'),
          to: Moment('Entries before this time.'),
          limit: LogLimit,
          cursor: Cursor,
        },
        { additionalProperties: false },
      ),
      answers: {
        200: withForms(pageResponse('A page of entries.', AuditSchema, sample), {
          'text/csv': `${FIELDS.join(',')}\r\n`,
        }),
      },
      async handle(context) {
        const { organisationId } = context.caller
        const { action, actor, from, to, limit } = context.query
        const asCsv = preferredType(context.request, ['application/json', 'text/csv']) === 'text/csv'
        const limitDefault = logLimit(limit, asCsv)
        const filter: AuditFilter = {
          action,
          actor,
          sinceMs: momentOf('from', from),
          beforeMs: momentOf('to', to),
        }
        const page = await answerPage(context, deps, {
          list: ['audit', action, actor, from, to],
          limitDefault,
          read: (position, rows) => readAudit(deps.sql, { organisationId, ...filter, from: position, limit: rows }),
          view: (entry) => entry,
        })
        context.reply.header('vary', 'accept')
        if (!asCsv) return { ...page, data: page.data.map(view) }
        return sendCsv(context.reply, `audit-${organisationId}.csv`, toCsv(FIELDS, page.data.map(csvRow)))
      },
    }),
  ]
}

function view(entry: AuditEntry) {
  return {
    id: entry.id,
    created_at: iso(entry.created_at),
    actor: { kind: entry.actor_kind, id: entry.actor_id, name: entry.actor_name },
    action: entry.action,
    target_id: entry.target_id,
    detail: entry.detail,
    ip: entry.ip,
    request_id: entry.request_id,
  }
}

function csvRow(entry: AuditEntry) {
  const shown = { ...entry, created_at: iso(entry.created_at), detail: JSON.stringify(entry.detail) }
  return FIELDS.map((field) => shown[field])
}
