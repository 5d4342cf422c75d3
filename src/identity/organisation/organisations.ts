/** Organisations: the customers who are charged. Their entitlement is derived in billing/subscription. */
import { type Actor, isUnlimited } from '../../access/actor.ts'
import type { OrganisationState, StateReason } from '../../access/organisation-state.ts'
import { requireProof, requireWriter } from '../../access/rights.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { defineTable, type EntityOf, flag, integer, orNull, text } from '../../db/table.ts'
import { conflict, forbidden, invalidField, orNotFound } from '../../errors.ts'
import { newId } from '../../lib/ids.ts'
import { nameTextProblem } from '../../lib/name-text.ts'
import { audit } from '../audit.ts'

/** The checks that are kept: none, those of people in the console, or all. */
export const HISTORY_MODES = ['off', 'console', 'all'] as const
export const HISTORY_DAYS_DEFAULT = 400

export const organisations = defineTable({
  name: 'organisation',
  key: ['id'],
  fixed: ['created_at'],
  columns: {
    id: text(),
    name: text(),
    /** A copy of the derived entitlement, for the hot path: state, reason, and when it can change next. */
    state: text<OrganisationState>(),
    state_reason: orNull(text<StateReason>()),
    state_until: orNull(integer()),
    /** The operator's switches. */
    disabled_at: orNull(integer()),
    deactivated_at: orNull(integer()),
    awaiting_approval: flag(),
    /** Members need a second factor to act here. */
    requires_second_factor: flag(),
    /** When they will; null without a plan. */
    second_factor_from: orNull(integer()),
    /** An allow entry has no effect until a second person approves it. */
    allow_needs_approval: flag(),
    /** The checks that are kept, and for how many days. */
    history: text<(typeof HISTORY_MODES)[number]>(),
    history_days: integer(),
    /** A decision that lets something pass needs a second person. */
    decisions_need_two: flag(),
    created_at: integer(),
    updated_at: integer(),
    /** When everything of it was erased (src/leaving). */
    erased_at: orNull(integer()),
  },
})
export type Organisation = EntityOf<typeof organisations>

/** Why a display name (of an organisation, person, key, application, passkey) is refused; undefined when it is valid. */
export const nameProblem = nameTextProblem

/** The trimmed name; 422 at `pointer` when it is invalid. */
export function checkedName(name: string, pointer = '/name'): string {
  const wrong = nameProblem(name)
  if (wrong) throw invalidField(pointer, `The name ${wrong}.`)
  return name.trim()
}

export function createOrganisation(
  tx: Tx,
  input: { readonly name: string; readonly awaitingApproval: boolean; readonly unconfirmed?: boolean },
) {
  const organisation = {
    id: newId('org'),
    name: checkedName(input.name, '/organisation_name'),
    state: 'active',
    state_reason: null,
    state_until: null,
    disabled_at: null,
    deactivated_at: null,
    awaiting_approval: input.awaitingApproval,
    requires_second_factor: false,
    second_factor_from: null,
    allow_needs_approval: false,
    history: 'console',
    history_days: HISTORY_DAYS_DEFAULT,
    decisions_need_two: false,
    created_at: tx.nowMs,
    updated_at: tx.nowMs,
    erased_at: null,
  } as const
  return organisations.insert(tx, organisation, { unconfirmed: input.unconfirmed ? 1 : 0 })
}

/** The organisation has a member: the limit of free checks for unconfirmed sign-ups no longer applies. */
export async function noteConfirmed(tx: Tx, id: string): Promise<void> {
  await tx.query('update organisation set unconfirmed = 0 where id = $1 and unconfirmed = 1', [id])
}

export const requireOrganisation = (sql: SqlQueries, id: string): Promise<Organisation> =>
  orNotFound(organisations.find(sql, { id }), `There is no organisation ${id}.`)

/** Locks the organisation, so that changes to it are serialised. */
export async function lockOrganisation(tx: Tx, id: string): Promise<Organisation> {
  const found = await orNotFound(organisations.lock(tx, { id }), `There is no organisation ${id}.`)
  if (found.erased_at !== null) throw conflict(`Organisation ${id} was erased: it cannot be changed.`)
  return found
}

/** Locks the organisation of an actor who may change it. */
export async function lockForWriter(tx: Tx, actor: Actor): Promise<Organisation> {
  const organisation = await lockOrganisation(tx, actor.organisationId)
  requireWriter(actor)
  return organisation
}

export async function renameOrganisation(tx: Tx, actor: Actor, name: string): Promise<Organisation> {
  const before = await lockForWriter(tx, actor)
  requireProof(actor)
  const after = await organisations.update(tx, before, { name: checkedName(name), updated_at: tx.nowMs })
  await audit(tx, actor, 'organisation.update', before.id, { name: { from: before.name, to: after.name } })
  return after
}

const NEEDS_TWO = {
  allow_needs_approval: ['organisation.allow_approval', 'allow entries'],
  decisions_need_two: ['organisation.decision_approval', 'decisions about checks'],
} as const

/** For what only a signed-in owner may decide, and the operator. */
export function requireOwner(actor: Actor, what: string): void {
  requireWriter(actor)
  if (!isUnlimited(actor) && (actor.kind !== 'person' || actor.role !== 'owner')) {
    throw forbidden(`Only a signed-in owner may decide whether ${what}.`)
  }
  requireProof(actor)
}

/** Only owners decide: an admin who switched it off could then allow anything alone. */
export async function setSecondPerson(tx: Tx, actor: Actor, setting: keyof typeof NEEDS_TWO, needed: boolean) {
  const before = await lockOrganisation(tx, actor.organisationId)
  const [action, things] = NEEDS_TWO[setting]
  requireOwner(actor, `${things} need a second person`)
  if (before[setting] === needed) return before
  const after = await organisations.update(tx, before, { [setting]: needed, updated_at: tx.nowMs })
  await audit(tx, actor, action, before.id, { needed })
  return after
}

/** Sets the checks that are kept from now on, and for how many days. Kept ones stay until their days are over. */
export async function setHistory(
  tx: Tx,
  actor: Actor,
  wanted: Partial<Pick<Organisation, 'history' | 'history_days'>>,
): Promise<Organisation> {
  const before = await lockForWriter(tx, actor)
  requireProof(actor)
  const after = await organisations.update(tx, before, { ...wanted, updated_at: tx.nowMs })
  const change = <K extends 'history' | 'history_days'>(name: K) =>
    before[name] === after[name] ? {} : { [name]: { from: before[name], to: after[name] } }
  await audit(tx, actor, 'organisation.history', before.id, { ...change('history'), ...change('history_days') })
  return after
}
