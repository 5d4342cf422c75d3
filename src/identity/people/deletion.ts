/**
 * Erasing a person.
 *
 *  1. Credentials of the account, and data that only its person sees, are deleted: password, sessions, passkeys, codes, links,
 *     consents with their tokens, memberships, the own inbox, invitations and mail to their addresses.
 *  2. Data of an organisation stays, with the id of the person and without the name: keys and applications that they
 *     made, checks, decisions. The audit log keeps what was done, by whose id, and still verifies (audit-erase.ts).
 *  3. No organisation is left without an owner while other members rely on it, or while it costs money: the last
 *     owner makes somebody else an owner or, alone, ends the subscription first.
 */
import type { OrganisationState } from '../../access/organisation-state.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { conflict } from '../../errors.ts'
import type { DataOf } from '../../events/types.ts'
import { audit } from '../audit.ts'
import { auditEraser, withField } from '../audit-erase.ts'
import { type ByOperator, endMembership, lockPerson } from '../members/members.ts'
import { endGrants, endSessions } from './grants.ts'

/** Tables that refer to a person: `deletion.store.test.ts` compares them with the migrations. */
export const PERSON_TABLES = [
  'console_session',
  'known_device',
  'person_link',
  'passkey',
  'code_generator',
  'recovery_code',
  'event_read',
  'event_digest',
  'operator_person',
] as const

/** Rule 3: the organisations that the person must hand over or end first, by name. */
export async function heldUpBy(sql: SqlQueries, personId: string) {
  const rows = await sql.query<{ id: string; name: string; state: OrganisationState; others: number }>(
    `select o.id, o.name, o.state,
       (select count(*) from membership other where other.organisation_id = o.id and other.person_id <> $1) as others
     from membership m join organisation o on o.id = m.organisation_id
     where m.person_id = $1 and m.role = 'owner' and not exists (
       select 1 from membership owner join person p on p.id = owner.person_id where owner.organisation_id = o.id
         and owner.person_id <> $1 and owner.role = 'owner' and p.state = 'active')
     order by o.name, o.id`,
    [personId],
  )
  return rows
    .filter(({ state, others }) => others > 0 || state === 'active')
    .map(({ id, name, others }) => ({ id, name, first: others > 0 ? ('hand_over' as const) : ('end' as const) }))
}

/** Rule 3. */
export async function requireHandedOver(sql: SqlQueries, personId: string): Promise<void> {
  const waits = (await heldUpBy(sql, personId)).map(({ name, first }) =>
    first === 'end' ? `end the subscription of ${name}` : `make another member of ${name} an owner`,
  )
  if (waits.length === 0) return
  throw conflict(`The account of a last owner cannot be deleted. First ${waits.join(', and ')}.`)
}

/** Rule 2: columns of organisations with the name of a person, beside the column with their id. */
export const PERSON_NAMES = [
  ['api_key', 'made_by', 'made_by_name'],
  ['oauth_client', 'made_by', 'made_by_name'],
  ['own_list_entry', 'author_id', 'author_name'],
  ['own_list_entry', 'approved_by', 'approved_name'],
  ['decision_rules', 'author_id', 'author_name'],
  ['check_decision', 'by_id', 'by_name'],
  ['check_decision', 'second_by', 'second_name'],
  ['check_feedback', 'by_id', 'by_name'],
] as const

/** The name in notices of an erasure, and in events from before it. */
const ERASED_NAME = 'Erased account'

/** Erases a person in one transaction, after rule 3 was checked; returns the number of rows by table. */
export async function erasePerson(tx: Tx, by: ByOperator, { erasureId, personId }: ErasePerson) {
  const { person, memberOf } = await lockPerson(tx, personId)
  const rows: Record<string, number> = { person: 1, membership: memberOf.length }
  for (const member of memberOf) {
    await endMembership(tx, by(member.organisation_id), { ...member, name: ERASED_NAME })
  }
  await endGrants(tx, { personId }, tx.nowMs)
  await endSessions(tx, personId)
  const remove = async (table: string, column: string, value: string) => {
    const gone = await tx.query(`delete from ${table} where ${column} = $1 returning 1 as one`, [value])
    if (gone.length > 0) rows[table] = (rows[table] ?? 0) + gone.length
  }
  for (const table of PERSON_TABLES) await remove(table, 'person_id', personId)
  for (const table of ['event', 'event_counter']) await remove(table, 'owner', personId)
  // Mail went to their former addresses, too.
  for (const [column, value] of [
    ['recipient', person.email],
    ['person_id', personId],
  ] as const) {
    await remove('outbox_message', column, value)
  }
  const invited = await tx.query<{ id: string; organisation_id: string; email: string }>(
    `delete from invitation where email = $1 or (accepted_by = $2 and email is not null) returning id, organisation_id, email`,
    [person.email, personId],
  )
  // They asked others for an invitation.
  for (const email of new Set([person.email, ...invited.map((one) => one.email)])) {
    await tx.query(`delete from event where type = 'invitation.asked' and data like $1 escape '\\'`, [
      withField('email', email),
    ])
    await tx.query(
      `delete from outbox_message where channel = 'mail' and state = 'waiting' and kind = 'invitation_asked'
      and facts like $1 escape '\\'`,
      [withField('email', email)],
    )
  }
  await tx.query('delete from person where id = $1', [personId])
  const acted = await tx.query<{ organisation_id: string }>(
    `select organisation_id from audit_entry where actor_id = $1 union
     select organisation_id from audit_entry where target_id = $1`,
    [personId],
  )
  const places = new Set([...memberOf, ...invited, ...acted].map(({ organisation_id }) => organisation_id))
  const targets = [personId, ...invited.map(({ id }) => id)]
  for (const organisationId of [...places].sort()) {
    for (const [table, id, name] of PERSON_NAMES) {
      await tx.query(`update ${table} set ${name} = null where organisation_id = $1 and ${id} = $2`, [
        organisationId,
        personId,
      ])
    }
    await eraseFromEvents(tx, organisationId, personId)
    const eraser = auditEraser({ organisationId, erasureId, person: { ...person, targets } })
    const proof = await eraser.rest(tx, await eraser.older(tx))
    rows.audit_entry = (rows.audit_entry ?? 0) + proof.entries
    await audit(tx, by(organisationId), 'person.delete', personId, { ...proof })
  }
  return rows
}

interface ErasePerson {
  readonly erasureId: string
  readonly personId: string
}

/** Takes the name out of events about them, and out of those that wait for a webhook or were delivered. */
async function eraseFromEvents(tx: Tx, organisationId: string, id: string) {
  // An event has the name that they had then.
  const nameless = (_: string, value: Partial<DataOf<'member.left'> & { readonly summary: string }> | null) =>
    value?.member_id === id && value.name
      ? { ...value, name: ERASED_NAME, summary: value.summary?.replaceAll(value.name, ERASED_NAME) }
      : value
  for (const [table, owner, key, column, more] of [
    ['event', 'owner', 'seq', 'data', ''],
    // A receiver may answer with what it was sent.
    ['outbox_message', 'organisation_id', 'id', 'facts', ', attempt_log = null'],
  ] as const) {
    const about = await tx.query<{ key: string | number; json: string }>(
      `select ${key} as key, ${column} as json from ${table} where ${owner} = $1 and ${column} like $2`,
      [organisationId, `%"${id}"%`],
    )
    for (const one of about) {
      const json = JSON.stringify(JSON.parse(one.json, nameless))
      await tx.query(`update ${table} set ${column} = $3 ${more} where ${owner} = $1 and ${key} = $2`, [
        organisationId,
        one.key,
        json,
      ])
    }
  }
}
