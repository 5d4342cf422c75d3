/**
 * The audit log: every change to an organisation's things, by whom, when and from where. Append-only, and a chain of
 * hashes for each organisation. Entries without an organisation have their own chain, under the empty id.
 */
import { ACTOR_KINDS, type Actor } from '../access/actor.ts'
import type { SqlQueries, Tx } from '../db/sql.ts'
import { defineTable, type EntityOf, json, orNull, type Page, text } from '../db/table.ts'
import { newId } from '../lib/ids.ts'
import type { TimePosition } from '../lib/time-position.ts'
import { auditColumns, writeAudit } from './audit-chain.ts'

export const AUDIT_ACTIONS = {
  'backup.create': 'The operator created a backup of the database',
  'backup.restore': 'The operator restored the database from a backup',
  'ledger.archive': 'A month of the ledger was archived',
  'ledger.restore': 'The operator accepted that the database was restored from a backup',
  'oauth.rotate_keys': 'The operator created a new key that signs ID tokens',
  'receipts.rotate_key': 'The operator created a new key that signs receipts',
  'secret.rotate': 'The operator started to replace the secret of the server',
  'secret.finish': 'The operator removed the former secret of the server',
  'maintenance.begin': 'The operator closed the service for maintenance',
  'maintenance.end': 'The operator opened the service again',
  'organisation.create': 'The organisation was created',
  'organisation.update': 'The organisation was renamed',
  'organisation.disable': 'The operator disabled the organisation',
  'organisation.enable': 'The operator enabled the organisation again',
  'organisation.deactivate': 'The operator ended the subscription',
  'organisation.activate': 'The operator restored the subscription',
  'organisation.approve': 'The operator approved the organisation',
  'organisation.erase': 'Everything of the organisation was erased',
  'erasure.ask': 'The erasure of the organisation or of a member’s account was requested',
  'erasure.cancel': 'The requested erasure was cancelled',
  'member.join': 'A member joined',
  'member.update': 'The role of a member was changed',
  'member.remove': 'A member was removed or left',
  'person.disable': 'A member was disabled',
  'person.enable': 'A member was enabled again',
  'person.password': 'A member got a new password',
  'person.rename': 'A member changed their name',
  'person.email': 'A member got another email address',
  'person.delete': 'A member’s account was deleted',
  'person.verify': 'A member verified their email address',
  'person.operator': 'A member became an operator, or is no longer one',
  'session.begin': 'A member signed in',
  'session.fail': 'A sign-in as a member failed',
  'session.end': 'A session of a member was ended elsewhere',
  'factor.add': 'A member added a passkey or one-time codes',
  'factor.remove': 'A member removed a passkey or one-time codes',
  'factor.recovery': 'A member created new recovery codes, or used one',
  'organisation.second_factor': 'The second-factor requirement for members was changed',
  'grant.create': 'A member gave consent to an application',
  'grant.withdraw': 'The consent of a member to an application was withdrawn',
  'grant.reuse': 'A code or refresh token was used twice, so its grant ended',
  'invitation.create': 'An invitation was created',
  'invitation.revoke': 'An invitation was withdrawn',
  'invitation.ask': 'The addressee of an ended invitation asked for a new one',
  'key.create': 'An API key was created',
  'key.update': 'An API key was changed',
  'key.rotate': 'An API key was replaced',
  'key.revoke': 'An API key was revoked',
  'client.create': 'An application was registered',
  'client.update': 'An application was changed',
  'client.rotate_secret': 'An application got a new secret',
  'client.delete': 'An application was deleted',
  'counterparty.create': 'A counterparty was added',
  'counterparty.update': 'A counterparty was changed',
  'counterparty.delete': 'A counterparty was deleted',
  'counterparty.import': 'Counterparties were imported from a file',
  'counterparty.undo': 'The last import of counterparties was undone',
  'webhook.create': 'A webhook was created',
  'webhook.update': 'A webhook was changed',
  'webhook.rotate_secret': 'A webhook got a new secret',
  'webhook.delete': 'A webhook was deleted',
  'checkout.complete': 'The organisation subscribed for the first time',
  'subscription.change': 'The plan was changed',
  'subscription.end': 'The subscription was ended',
  'subscription.resume': 'The subscription was resumed',
  'subscription.given': 'A paid plan began',
  'credit.add': 'The operator added credit',
  'plan.set': 'The operator set the plan',
  'limit.set': 'The overage limit was set',
  'details.update': 'The details on invoices were changed',
  'payment.credited': 'A payment without an open invoice became credit',
  'payment.unmatched': 'A payment did not match its invoice',
  'payment.refund': 'A payment was refunded to the payer',
  'payment.dispute': 'A payment was disputed, or the dispute ended',
  'top_up.create': 'A top-up was requested',
  'alert.create': 'A billing alert was set',
  'alert.delete': 'A billing alert was removed',
  'invoice.issue': 'An invoice was issued',
  'invoice.settle': 'An invoice was settled',
  'invoice.void': 'An invoice was cancelled',
  'account.inactive': 'The account became inactive',
  'account.active': 'The account became active again',
  'organisation.allow_approval': 'The organisation decided if allow entries need a second person',
  'organisation.decision_approval': 'The organisation decided if decisions about checks need a second person',
  'organisation.history': 'The organisation decided which checks are kept, or for how many days',
  'own_list.add': 'An entry was added to an own list',
  'own_list.update': 'An entry of an own list was changed',
  'own_list.approve': 'An entry of the allow list was approved',
  'own_list.remove': 'An entry was removed from an own list',
  'own_list.import': 'A file was imported into an own list',
  'decision_rules.update': 'The decision rules were changed',
  'check.decide': 'A decision was made about a check',
  'check.review': 'A check was put on the work list, or assigned',
  'check.feedback': 'An answer was reported as wrong',
  'domain.add': 'A domain was claimed as the organisation’s own',
  'domain.verify': 'A domain was proven to be the organisation’s own',
  'domain.lose': 'The proof of a domain was gone when it was looked up again',
  'domain.remove': 'A claimed domain was removed',
  'check.erase': 'Checks were erased from the history',
} as const

