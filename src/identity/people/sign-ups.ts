/**
 * Sign-ups that wait for their address, on a server that sends mail. A newcomer who accepts an invitation waits in the
 * same way, and joins with its role instead of becoming the owner.
 *
 *  1. Only the mailbox shows whether an address has an account: a sign-up makes the same rows and gets the same
 *     answer, for an address that is known and one that is not.
 *  2. The organisation has no owner until the link in the mail is used. Then the verified account of that address becomes its
 *     owner; if there is none, an account is made for the person who signed up, with the password they chose.
 *  3. A new account needs that password once more: so a person who gets an unexpected mail does not get an account whose
 *     password a stranger knows. A verified account keeps its own; the one typed at sign-up is forgotten.
 *  4. An account that was never verified may be a stranger's, who chose its password and waits for the holder of the address.
 *     It is treated as new: the password of the sign-up becomes its own, and its former credentials end.
 *  5. Without the password of the sign-up, its key and the right to claim one end: a stranger may
 *     have begun it. It has made no session: nobody can sign in before the link is used.
 *  6. A link works once, for a day. The person who began the sign-up can have it sent again, also to another address, for 30 days: a
 *     newer link ends the former one.
 *  7. A sign-up whose mail cannot be sent is refused, alike for every address.
 */
import type { Role } from '../../access/roles.ts'
import { deletePast } from '../../db/purge.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { defineTable, type EntityOf, integer, json, orNull, text } from '../../db/table.ts'
import { conflict, forbidden, Problem } from '../../errors.ts'
import { DAY_MS, HOUR_MS } from '../../lib/clock.ts'
import { sha256Hex } from '../../lib/hashing.ts'
import { randomBase62 } from '../../lib/ids.ts'
import { acceptInvitation, findOpenInvitation } from '../invitations/invitations.ts'
import { admit } from '../members/members.ts'
import { lockOrganisation, requireOrganisation } from '../organisation/organisations.ts'
import { tellNewMember } from '../organisation/second-factor.ts'
import { markVerified } from './address.ts'
import { type From, selfIn } from './audit-self.ts'
import { takeOver } from './changes.ts'
import { type LinkMaker, linkEnded, mailWithLink } from './links.ts'
import { checkedEmail, createPerson, findPersonByEmail, type Person } from './people.ts'
import type { Terms } from './terms.ts'
import { waiting } from './throttle.ts'

const signUps = defineTable({
  name: 'sign_up',
  key: ['digest'],
  fixed: ['email', 'name', 'organisation_id', 'invitation_id', 'terms', 'created_at', 'expires_at'],
  columns: {
    digest: text(),
    email: text(),
    name: text(),
    organisation_id: text(),
    /** The invitation that was accepted; null for a sign-up. */
    invitation_id: orNull(text()),
    /** The terms that were accepted with the invitation. A checkout records those of a sign-up. */
    terms: orNull(json<Terms>()),
    created_at: integer(),
    expires_at: integer(),
    used_at: orNull(integer()),
  },
})

/** Rule 6: how long a sign-up is kept after its link ended. */
const KEPT_MS = 29 * DAY_MS

export interface NewSignUp {
  readonly email: string
  readonly name: string
  readonly passwordHash: string
  readonly organisation: { readonly id: string; readonly name: string }
  readonly invitation?: { readonly id: string; readonly role: Role; readonly terms: Terms | null } | undefined
}

/** Stores a sign-up and mails its link: rules 1 and 7. */
export async function putSignUp(tx: Tx, maker: LinkMaker, input: NewSignUp): Promise<void> {
  const token = randomBase62(32)
  const row = {
    digest: sha256Hex(token),
    email: checkedEmail(input.email),
    name: input.name,
    organisation_id: input.organisation.id,
    invitation_id: input.invitation?.id ?? null,
    terms: input.invitation?.terms ?? null,
    created_at: tx.nowMs,
    expires_at: tx.nowMs + DAY_MS,
    used_at: null,
  }
  await signUps.insert(tx, row, { password_hash: input.passwordHash })
  await mailSignUp(tx, maker, row, token, { organisation: input.organisation.name, role: input.invitation?.role })
}

async function mailSignUp(
  tx: Tx,
  maker: LinkMaker,
  {
    email: to,
    name,
    organisation_id: organisationId,
  }: Pick<EntityOf<typeof signUps>, 'email' | 'name' | 'organisation_id'>,
  token: string,
  facts: { readonly organisation: string; readonly role?: Role | undefined },
): Promise<void> {
  const known = await findVerified(tx, to)
  const kind = known ? 'sign_up_again' : 'sign_up'
  // The name of the account, not the one that a stranger may have typed.
  const about = { name: known?.name ?? name, ...facts }
  const mailed = await mailWithLink(tx, maker, { kind, to, organisationId, facts: about, path: 'confirm', token })
  if (!mailed) throw waiting(HOUR_MS, 'Too many mails were sent to this address.')
}

