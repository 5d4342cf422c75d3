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
  pageResponse,
  TextOrNull,
  Time,
  withForms,
  withSample,
} from '../http/schema.ts'
import { iso } from '../lib/time-text.ts'
import { AUDIT_ACTION_NAMES, AUDIT_FAMILIES, type AuditEntry, readAudit } from './audit.ts'
import { auditColumns } from './audit-chain.ts'

type Field = Exclude<keyof AuditEntry, 'organisation_id'>
const FIELDS = Object.keys(auditColumns).filter((name): name is Field => name !== 'organisation_id')

const { schema, sample } = withSample('AuditEntry', {
  id: [Type.String(), 'aud_8kLmNoPqRsTuVwXyZ012'],
  created_at: [Time('Time of the change.'), '2026-03-02T10:15:30.000Z'],
  actor: [
    Type.Object(
      { kind: oneOf(ACTOR_KINDS), id: Type.String(), name: TextOrNull('Name at that time.') },
      { description: 'Who made the change.' },
    ),
    { kind: 'person', id: 'usr_7Jk2mNpQrStUvWxYz012', name: 'Jane Doe' },
  ],
  action: [oneOf(AUDIT_ACTION_NAMES, { description: 'The action.' }), 'key.create'],
  target_id: [TextOrNull('The thing that was changed.'), 'key_9aBcDeFgHiJkLmNoPqRs'],
  detail: [
    Type.Object({}, { additionalProperties: true, description: 'Details of the change; never a secret.' }),
    { name: 'accounts payable', scopes: ['risk:payment', 'risk:bulk'] },
  ],
  ip: [TextOrNull('IP address of the caller.'), '203.0.113.7'],
  request_id: [TextOrNull(), 'req_Xk29fPq0LmZt0000001'],
})

export function auditOperations(deps: OperationDependencies): Operation[] {
  return [
    operation({
      name: 'GET /v1/organisation/audit',
      id: 'listAudit',
      summary: 'List the audit log, newest first',
      description: 'With `Accept: text/csv` as CSV.',
      scope: 'organisation:read',
      query: Type.Object(
        {
          action: Type.Optional(
            oneOf([...AUDIT_FAMILIES, ...AUDIT_ACTION_NAMES], {
              description: 'One action, or all actions on one type of thing with a dot at the end: `key.`',
            }),
          ),
          actor: Type.Optional(
            Type.String({
              pattern: '^[\\w.:-]{1,100}$',
              description: `Id of a person, key or application, or a type of actor: ${ACTOR_KINDS.join(', ')}.`,
              examples: ['usr_7Jk2mNpQrStUvWxYz012', 'operator'],
            }),
          ),
          from: Moment('Entries at or after this time.'),
          to: Moment('Entries before this time.'),
          limit: LogLimit,
          cursor: Cursor,
        },
        { additionalProperties: false },
      ),
      answers: {
        200: withForms(pageResponse('A page of entries.', schema, sample), { 'text/csv': `${FIELDS.join(',')}\r\n` }),
      },
      async handle(context) {
        const { organisationId } = context.caller
        const { action, actor, from, to, limit } = context.query
        const asCsv = preferredType(context.request, ['application/json', 'text/csv']) === 'text/csv'
        const limitDefault = logLimit(limit, asCsv)
        const times = { sinceMs: momentOf('from', from), beforeMs: momentOf('to', to) }
        const page = await answerPage(context, deps, {
          list: ['audit', action, actor, from, to],
          limitDefault,
          read: (position, rows) =>
            readAudit(deps.sql, { organisationId, action, actor, ...times, from: position, limit: rows }),
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