export type AuditAction = keyof typeof AUDIT_ACTIONS
export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as AuditAction[]

type FamilyOf<Action extends string> = Action extends `${infer Thing}.${string}` ? `${Thing}.` : never
/** All actions on one kind of thing: `key.` */
export type AuditFamily = FamilyOf<AuditAction>
const familyOf = (action: AuditAction) => action.slice(0, action.indexOf('.') + 1) as AuditFamily
export const AUDIT_FAMILIES = [...new Set(AUDIT_ACTION_NAMES.map(familyOf))]

export type Detail = Readonly<Record<string, unknown>>

const entries = defineTable({
  name: 'audit_entry',
  key: ['id'],
  columns: { ...auditColumns, actor_kind: text<Actor['kind']>(), action: text<AuditAction>(), detail: json<Detail>() },
})
export type AuditEntry = EntityOf<typeof entries>

const NAME_TABLES: Partial<Record<Actor['kind'], string>> = {
  api_key: 'api_key',
  application: 'oauth_client',
  person: 'person',
  // A person on the operator's pages; verbs have no person.
  operator: 'person',
}

/** The name of the key, application or person at this time; null for the operator's verbs and the program itself. */
export async function actorName(tx: SqlQueries, actor: Pick<Actor, 'kind' | 'id'>): Promise<string | null> {
  const table = NAME_TABLES[actor.kind]
  const names = table ? await tx.query<{ name: string }>(`select name from ${table} where id = $1`, [actor.id]) : []
  return names[0]?.name ?? null
}

/** The maker of a thing, in its row; null where it was made before makers were kept. */
export const madeByColumns = {
  made_by_kind: orNull(text<Actor['kind']>()),
  made_by: orNull(text()),
  made_by_name: orNull(text()),
}

export async function madeBy(tx: SqlQueries, actor: Actor) {
  return { made_by_kind: actor.kind, made_by: actor.id, made_by_name: await actorName(tx, actor) }
}

type MadeBy = { readonly [Column in keyof typeof madeByColumns]: string | null }

export const createdBy = ({ made_by_kind: kind, made_by: id, made_by_name: name }: MadeBy) =>
  id === null ? null : { kind, id, name }

/** Records a change inside its transaction: the two exist together or not at all. */
export async function audit(tx: Tx, actor: Actor, action: AuditAction, targetId: string | null, detail: Detail = {}) {
  const name = await actorName(tx, actor)
  tx.lastly(writeAudit, {
    id: newId('aud'),
    organisation_id: actor.organisationId,
    created_at: tx.nowMs,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: name,
    action,
    target_id: targetId,
    detail: JSON.stringify(detail),
    ip: actor.ip,
    request_id: actor.requestId,
  })
}

export interface AuditQuery {
  /** Undefined: of all organisations. */
  readonly organisationId: string | undefined
  /** One action, or a family of them. */
  readonly action?: AuditAction | AuditFamily | undefined
  /** Id or kind of the actor. */
  readonly actor?: string | undefined
  readonly sinceMs?: number | undefined
  readonly beforeMs?: number | undefined
  readonly from?: TimePosition | undefined
  readonly limit: number
}

/** Newest first, of one organisation or of all. */
export function readAudit(sql: SqlQueries, query: AuditQuery): Promise<Page<AuditEntry>> {
  const { organisationId, action, actor, ...page } = query
  const kind = ACTOR_KINDS.find((one) => one === actor)
  const family = AUDIT_ACTION_NAMES.filter((name) => familyOf(name) === action)
  const where = {
    ...(organisationId === undefined ? {} : { organisation_id: organisationId }),
    ...(actor === undefined ? {} : kind ? { actor_kind: kind } : { actor_id: actor }),
    ...(action === undefined || family.length > 0 ? {} : { action: action as AuditAction }),
  }
  return entries.page(sql, where, {
    ...page,
    newestFirst: true,
    ...(family.length > 0 ? { among: { action: family } } : {}),
  })
}
