/**
 * Everything that the database has of an organisation or a person: what happens to it at an erasure, and the file of an
 * export that it is in. A test compares these tables with the schema, so that a new table is never forgotten.
 */

/** Rows of a table that belong to one organisation or person, whose id is `$1`. */
export interface Rows {
  readonly table: string
  /** Columns that tell the rows apart, in the order of an export. */
  readonly key: string
  /** Default: `organisation_id = $1`. */
  readonly where?: string
  /** The name of the file of an export; absent: nothing in it that other files do not have, or nothing that may leave. */
  readonly file?: string
  /** Rows of an export, if not all: a further condition. */
  readonly exported?: string
  /** Columns of other tables in an export. */
  readonly joined?: string
}

const OF_OWNER = 'owner = $1'
const OF_CLIENTS = 'client_id in (select id from oauth_client where organisation_id = $1)'
const OF_IMPORTS = 'import_id in (select id from counterparty_import where organisation_id = $1)'

/** Deleted with the organisation, in this order: rows before those that they are found by. */
export const ERASED_TABLES: readonly Rows[] = [
  { table: 'oauth_record', key: 'digest, kind', where: OF_CLIENTS },
  { table: 'oauth_client', key: 'created_at, id', file: 'applications' },
  { table: 'api_key', key: 'created_at, id', file: 'keys' },
  { table: 'invitation', key: 'created_at, id', file: 'invitations' },
  { table: 'sign_up', key: 'digest' },
  { table: 'checkout', key: 'id' },
  { table: 'billing_alert', key: 'created_at, id', file: 'alerts' },
  { table: 'stored_response', key: 'key' },
  { table: 'webhook', key: 'created_at, id', file: 'webhooks' },
  // Mail that waits is sent first: the last invoice may be among it.
  { table: 'outbox_message', key: 'id', where: `organisation_id = $1 and (channel <> 'mail' or state <> 'waiting')` },
  { table: 'event', key: 'seq', where: OF_OWNER, file: 'events' },
  // In the inboxes of members: who asks for an invitation.
  { table: 'event', key: 'owner, seq', where: `type = 'invitation.asked' and data like '%"' || $1 || '"%'` },
  { table: 'event_counter', key: 'owner', where: OF_OWNER },
  { table: 'event_read', key: 'person_id, owner', where: OF_OWNER },
  { table: 'own_list_entry', key: 'list, created_at, id', file: 'own-lists' },
  { table: 'decision_rules', key: 'version', file: 'decision-rules' },
  { table: 'own_domain', key: 'domain', file: 'domains' },
  { table: 'counterparty_term', key: 'generation, term, counterparty_id' },
  {
    table: 'counterparty',
    key: 'generation, id',
    file: 'counterparties',
    // Not the set before the last import.
    exported: 'generation = (select generation from own_knowledge where organisation_id = $1)',
  },
  { table: 'counterparty_import_remark', key: 'import_id, row_number', where: OF_IMPORTS },
  { table: 'counterparty_import', key: 'created_at, id', file: 'counterparty-imports' },
  { table: 'counterparty_garbage', key: 'generation' },
  { table: 'own_knowledge', key: 'organisation_id' },
  { table: 'kept_list', key: 'id' },
  { table: 'waiting_digest', key: 'id' },
  { table: 'waiting_review', key: 'id' },
  { table: 'kept_digest', key: 'digest, id' },
  { table: 'check_decision', key: 'id' },
  { table: 'check_feedback', key: 'id' },
  { table: 'kept_check', key: 'id' },
  { table: 'kept_text', key: 'id' },
  { table: 'history_key', key: 'organisation_id' },
]

const OF_INVOICES = 'invoice_id in (select id from invoice where organisation_id = $1)'
const OF_PAYMENTS = '(provider, reference) in (select provider, reference from payment where organisation_id = $1)'

