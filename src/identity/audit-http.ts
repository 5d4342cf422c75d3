import Type from 'typebox'
import { ACTOR_KINDS } from '../access/actor.ts'
import { answerLog, logForms } from '../http/log-page.ts'
import { type Operation, type OperationDependencies, oneOf, operation } from '../http/operation.ts'
import { Moment, momentOf, TextOrNull, Time, withSample } from '../http/schema.ts'
import { AUDIT_ACTION_NAMES, AUDIT_FAMILIES } from './audit.ts'
import { AUDIT_FIELDS, auditLog } from './audit-log.ts'

const actorFields = { kind: oneOf(ACTOR_KINDS), id: Type.String(), name: TextOrNull('Name at that time.') }
const sampleActor = { kind: 'person', id: 'usr_7Jk2mNpQrStUvWxYz012', name: 'Jane Doe' } as const

export const CREATED_BY = [
  Type.Union([Type.Object(actorFields), Type.Null()], {
    description: 'The person or program that made it; null if that is not known.',
  }),
  sampleActor,
] as const

const { schema, sample } = withSample('AuditEntry', {
  id: [Type.String(), 'aud_8kLmNoPqRsTuVwXyZ012'],
  created_at: [Time('Time of the change.'), '2026-03-02T10:15:30.000Z'],
  actor: [Type.Object(actorFields, { description: 'Who made the change.' }), sampleActor],
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
      ...logForms({
        about: 'A page of entries.',
        schema,
        sample,
        columns: AUDIT_FIELDS,
        filters: {
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
        },
      }),
      handle(context) {
        const { organisationId } = context.caller
        const { action, actor, from, to } = context.query
        const times = { sinceMs: momentOf('from', from), beforeMs: momentOf('to', to) }
        return answerLog(context, deps, {
          maker: auditLog,
          query: { organisationId, action, actor, ...times },
          list: ['audit', action, actor, from, to],
          shape: ['number', 'text'],
          fileName: `audit-${organisationId}.csv`,
        })
      },
    }),
  ]
}
