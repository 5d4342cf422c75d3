/** Delivery state of people's addresses, from the answers of mail servers. */
import type { Tx } from '../../db/sql.ts'

interface Addressee {
  readonly recipient: string
  readonly person_id: string | null
}

/** A mail server rejected the address permanently. A mail without a person counts for the person with that address. */
export async function noteMailRefused(tx: Tx, { recipient }: Addressee): Promise<void> {
  await tx.query('update person set mail_refused_at = $2 where email = $1', [recipient, tx.nowMs])
}

export async function noteMailArrived(tx: Tx, { recipient }: Addressee): Promise<void> {
  await tx.query('update person set mail_refused_at = null where email = $1 and mail_refused_at is not null', [
    recipient,
  ])
}
