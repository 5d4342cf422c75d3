/**
 * Changes that people make to their own account.
 *
 *  1. A new password ends every other session. Grants to applications stay, unless the person ends them too:
 *     an application never knew the password. After a forgotten password both end, because somebody else may have used it.
 *  2. The old password must still be valid when the new one is written.
 *  3. A mailed link for a new password makes the account that of the mailbox: also after a sign-in that was not theirs, and
 *     after a change of address, which it undoes. The factors that were added since go with it.
 *  4. Every change is audited in each organisation of the person, and a new password is announced by mail.
 */
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { conflict, notFound } from '../../errors.ts'
import { DAY_MS, iso } from '../../lib/clock.ts'
import { putMail } from '../../mail/mail.ts'
import { auditPerson, type ByOperator, lockPerson } from '../members/members.ts'
import { checkedName } from '../organisation/organisations.ts'
import { markVerified, undoAddress } from './address.ts'
import { auditSelf, type From, selfIn } from './audit-self.ts'
import { resetPassword } from './changes.ts'
import { forgetDevices, rememberDevice } from './devices.ts'
import { dropFactors } from './factors/factors.ts'
import { endGrants, endSessions } from './grants.ts'
import { endLinks, type FoundLink, findLink, type LinkMaker, mailLink, PASSWORD_LINKS, useLink } from './links.ts'
import { findPersonByEmail, findPersonWithHash, type Person, people } from './people.ts'

export async function renamePerson(tx: Tx, personId: string, name: string, from: From): Promise<Person> {
  const held = await lockPerson(tx, personId)
  const { person } = held
  const to = checkedName(name)
  if (to === person.name) return person
  const renamed = await people.update(tx, person, { name: to, updated_at: tx.nowMs })
  await auditPerson(tx, selfIn(person, from), held, 'person.rename', { from: person.name, to })
  return renamed
}

export interface NewPassword {
  readonly passwordHash: string
  /** Rule 2. */
  readonly formerHash: string
  /** This session stays. */
  readonly sessionId: string
  readonly endsGrants: boolean
}

export async function changePassword(tx: Tx, personId: string, input: NewPassword, from: From, sendsMail: boolean) {
  const held = await lockPerson(tx, personId)
  if ((await findPersonWithHash(tx, personId))?.passwordHash !== input.formerHash) {
    throw conflict('The password has just been changed. Sign in again.')
  }
  const { person } = held
  await people.update(tx, person, { updated_at: tx.nowMs }, { password_hash: input.passwordHash })
  await forgetDevices(tx, personId, { exceptOfSession: input.sessionId })
  await endSessions(tx, personId, { except: input.sessionId })
  await endLinks(tx, personId, ['reset'])
  const grantsEnded = input.endsGrants ? await endGrants(tx, { personId }, tx.nowMs) : 0
  await auditPerson(tx, selfIn(person, from), held, 'person.password', { grants_ended: grantsEnded })
  if (sendsMail) await tellPasswordChanged(tx, person, from.ip)
}

/** Runs after the answer, so that neither the answer nor its time shows whether the account exists. */
export async function askForReset(tx: Tx, maker: LinkMaker, email: string): Promise<void> {
  const found = await findPersonByEmail(tx, email)
  if (found) await mailLink(tx, maker, found.person.id, 'reset')
}

/** Rule 3. This also verifies the address and makes the browser known. */
export async function resetByLink(
  tx: Tx,
  input: { readonly token: string; readonly passwordHash: string; readonly deviceDigest: string },
  from: From,
  sendsMail: boolean,
): Promise<Person> {
  const link = await findLink(tx, input.token, PASSWORD_LINKS, tx.nowMs)
  const { id } = link.person
  const by = selfIn({ id }, from)
  await resetPassword(tx, id, input.passwordHash, by)
  await useLink(tx, input.token)
  if (link.kind === 'undo') await undoAddress(tx, by, link)
  await endLinks(tx, id, ['reset', 'not_me', 'change'])
  const sinceMs = strangeSince(link)
  if (sinceMs !== undefined) await dropFactors(tx, id, sinceMs)
  const person = await markVerified(tx, id, from)
  await rememberDevice(tx, id, input.deviceDigest)
  if (sendsMail) await tellPasswordChanged(tx, person, from.ip)
  return person
}

/** From when on the factors may be a stranger's. A change of address is confirmed within a day after it was asked for. */
function strangeSince({ kind, person, madeAtMs }: FoundLink<(typeof PASSWORD_LINKS)[number]>): number | undefined {
  if (!person.email_verified) return 0
  return { reset: undefined, not_me: madeAtMs, undo: madeAtMs - DAY_MS }[kind]
}

export async function resetForPerson(
  tx: Tx,
  { sendsMail }: { readonly sendsMail?: boolean | undefined },
  personId: string,
  passwordHash: string,
  by: ByOperator,
): Promise<Person> {
  const person = await resetPassword(tx, personId, passwordHash, by)
  if (sendsMail) await tellPasswordChanged(tx, person)
  return person
}

/** Without an address: the operator changed it. */
async function tellPasswordChanged(tx: Tx, { id, email: to, name }: Person, ip?: string): Promise<void> {
  const facts = { name, at: iso(tx.nowMs), ip: ip ?? null, by_operator: ip === undefined }
  await putMail(tx, { kind: 'password_changed', to, personId: id, facts })
}

/** The sessions of a person, newest first. */
export function listSessions(sql: SqlQueries, personId: string, nowMs: number) {
  return sql.query<{ id: string; ip: string | null; user_agent: string | null; created_at: number; seen_at: number }>(
    `select coalesce(id, digest) as id, ip, user_agent, created_at, coalesce(seen_at, created_at) as seen_at
     from console_session where person_id = $1 and expires_at > $2 order by created_at desc, digest limit 200`,
    [personId, nowMs],
  )
}

/** Ends one of a person's sessions; 404 when there is none of that id. */
export async function endSession(tx: Tx, person: Person, id: string, from: From): Promise<void> {
  const ended = await tx.query(
    'delete from console_session where person_id = $1 and coalesce(id, digest) = $2 returning digest',
    [person.id, id],
  )
  if (ended.length === 0) throw notFound('This session has already ended.')
  await auditSelf(tx, person, selfIn(person, from), 'session.end')
}

/** Ends all sessions except one, including those of the OAuth library. */
export async function endOtherSessions(tx: Tx, person: Person, sessionId: string, from: From): Promise<void> {
  await endSessions(tx, person.id, { except: sessionId })
  await auditSelf(tx, person, selfIn(person, from), 'session.end')
}
