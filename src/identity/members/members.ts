/**
 * Members of organisations.
 *
 *  1. A role is given or taken by somebody who has all of it (access/rights.ts). Everybody may leave.
 *  2. An organisation that has an owner who can sign in keeps one.
 *  3. When a membership ends, the person's grants to applications there end too.
 */
import type { Actor } from '../../access/actor.ts'
import type { OrganisationState, StateReason } from '../../access/organisation-state.ts'
import { requireProof, requireRole, requireWriter } from '../../access/rights.ts'
import { ROLES, type Role } from '../../access/roles.ts'
import type { OwnOrganisation } from '../../access/session.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { defineTable, type EntityOf, flag, integer, orNull, type Page, type PageOptions, text } from '../../db/table.ts'
import { conflict, orNotFound } from '../../errors.ts'
import { emit } from '../../events/emit.ts'
import { type AuditAction, audit, type Detail } from '../audit.ts'
import { withdrawInvitations } from '../invitations/withdraw.ts'
import { lockForWriter, lockOrganisation, noteConfirmed, requireOrganisation } from '../organisation/organisations.ts'
import { endGrants } from '../people/grants.ts'
import { type Person, people } from '../people/people.ts'

const memberships = defineTable({
  name: 'membership',
  key: ['person_id', 'organisation_id'],
  fixed: ['created_at'],
  columns: { person_id: text(), organisation_id: text(), role: text<Role>(), created_at: integer() },
})

const members = defineTable({
  name: `(select p.id, m.organisation_id, p.email, p.name, p.state, m.role, m.created_at,
      case when exists (select 1 from passkey k where k.person_id = p.id) or exists (select 1 from code_generator g
        where g.person_id = p.id and g.confirmed_at is not null) then 1 else 0 end as second_factor
    from membership m join person p on p.id = m.person_id) member`,
  key: ['id', 'organisation_id'],
  columns: {
    id: text(),
    organisation_id: text(),
    email: text(),
    name: text(),
    state: text<Person['state']>(),
    role: text<Role>(),
    created_at: integer(),
    second_factor: flag(),
  },
})
export type Member = EntityOf<typeof members>

const ownOrganisations = defineTable({
  name: `(select m.person_id, o.id, o.name, m.role, o.state, o.state_reason, o.requires_second_factor, o.created_at from membership m join organisation o on o.id = m.organisation_id) own`,
  key: ['person_id', 'id'],
  columns: {
    person_id: text(),
    id: text(),
    name: text(),
    role: text<Role>(),
    state: text<OrganisationState>(),
    state_reason: orNull(text<StateReason>()),
    requires_second_factor: flag(),
    created_at: integer(),
  },
})

const ORGANISATIONS_MAX = 10_000
const MEMBERS_MAX = 100_000

export function organisationsOf(sql: SqlQueries, personId: string): Promise<OwnOrganisation[]> {
  return ownOrganisations.list(sql, { person_id: personId }, { order: 'name, id', limit: ORGANISATIONS_MAX })
}

/** In the order they joined. */
export function listMembers(sql: SqlQueries, organisationId: string, page: PageOptions): Promise<Page<Member>> {
  return members.page(sql, { organisation_id: organisationId }, page)
}

/** Members who would be stopped if a second factor were required. */
export function membersWithoutFactor(sql: SqlQueries, organisationId: string): Promise<Member[]> {
  const without = { organisation_id: organisationId, second_factor: false }
  return members.list(sql, without, { order: 'id', limit: MEMBERS_MAX })
}

export function findMember(sql: SqlQueries, organisationId: string, personId: string): Promise<Member | undefined> {
  return members.find(sql, { organisation_id: organisationId, id: personId })
}

export const requireMember = (sql: SqlQueries, organisationId: string, personId: string) =>
  orNotFound(findMember(sql, organisationId, personId), 'There is no such member.')

export interface NewMember {
  readonly personId: string
  readonly role: Role
}

/** Makes a person a member; 409 when they are one already. */
export async function addMember(tx: Tx, actor: Actor, input: NewMember): Promise<Member> {
  await lockForWriter(tx, actor)
  requireRole(actor, input.role)
  return admit(tx, actor, input)
}

/** As addMember, after the caller has checked the role under the organisation's lock. */
export async function admit(tx: Tx, actor: Actor, input: NewMember, detail: object = {}): Promise<Member> {
  const { personId, role } = input
  const { organisationId } = actor
  // Under lock, so that joining and disabling are serialised.
  const person = await orNotFound(people.lock(tx, { id: personId }), 'There is no such person.')
  if (await findMember(tx, organisationId, personId)) throw conflict('This person is already a member.')
  await memberships.insert(tx, { person_id: personId, organisation_id: organisationId, role, created_at: tx.nowMs })
  await noteConfirmed(tx, organisationId)
  await audit(tx, actor, 'member.join', personId, { name: person.name, role, ...detail })
  emit(tx, { organisationId, type: 'member.joined', data: { member_id: personId, name: person.name, role } })
  return requireMember(tx, organisationId, personId)
}