/** Kept for the years that the operator set, and deleted in this order. */
export const INVOICE_TABLES: readonly Rows[] = [
  { table: 'payment_refund', key: 'provider, reference', where: OF_PAYMENTS, file: 'refunds' },
  { table: 'payment_dispute', key: 'id, provider', where: OF_PAYMENTS, file: 'disputes' },
  { table: 'payment_aftermath', key: 'provider, reference, kind', where: OF_PAYMENTS },
  { table: 'payment', key: 'received_at, id', file: 'payments' },
  { table: 'invoice_line', key: 'invoice_id, position', where: OF_INVOICES, file: 'invoice-lines' },
  { table: 'invoice', key: 'issued_at, id', file: 'invoices' },
  { table: 'billing_terms', key: 'organisation_id', file: 'invoice-details' },
]

const OF_NOBODY = 'organisation_id is null and received_at <= $1'
const NOBODYS = `(provider, reference) in (select provider, reference from payment where ${OF_NOBODY})`

/** Of payments that match no invoice, received until `$1`. */
export const UNMATCHED_TABLES: readonly Rows[] = [
  { table: 'payment_refund', key: 'provider, reference', where: NOBODYS },
  { table: 'payment_dispute', key: 'id, provider', where: NOBODYS },
  { table: 'payment_aftermath', key: 'provider, reference, kind', where: NOBODYS },
  { table: 'payment', key: 'received_at, id', where: OF_NOBODY },
]

/** Kept permanently: numbers and ids, without a name. */
export const TOMBSTONE_TABLES: readonly Rows[] = [
  { table: 'organisation', key: 'id', where: 'id = $1', file: 'organisation' },
  {
    table: 'membership',
    key: 'person_id',
    file: 'members',
    joined: ['name', 'email']
      .map((column) => `(select p.${column} from person p where p.id = person_id) as ${column}`)
      .join(', '),
  },
  { table: 'billing_account', key: 'organisation_id', file: 'account' },
  { table: 'subscription', key: 'organisation_id', file: 'subscription' },
  { table: 'ledger_entry', key: 'seq', file: 'ledger' },
  { table: 'archive_head', key: 'ledger_seq' },
  {
    table: 'archived_charge',
    key: 'ledger_seq, month, family, unit_price_pence',
    file: 'archived-charges',
  },
  { table: 'usage_rollup', key: 'granularity, starts_at, family, credential_id' },
  { table: 'usage_total', key: 'granularity, starts_at' },
  { table: 'usage_progress', key: 'organisation_id' },
  { table: 'ledger_month', key: 'period, kind, family, unit_price_pence' },
  { table: 'audit_entry', key: 'created_at, id', file: 'audit' },
  { table: 'audit_chain', key: 'organisation_id' },
  { table: 'anchor_head', key: 'number' },
]

const OF_PERSON = 'person_id = $1'

/** Of a person. Erased by `erasePerson`; of the audit log the names and addresses. */
export const PERSON_ROWS: readonly Rows[] = [
  { table: 'person', key: 'id', where: 'id = $1', file: 'person' },
  { table: 'membership', key: 'organisation_id', where: OF_PERSON, file: 'memberships' },
  { table: 'console_session', key: 'digest', where: OF_PERSON, file: 'sessions' },
  { table: 'known_device', key: 'digest', where: OF_PERSON, file: 'devices' },
  { table: 'passkey', key: 'created_at, id', where: OF_PERSON, file: 'passkeys' },
  { table: 'code_generator', key: 'person_id', where: OF_PERSON, file: 'one-time-codes' },
  { table: 'oauth_record', key: 'digest, kind', where: `${OF_PERSON} and kind = 'Grant'`, file: 'consents' },
  { table: 'event', key: 'seq', where: OF_OWNER, file: 'inbox' },
  { table: 'event_digest', key: 'person_id', where: OF_PERSON, file: 'digest' },
  {
    table: 'outbox_message',
    key: 'created_at, id',
    where: 'recipient = (select email from person where id = $1)',
    file: 'mails',
  },
  { table: 'audit_entry', key: 'organisation_id, created_at, id', where: 'actor_id = $1', file: 'audit' },
]

export const EXPORTS = {
  organisation: [...TOMBSTONE_TABLES, ...INVOICE_TABLES, ...ERASED_TABLES].filter(({ file }) => file),
  person: PERSON_ROWS,
} as const
export type ExportKind = keyof typeof EXPORTS
