/** The audit log: every change to an organisation's things, by whom, when and from where. Append-only. */

import type { Caller } from '../access/caller.ts'
import type { SqlQueries, SqlTransaction } from '../db/sql.ts'
import { newId } from '../lib/ids.ts'
import type { TimePosition } from '../lib/time-position.ts'

export const AUDIT_ACTIONS = {
  'organisation.update': 'The organisation was renamed',
  'member.join': 'Somebody accepted an invitation',
  'member.update': 'A member got another role',
  'member.remove': 'A member was removed or left',
  'invitation.create': 'An invitation was made',
  'invitation.revoke': 'An invitation was withdrawn',
  'key.create': 'An API key was made',
  'key.update': 'An API key was changed',
  'key.rotate': 'An API key was replaced',
  'key.revoke': 'An API key was ended',
  'client.create': 'An application was registered',
  'client.update': 'An application was changed',
  'client.rotate_secret': 'An application got a new secret',
  'client.delete': 'An application was deleted',
  'checkout.complete': 'The organisation subscribed for the first time',
  'subscription.change': 'The plan was changed',
  'subscription.end': 'The subscription was ended',
  'subscription.resume': 'The subscription was taken up again',
  'top_up.create': 'A top-up was asked for',
  'alert.create': 'A billing alert was set',
  'alert.delete': 'A billing alert was removed',
  'invoice.issue': 'An invoice was issued',
  'invoice.settle': 'An invoice was settled',
  'invoice.void': 'An invoice was cancelled',
  'account.inactive': 'The account became inactive',
  'account.active': 'The account became active again',
} as const

export type AuditAction = keyof typeof AUDIT_ACTIONS
export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as AuditAction[]

export interface AuditActor {
  readonly kind: 'api_key' | 'application' | 'person' | 'operator' | 'system'
  readonly id: string
  readonly ip: string | null
  readonly requestId: string | null
}

export const SYSTEM_ACTOR: AuditActor = { kind: 'system', id: 'system', ip: null, requestId: null }
export const OPERATOR_ACTOR: AuditActor = { kind: 'operator', id: 'operator', ip: null, requestId: null }

/** Who stands behind a request. */
export function actorOf(request: {
  readonly caller: Caller | undefined
  readonly ip: string
  readonly id: string
}): AuditActor {
  const { caller } = request
  if (!caller) throw new Error('a change without a caller cannot be audited')
  const kind = caller.method === 'api_key' ? 'api_key' : caller.method === 'bearer' ? 'application' : 'person'
  return { kind, id: caller.credentialId, ip: request.ip, requestId: request.id }
}

export interface AuditEntry {
  readonly id: string
  readonly organisation_id: string
  readonly created_at: number
  readonly actor_kind: AuditActor['kind']
  readonly actor_id: string
  readonly actor_name: string | null
  readonly action: AuditAction
  readonly target_id: string | null
  readonly detail: Readonly<Record<string, unknown>>
  readonly ip: string | null
  readonly request_id: string | null
}

const NAME_TABLES: Partial<Record<AuditActor['kind'], string>> = {
  api_key: 'api_key',
  application: 'oauth_client',
  person: 'person',
}

/** Inside the transaction of the change, so that the two exist together or not at all. */
export async function recordAudit(
  tx: SqlTransaction,
  entry: {
    readonly organisationId: string
    readonly actor: AuditActor
    readonly action: AuditAction
    readonly targetId?: string | null
    readonly detail?: Readonly<Record<string, unknown>>
    readonly nowMs: number
  },
): Promise<void> {
  const { actor } = entry
  const table = NAME_TABLES[actor.kind]
  const names = table ? await tx.query<{ name: string }>(`select name from ${table} where id = $1`, [actor.id]) : []
  await tx.query(
    `insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id,
       detail, ip, request_id) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      newId('aud'),
      entry.organisationId,
      entry.nowMs,
      actor.kind,
      actor.id,
      names[0]?.name ?? null,
      entry.action,
      entry.targetId ?? null,
      JSON.stringify(entry.detail ?? {}),
      actor.ip,
      actor.requestId,
    ],
  )
}

/** Newest first. */
export async function readAudit(
  sql: SqlQueries,
  query: {
    readonly organisationId: string
    readonly action?: AuditAction | undefined
    readonly before?: TimePosition | undefined
    readonly limit: number
  },
): Promise<{ entries: AuditEntry[]; next: TimePosition | undefined }> {
  const params: (string | number)[] = [query.organisationId]
  const mark = (value: string | number) => `$${params.push(value)}`
  let where = 'organisation_id = $1'
  if (query.action) where += ` and action = ${mark(query.action)}`
  if (query.before) where += ` and (created_at, id) < (${mark(query.before.createdAtMs)}, ${mark(query.before.id)})`
  const rows = await sql.query<Omit<AuditEntry, 'detail'> & { detail: string }>(
    `select id, organisation_id, created_at, actor_kind, actor_id, actor_name, action, target_id, detail, ip, request_id
     from audit_entry where ${where} order by created_at desc, id desc limit ${query.limit + 1}`,
    params,
  )
  const page = rows.slice(0, query.limit)
  const last = page.at(-1)
  return {
    entries: page.map((row) => ({ ...row, detail: JSON.parse(row.detail) as AuditEntry['detail'] })),
    next: rows.length > query.limit && last ? { createdAtMs: last.created_at, id: last.id } : undefined,
  }
}
