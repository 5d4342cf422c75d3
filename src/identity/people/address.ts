/**
 * The email address of a person.
 *
 *  1. An address is verified for, or given to, a person who has both the mailbox and the account. A link opened by somebody
 *     else would verify it for a stranger.
 *  2. A request for a new address gets the same answer, and does the same work, for an address with an account and one without. Only the holder of the
 *     mailbox learns that it is taken. If two people want the same address, the first to confirm gets it.
 *  3. A change ends every other session and the links to the former address. Consents stay: applications know a person by
 *     id. Invitations stay with the address they were sent to.
 *  4. The former address gets a mail, with a link that undoes the change for seven days, if it was verified. One that never was
 *     may be a stranger's, who must not get the account by it.
 *  5. The undo of an earlier change ends that of a later one: a thief cannot bring back the address of their own.
 */
import { operatorIn } from '../../access/actor.ts'
import type { FoundSession } from '../../access/session.ts'
import { type Tx, UniqueViolation } from '../../db/sql.ts'
import { conflict, forbidden } from '../../errors.ts'
import { HOUR_MS, iso } from '../../lib/clock.ts'
import { putMail } from '../../mail/mail.ts'
import { auditPerson, type ByOperator, type Held, lockPerson } from '../members/members.ts'
import { auditSelf, type From, selfIn } from './audit-self.ts'
import { endSessions } from './grants.ts'
import { ADDRESS_LINKS, endLinks, type FoundLink, findLink, type LinkMaker, mailLink, useLink } from './links.ts'
import { checkedEmail, findPersonByEmail, type Person, people, requirePerson } from './people.ts'
import { waiting } from './throttle.ts'

/** Rule 2. `email` is in normal form. */
export async function askForAddress(tx: Tx, maker: LinkMaker, personId: string, email: string): Promise<void> {
  const mailed = await mailLink(tx, maker, personId, 'change', { to: email, newEmail: email })
  if (!mailed) throw tooManyMails()
}

const tooManyMails = () => waiting(HOUR_MS, 'Too many mails were sent for a change of address.')

/** Rules 1, 3 and 4: the link of a signed-in person verifies their address, or gives them the new one. */
export async function confirmAddress(
  tx: Tx,
  maker: LinkMaker,
  session: Pick<FoundSession, 'id' | 'person'>,
  token: string,
  from: From,
): Promise<Person> {
  const link = await findLink(tx, token, ADDRESS_LINKS, tx.nowMs)
  const { id } = link.person
  if (id !== session.person.id) {
    throw forbidden('This link belongs to another account. Sign in to the account that asked for it.')
  }
  const held = await lockPerson(tx, id)
  await useLink(tx, token)
  if (link.kind === 'verify') {
    await endLinks(tx, id, ['verify'])
    return markVerified(tx, id, from)
  }
  const moved = await moveAddress(tx, selfIn({ id }, from), held, link.email)
  await endSessions(tx, id, { except: session.id })
  const { email: former, email_verified: wasVerified } = held.person
  const about = { to: former, newEmail: former, facts: { at: iso(tx.nowMs), by: 'person' } } as const
  if (wasVerified && !(await mailLink(tx, maker, id, 'undo', about))) throw tooManyMails()
  return moved
}

/** Marks the address as verified. The person must be locked. */
export async function markVerified(tx: Tx, personId: string, from: From): Promise<Person> {
  const person = await requirePerson(tx, personId)
  if (person.email_verified) return person
  const verified = await people.update(tx, person, { email_verified: true, updated_at: tx.nowMs })
  await auditSelf(tx, person, selfIn(person, from), 'person.verify')
  return verified
}

/** Rule 5. */
export async function undoAddress(tx: Tx, by: ByOperator, { person, email, madeAtMs }: FoundLink): Promise<void> {
  const held = await lockPerson(tx, person.id)
  await endLinks(tx, person.id, ['undo'], madeAtMs)
  await moveAddress(tx, by, held, email)
  await tellFormer(tx, held, 'undo')
}

/** The operator gives a person another address. Their sessions end. */
export async function setAddress(
  tx: Tx,
  { sendsMail }: { readonly sendsMail: boolean },
  personId: string,
  { email, emailVerified }: { readonly email: string; readonly emailVerified: boolean },
): Promise<Person> {
  const held = await lockPerson(tx, personId)
  const moved = await moveAddress(tx, operatorIn, held, checkedEmail(email), emailVerified)
  await endSessions(tx, personId)
  if (sendsMail) await tellFormer(tx, held, 'operator')
  return moved
}

async function tellFormer(tx: Tx, { person }: Held, by: 'operator' | 'undo'): Promise<void> {
  if (!person.email_verified) return
  const facts = { name: person.name, at: iso(tx.nowMs), by }
  await putMail(tx, { kind: 'address_changed', to: person.email, personId: person.id, facts })
}

async function moveAddress(tx: Tx, by: ByOperator, held: Held, email: string, emailVerified = true): Promise<Person> {
  const { person } = held
  const taken = () => conflict('Another account has this email address. Sign in with it instead.')
  const found = await findPersonByEmail(tx, email)
  if (found && found.person.id !== person.id) throw taken()
  const changes = { email_verified: emailVerified, updated_at: tx.nowMs }
  const moved = await people
    .update(tx, person, changes, { email, address_problem: '', mail_refused_at: null })
    .catch((error: unknown) => {
      throw error instanceof UniqueViolation ? taken() : error
    })
  await endLinks(tx, person.id, ['reset', 'verify', 'change', 'not_me'])
  await auditPerson(tx, by, held, 'person.email', { from: person.email, to: email })
  return moved
}