/** Gives a member another role. `isAsRead` throws if the member changed since the caller read them. */
export async function changeRole(
  tx: Tx,
  actor: Actor,
  { personId, role }: NewMember,
  isAsRead: (before: Member) => void = () => {},
): Promise<Member> {
  await lockForWriter(tx, actor)
  const before = await requireMember(tx, actor.organisationId, personId)
  isAsRead(before)
  requireRole(actor, before.role)
  requireRole(actor, role)
  if (role !== 'owner') await refuseLastOwner(tx, before)
  const { organisation_id, created_at } = before
  await memberships.update(tx, { person_id: personId, organisation_id, role, created_at }, { role })
  await withdrawInvitations(tx, makerOf(actor.organisationId, personId), { role, scopes: ROLES[role].scopes })
  await audit(tx, actor, 'member.update', personId, { name: before.name, role: { from: before.role, to: role } })
  return { ...before, role }
}

export async function setRole(tx: Tx, actor: Actor, input: NewMember): Promise<Member> {
  await lockOrganisation(tx, actor.organisationId)
  const before = await findMember(tx, actor.organisationId, input.personId)
  return before ? changeRole(tx, actor, input) : addMember(tx, actor, input)
}

/** Removes a member. Everybody may remove themselves. */
export async function removeMember(tx: Tx, actor: Actor, personId: string): Promise<void> {
  const { organisationId } = actor
  await lockOrganisation(tx, organisationId)
  const leaves = actor.kind === 'person' && actor.id === personId
  if (!leaves) requireWriter(actor)
  const member = await requireMember(tx, organisationId, personId)
  if (!leaves) {
    requireRole(actor, member.role)
    requireProof(actor)
  }
  await refuseLastOwner(tx, member)
  await endMembership(tx, actor, member)
}

/** Rule 3. Call under the organisation's lock. */
export async function endMembership(tx: Tx, actor: Actor, { id: personId, name, role }: Member): Promise<void> {
  const { organisationId } = actor
  await memberships.delete(tx, { person_id: personId, organisation_id: organisationId })
  await withdrawInvitations(tx, makerOf(organisationId, personId))
  const grantsEnded = await endGrants(tx, { personId, organisationId }, tx.nowMs)
  await audit(tx, actor, 'member.remove', personId, { name, role, grants_ended: grantsEnded })
  emit(tx, { organisationId, type: 'member.left', data: { member_id: personId, name, role } })
}

export const makerOf = (organisationId: string, personId: string) =>
  ({ kind: 'person', id: personId, organisationId }) as const

/** Owners who can sign in. */
export function ownersOf(sql: SqlQueries, organisationId: string, limit: number): Promise<Member[]> {
  const owners = { organisation_id: organisationId, role: 'owner', state: 'active' } as const
  return members.list(sql, owners, { order: 'id', limit })
}

/** Call under the organisation's lock, before an owner leaves, changes role or is disabled. */
export async function refuseLastOwner(tx: Tx, leaving: Member): Promise<void> {
  if (leaving.role !== 'owner' || leaving.state !== 'active') return
  const owners = await ownersOf(tx, leaving.organisation_id, 2)
  if (owners.some(({ id }) => id !== leaving.id)) return
  const { name } = await requireOrganisation(tx, leaving.organisation_id)
  throw conflict(`${leaving.name} is the last owner of ${name} who can sign in. Make somebody else an owner first.`)
}

/** Locks a person and all of their organisations. The lock order is always organisations by id, then the person. */
export async function lockPerson(tx: Tx, personId: string): Promise<{ person: Person; memberOf: readonly Member[] }> {
  const read = () => members.list(tx, { id: personId }, { order: 'organisation_id', limit: ORGANISATIONS_MAX })
  const seen = await read()
  for (const { organisation_id: id } of seen) await lockOrganisation(tx, id)
  const person = await orNotFound(people.lock(tx, { id: personId }), 'There is no such person.')
  const memberOf = await read()
  const locked = new Set(seen.map((one) => one.organisation_id))
  if (memberOf.some((one) => !locked.has(one.organisation_id))) {
    throw conflict('This person has just joined an organisation. Try again.')
  }
  return { person, memberOf }
}

export interface Held {
  readonly person: Person
  readonly memberOf: readonly Pick<Member, 'organisation_id'>[]
}

/** The actor in each affected organisation. */
export type ByOperator = (organisationId: string) => Actor

/** Audits a change to a person in each of their organisations, or without an organisation if they have none. */
export async function auditPerson(tx: Tx, by: ByOperator, held: Held, action: AuditAction, detail: Detail = {}) {
  const { person, memberOf } = held
  const places = memberOf.length === 0 ? [''] : memberOf.map((member) => member.organisation_id)
  for (const place of places) await audit(tx, by(place), action, person.id, { name: person.name, ...detail })
}
