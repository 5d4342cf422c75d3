/**
 * Invitations: a single-use link that makes a person a member.
 *
 *  1. Its maker has every right of the role it gives.
 *  2. It works only while its maker could still make it: not after they lost that role, left, were disabled,
 *     or their key or application ended.
 *  3. An invitation for an address is sent there if the server sends mail, unless it has ended by then. The mailed link
 *     also carries a proof, which its maker never sees: a person who has it has the mailbox.
 *  4. The addressee of one that has ended may ask for a new one, three times within 90 days. The inviter is told, or the
 *     owners if the inviter could not make it again.
 */

import type { Actor } from '../../access/actor.ts'
import { type Holder, mayInvite, requireRole } from '../../access/rights.ts'
import { ROLES, type Role } from '../../access/roles.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { defineTable, type EntityOf, integer, orNull, type PageOptions, text } from '../../db/table.ts'
import { conflict, forbidden, invalidField, notFound, orNotFound, Problem } from '../../errors.ts'
import { emitToPerson } from '../../events/emit.ts'
import { DAY_MS, dayWords, iso } from '../../lib/clock.ts'
import { sha256Hex } from '../../lib/hashing.ts'
import { newId, randomBase62 } from '../../lib/ids.ts'
import type { Ring } from '../../lib/seal.ts'
import { LIMITS } from '../../limits.ts'
import { isMailStopped, putMail } from '../../mail/mail.ts'
import { audit } from '../audit.ts'
import { findClient } from '../clients/clients.ts'
import { findKey, keyState } from '../keys/keys.ts'
import { admit, findMember, ownersOf } from '../members/members.ts'
import { lockForWriter, lockOrganisation, requireOrganisation } from '../organisation/organisations.ts'
import { type From, selfIn, strangerIn } from '../people/audit-self.ts'
import type { Telling } from '../people/factors/factors.ts'
import { type LinkMaker, mailWithLink } from '../people/links.ts'
import { mailboxOf } from '../people/mail-reach.ts'
import { checkedEmail, findPerson, findPersonByEmail, normaliseSignInEmail, type Person } from '../people/people.ts'
import type { Terms } from '../people/terms.ts'
import { refuseWait, takeAttempt, takeDailyShare } from '../people/throttle.ts'

const invitations = defineTable({
  name: 'invitation',
  key: ['id'],
  fixed: ['organisation_id', 'role', 'email', 'made_by_kind', 'made_by', 'created_at', 'expires_at'],
  columns: {
    id: text(),
    organisation_id: text(),
    role: text<Role>(),
    /** Only this address may accept; null: anybody with the link. */
    email: orNull(text()),
    made_by_kind: text<Actor['kind']>(),
    made_by: text(),
    created_at: integer(),
    expires_at: integer(),
    accepted_at: orNull(integer()),
    accepted_by: orNull(text()),
    revoked_at: orNull(integer()),
  },
})
export type Invitation = EntityOf<typeof invitations>

export const INVITATION_STATES = ['open', 'accepted', 'expired', 'revoked'] as const
export type InvitationState = (typeof INVITATION_STATES)[number]

const PATH = 'invitation'
/** After #, so that the secret is in no server log. */
export const invitationLink = (baseUrl: string, secret: string) => `${baseUrl}/${PATH}#${secret}`