/** Rule 6: a new link for the sign-up of an organisation, to its address or to another. */
export async function mailSignUpAgain(tx: Tx, maker: LinkMaker, organisationId: string, email?: string) {
  const { name: organisation } = await lockOrganisation(tx, organisationId)
  const token = randomBase62(32)
  const [row] = await tx.query<{ email: string; name: string }>(
    `update sign_up set digest = $2, email = coalesce($3, email), expires_at = $4
     where organisation_id = $1 and invitation_id is null and used_at is null returning email, name`,
    [organisationId, sha256Hex(token), email === undefined ? null : checkedEmail(email), tx.nowMs + DAY_MS],
  )
  if (!row) throw conflict('This sign-up was confirmed, or is too old. Sign in, or sign up again.')
  await mailSignUp(tx, maker, { ...row, organisation_id: organisationId }, token, { organisation })
  return { email: row.email }
}

async function findVerified(sql: SqlQueries, email: string): Promise<Person | undefined> {
  const found = await findPersonByEmail(sql, email)
  return found?.person.email_verified ? found.person : undefined
}

/** The sign-up of a valid link, or 404. Without a verified `account` its password is needed: rules 3 and 4. */
export async function findSignUp(sql: SqlQueries, token: string, nowMs: number) {
  const { row, passwordHash } = await requireSignUpRow(sql, token, nowMs)
  const organisation = await requireOrganisation(sql, row.organisation_id)
  const account = await findVerified(sql, row.email)
  const { email, invitation_id: id } = row
  const role: Role = id === null ? 'owner' : (await findOpenInvitation(sql, { id }, nowMs)).role
  return { email, organisation: organisation.name, role, invited: id !== null, account, passwordHash }
}

async function requireSignUpRow(sql: SqlQueries, token: string, nowMs: number) {
  const [row] = await sql.query<{ password_hash: string }>(
    `select ${signUps.columns()}, password_hash from sign_up where digest = $1 and used_at is null and expires_at > $2`,
    [sha256Hex(token), nowMs],
  )
  if (!row) throw linkEnded()
  return { row: signUps.fromRow(row), passwordHash: row.password_hash }
}

export interface ConfirmedSignUp {
  readonly person: Person
  readonly organisationId: string
  /** False if the organisation was added to an existing account. */
  readonly isNew: boolean
  /** True if the person joined by an invitation: the organisation is not theirs. */
  readonly isInvited: boolean
  /** False: rule 5. */
  readonly provedPassword: boolean
}

/** Rules 2 to 4. `provedPassword`: the password of the sign-up was just typed. */
export async function confirmSignUp(
  tx: Tx,
  { token, provedPassword }: { readonly token: string; readonly provedPassword: boolean },
  from: From,
): Promise<ConfirmedSignUp> {
  const { row, passwordHash } = await requireSignUpRow(tx, token, tx.nowMs)
  const { organisation_id: organisationId, invitation_id: invitationId, email, name, terms } = row
  await lockOrganisation(tx, organisationId)
  // Deleted, not marked: its password is kept nowhere else. Exactly one confirmation finds it.
  if ((await signUps.delete(tx, { digest: row.digest, used_at: null })) === 0) throw linkEnded()
  const found = await findPersonByEmail(tx, email)
  const isVerified = found?.person.email_verified === true
  if (!isVerified && !provedPassword) {
    throw new Problem('sign_in_failed', { detail: 'Type the password that you chose when you signed up.' })
  }
  if (found && found.person.state !== 'active') {
    throw forbidden('The account with this address is disabled. Ask the operator.')
  }
  if (found && !isVerified) await takeOver(tx, found.person.id, { name, passwordHash }, selfIn(found.person, from))
  const person = found?.person ?? (await createPerson(tx, { email, name, passwordHash, emailVerified: true }))
  // A stranger may have accepted the terms for a verified account.
  const accepted = isVerified ? null : terms
  if (invitationId !== null) await acceptInvitation(tx, { id: invitationId }, async () => person, from, accepted)
  else await admit(tx, selfIn(person, from)(organisationId), { personId: person.id, role: 'owner' })
  const verified = found && !isVerified ? await markVerified(tx, person.id, from) : person
  await tellNewMember(tx, { sendsMail: true }, organisationId, person.id)
  const isInvited = invitationId !== null
  return { person: verified, isNew: !isVerified, organisationId, isInvited, provedPassword }
}

export function purgeSignUps(sql: SqlQueries, nowMs: number): Promise<number> {
  return deletePast(sql, { table: 'sign_up', key: 'digest', time: 'expires_at' }, nowMs - KEPT_MS)
}
