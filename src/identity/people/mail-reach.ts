/** Delivery state of people's addresses, from the answers of mail servers, and who gets billing mails. */
import type { Tx } from '../../db/sql.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { LIMITS } from '../../limits.ts'

interface Addressee {
  readonly recipient: string
  readonly person_id: string | null
}

/** A mail server rejected the address permanently. A mail without a person counts for the person with that address. */
export async function noteMailRefused(tx: Tx, { recipient }: Addressee): Promise<void> {
  await tx.query('update person set mail_refused_at = $2 where email = $1', [recipient, tx.nowMs])
}

export async function noteMailArrived(tx: Tx, { recipient }: Addressee): Promise<void> {
  const reached = 'update person set mail_refused_at = null where email = $1 and mail_refused_at is not null'
  await tx.query(reached, [recipient])
}

/** How long a refused address gets no mail; then it is tried again, because the refusal may have been a mistake. */
const REFUSED_MS = 7 * DAY_MS

const REACHABLE = `p.state = 'active' and p.email_verified = 1
       and (p.mail_refused_at is null or p.mail_refused_at < $2) and coalesce(p.address_problem, '') = ''`

/** The confirmed address of a person who can sign in; undefined if mail would not reach them. */
export async function mailboxOf(tx: Tx, personId: string): Promise<{ name: string; email: string } | undefined> {
  const rows = await tx.query<{ name: string; email: string }>(
    `select p.name, p.email from person p where p.id = $1 and ${REACHABLE}`,
    [personId, tx.nowMs - REFUSED_MS],
  )
  return rows[0]
}

/** Owners and admins who can sign in and have confirmed their address, if it is valid. */
export async function billingContacts(tx: Tx, organisationId: string): Promise<{ personId: string; email: string }[]> {
  return tx.query<{ personId: string; email: string }>(
    `select p.id as "personId", p.email from membership m join person p on p.id = m.person_id
     where m.organisation_id = $1 and m.role in ('owner', 'admin') and ${REACHABLE}
     order by p.created_at, p.id limit ${LIMITS.counts.billingContactsMax}`,
    [organisationId, tx.nowMs - REFUSED_MS],
  )
}