/** Makes an invitation; `secret` is for the link and returned only here. With `mail` the link is sent to the address. */
export async function createInvitation(
  tx: Tx,
  actor: Actor,
  input: { readonly role: Role; readonly email?: string | undefined; readonly days?: number | undefined },
  mail?: LinkMaker,
) {
  const { organisationId } = actor
  const { role, email, days = LIMITS.counts.invitationDaysDefault } = input
  if (!Number.isInteger(days) || days < 1 || days > LIMITS.counts.invitationDaysMax) {
    throw invalidField('/expires_in_days', `An invitation is open for 1 to ${LIMITS.counts.invitationDaysMax} days.`)
  }
  await lockForWriter(tx, actor)
  requireRole(actor, role)
  const unused = { organisation_id: organisationId, accepted_at: null, revoked_at: null }
  const open = await invitations.count(tx, unused, ` and expires_at > ${tx.nowMs}`)
  if (open >= LIMITS.counts.invitationsOpenMax) {
    throw conflict(`There are ${open} open invitations. Withdraw some first.`)
  }
  const address = email === undefined ? null : checkedEmail(email)
  if (address !== null) await refuseKnownAddress(tx, organisationId, address)
  await takeDailyShare(tx, actor, 'invitations')
  const secret = randomBase62(32)
  const invitation = await invitations.insert(
    tx,
    {
      id: newId('inv'),
      organisation_id: organisationId,
      role,
      email: address,
      made_by_kind: actor.kind,
      made_by: actor.id,
      created_at: tx.nowMs,
      expires_at: tx.nowMs + days * DAY_MS,
      accepted_at: null,
      accepted_by: null,
      revoked_at: null,
    },
    { digest: sha256Hex(secret) },
  )
  await audit(tx, actor, 'invitation.create', invitation.id, { role, ...(address !== null && { email: address }) })
  return {
    invitation,
    secret,
    mailed: mail !== undefined && (await mailInvitation(tx, actor, invitation, mail, secret)),
  }
}

/** Earlier ones may have ended with their maker's right. */
const SAME_ADDRESS_MAX = 20

async function refuseKnownAddress(tx: Tx, organisationId: string, email: string, advice = 'Withdraw it first.') {
  if (await isMember(tx, organisationId, email)) throw conflict(`${email} is a member already.`)
  const same = { organisation_id: organisationId, email, accepted_at: null, revoked_at: null }
  for (const earlier of await invitations.list(tx, same, { order: 'created_at', limit: SAME_ADDRESS_MAX })) {
    if ((await invitationState(tx, earlier, tx.nowMs)) !== 'open') continue
    throw conflict(`${email} has an open invitation until ${dayWords(earlier.expires_at)}. ${advice}`)
  }
}

async function isMember(sql: SqlQueries, organisationId: string, email: string): Promise<boolean> {
  const known = await findPersonByEmail(sql, email)
  return known !== undefined && (await findMember(sql, organisationId, known.person.id)) !== undefined
}

/**
 * Rule 3; false without an address, or if too many were sent to it in the last hour. `waiting`: at the moment the mail
 * server accepts none.
 */
async function mailInvitation(
  tx: Tx,
  actor: Actor,
  { organisation_id, email, role, expires_at }: Invitation,
  mail: LinkMaker,
  secret: string,
) {
  if (email === null) return false
  const { name: organisation } = await requireOrganisation(tx, organisation_id)
  const person = actor.kind === 'person' ? await findPerson(tx, actor.id) : undefined
  const facts = { organisation, inviter: person?.name ?? organisation, role, expires_at: iso(expires_at) }
  const stopped = await isMailStopped(tx)
  const mailed = await mailWithLink(tx, mail, {
    kind: 'invitation',
    to: email,
    organisationId: organisation_id,
    facts,
    path: PATH,
    token: `${secret}.${mail.ring.mac(PROOF, proofText(secret, email))}`,
  })
  return mailed && stopped ? 'waiting' : mailed
}

const PROOF = 'mailed invitations'
const proofText = (secret: string, email: string) => `${secret} ${email}`

/** The secret of an invitation, and the proof of the mailbox if the link was mailed. */
function partsOf(token: string): { readonly secret: string; readonly proof: string } {
  const end = token.indexOf('.')
  return end < 0 ? { secret: token, proof: '' } : { secret: token.slice(0, end), proof: token.slice(end + 1) }
}

/** True if the link was mailed to this address: rule 3. */
export async function provesMailbox(ring: Ring, token: string, email: string): Promise<boolean> {
  const { secret, proof } = partsOf(token)
  if (proof !== '') await ring.know(proof)
  return proof !== '' && ring.isMac(PROOF, proofText(secret, email), proof)
}

export async function isInvitationOpen(sql: SqlQueries, link: string, nowMs: number): Promise<boolean> {
  try {
    await findOpenInvitation(sql, link.slice(link.indexOf('#') + 1), nowMs)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

/** Withdraws an invitation that nobody used; 404 when there is none of that id. */
export async function revokeInvitation(tx: Tx, actor: Actor, id: string): Promise<void> {
  await lockForWriter(tx, actor)
  const unused = { id, organisation_id: actor.organisationId, accepted_at: null, revoked_at: null }
  const invitation = await orNotFound(invitations.find(tx, unused), 'There is no such open invitation.')
  requireRole(actor, invitation.role)
  await invitations.update(tx, invitation, { revoked_at: tx.nowMs })
  await audit(tx, actor, 'invitation.revoke', id, { role: invitation.role })
}

/** Oldest first, each with its state. */
export async function listInvitations(sql: SqlQueries, organisationId: string, nowMs: number, page: PageOptions) {
  const { rows, next } = await invitations.page(sql, { organisation_id: organisationId }, page)
  const stated = []
  for (const invitation of rows) stated.push({ ...invitation, state: await invitationState(sql, invitation, nowMs) })
  return { rows: stated, next }
}

async function invitationState(sql: SqlQueries, invitation: Invitation, nowMs: number): Promise<InvitationState> {
  if (invitation.accepted_at !== null) return 'accepted'
  if (invitation.revoked_at !== null) return 'revoked'
  if (invitation.expires_at <= nowMs) return 'expired'
  return (await mayStillBeMade(sql, invitation, nowMs)) ? 'open' : 'revoked'
}

/** Rule 2. */
async function mayStillBeMade(sql: SqlQueries, invitation: Invitation, nowMs: number): Promise<boolean> {
  const maker = await makerNow(sql, invitation, nowMs)
  return maker !== undefined && mayInvite(maker, invitation.role)
}

/** The maker with their current rights; undefined without any. */
async function makerNow(
  sql: SqlQueries,
  { organisation_id: organisationId, made_by_kind: kind, made_by: id }: Invitation,
  nowMs: number,
): Promise<Holder | undefined> {
  if (kind === 'person') {
    const member = await findMember(sql, organisationId, id)
    if (member?.state !== 'active') return undefined
    return { kind, scopes: new Set(ROLES[member.role].scopes), role: member.role }
  }
  if (kind === 'api_key') {
    const key = await findKey(sql, { id, organisation_id: organisationId })
    return key && keyState(key, nowMs) === 'active' ? { kind, scopes: new Set(key.scopes), role: undefined } : undefined
  }
  if (kind === 'application') {
    const client = await findClient(sql, { id, organisation_id: organisationId })
    return client?.state === 'active' ? { kind, scopes: new Set(client.scopes), role: undefined } : undefined
  }
  return { kind, scopes: new Set(), role: undefined }
}

/** An invitation by the part of its link after #, or by its id. */
type Which = string | { readonly id: string }

/** An invitation that was not withdrawn, in any other state; 404 for any other. */
async function readInvitation(sql: SqlQueries, which: Which, nowMs: number) {
  const [column, value] = typeof which === 'string' ? ['digest', sha256Hex(partsOf(which).secret)] : ['id', which.id]
  const [invitation] = await invitations.where(sql, `${column} = $1`, [value])
  const withdrawn = invitation?.revoked_at != null && (await mayStillBeMade(sql, invitation, nowMs))
  if (!invitation || withdrawn) throw notFound('There is no such invitation.')
  const organisation = await requireOrganisation(sql, invitation.organisation_id)
  return { invitation, organisation, state: await invitationState(sql, invitation, nowMs) }
}

/** An open invitation; 404 for an unknown or withdrawn one, 409 for one that has ended otherwise. */
export async function findOpenInvitation(sql: SqlQueries, which: Which, nowMs: number) {
  const { invitation, organisation, state } = await readInvitation(sql, which, nowMs)
  const { email } = invitation
  if (organisation.state === 'disabled') throw organisationDisabled()
  if (state === 'open') return { ...invitation, organisation_name: organisation.name }
  if (state === 'accepted' && email !== null && (await isMember(sql, organisation.id, email))) {
    throw conflict(`You have joined ${organisation.name} with this link already. Sign in.`)
  }
  const ended = {
    accepted: 'was already used',
    expired: 'has expired',
    revoked: 'ended because its creator lost the right to invite',
  }[state]
  const whom = state === 'revoked' ? 'an owner or admin' : await inviterOf(sql, invitation)
  const detail = `This invitation to ${organisation.name} ${ended}. Ask ${whom} for another.`
  const asks = [{ pointer: '/token', code: 'ended', detail: 'Its addressee may ask for a new one.' }]
  throw new Problem('conflict', { detail, ...(mayBeAskedFor(invitation, nowMs) && { errors: asks }) })
}

const organisationDisabled = () => conflict('The organisation is disabled, so nobody can join it. Ask its operator.')

/** Rule 4. Without an address nobody knows who asks. */
function mayBeAskedFor({ email, accepted_at, revoked_at, expires_at }: Invitation, nowMs: number): boolean {
  const endedMs = Math.min(accepted_at ?? expires_at, revoked_at ?? expires_at)
  return email !== null && endedMs > nowMs - LIMITS.attempts.invitationAsks.windowMs
}

/** Notifies the people who can invite again: rule 4. Returns the inviter's name, or null if the owners were notified. */
export async function askForInvitation(tx: Tx, deps: Telling, token: string, from: From): Promise<string | null> {
  const { invitation, organisation, state } = await readInvitation(tx, token, tx.nowMs)
  const { id, email, role } = invitation
  if (organisation.state === 'disabled') throw organisationDisabled()
  if (state === 'open') throw conflict('This invitation still works: open its link.')
  if (email === null || !mayBeAskedFor(invitation, tx.nowMs)) {
    const why = email === null ? 'was for anybody with the link' : 'ended too long ago'
    throw conflict(`This invitation ${why}. Ask a member of ${organisation.name} yourself.`)
  }
  await refuseKnownAddress(tx, organisation.id, email, 'Look for its mail, or ask for its link.')
  const { waitMs } = await takeAttempt(tx, `asks ${id}`, LIMITS.attempts.invitationAsks, tx.nowMs)
  refuseWait(waitMs, 'You have asked for a new invitation already.')
  const isInviter = invitation.made_by_kind === 'person' && (await mayStillBeMade(tx, invitation, tx.nowMs))
  const owners = isInviter ? [] : await ownersOf(tx, organisation.id, LIMITS.counts.billingContactsMax)
  const facts = { organisation: organisation.name, email, role }
  for (const personId of isInviter ? [invitation.made_by] : owners.map((owner) => owner.id)) {
    emitToPerson(tx, { personId, type: 'invitation.asked', data: { ...facts, organisation_id: organisation.id } })
    const mailbox = deps.sendsMail ? await mailboxOf(tx, personId) : undefined
    if (!mailbox) continue
    const { email: to, name } = mailbox
    await putMail(tx, {
      kind: 'invitation_asked',
      to,
      personId,
      organisationId: organisation.id,
      facts: { name, ...facts },
    })
  }
  await audit(tx, strangerIn(from)(organisation.id), 'invitation.ask', id, { role, email })
  return isInviter ? inviterOf(tx, invitation) : null
}

export async function inviterOf(sql: SqlQueries, { made_by_kind, made_by }: Invitation): Promise<string> {
  const person = made_by_kind === 'person' ? await findPerson(sql, made_by) : undefined
  return person?.name ?? 'an owner or admin'
}

/** Makes the person returned by `who` a member; `who` is called under lock, when the invitation is known to be open. */
export async function acceptInvitation(
  tx: Tx,
  which: Which,
  who: () => Promise<Person>,
  from: From,
  terms: Terms | null = null,
) {
  const { organisation_id: organisationId } = await findOpenInvitation(tx, which, tx.nowMs)
  await lockOrganisation(tx, organisationId)
  const invitation = await findOpenInvitation(tx, which, tx.nowMs)
  const person = await who()
  requireAddressee(invitation, person.email)
  await invitations.update(tx, invitation, { accepted_at: tx.nowMs, accepted_by: person.id })
  const { id: personId } = person
  const { id: invitation_id, role } = invitation
  const detail = { invitation_id, ...(terms && { terms_accepted: terms }) }
  await admit(tx, selfIn(person, from)(organisationId), { personId, role }, detail)
  return { ...invitation, accepted_by: personId }
}

/** 403 if the invitation is for another address. */
export function requireAddressee({ email }: Pick<Invitation, 'email'>, given: string): void {
  if (email === null || normaliseSignInEmail(email) === normaliseSignInEmail(given)) return
  throw forbidden('This invitation is for another email address.')
}
