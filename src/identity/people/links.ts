/**
 * Links sent by mail, by which a person proves that an address is theirs.
 *
 *  1. The secret in the link is random and stored only as its SHA-256; in the outbox it is sealed.
 *  2. A link works once, for one purpose, for one person, until it expires, while they have the address it was sent to.
 *  3. A new link for a new password ends the former ones, once its mail is on its way.
 *  4. A person is sent at most three links for a new password and five for their address per hour. Further requests get the
 *     same answer, and nothing is sent.
 *  5. The order of locks is organisations, person, link.
 */
import { deletePast } from '../../db/purge.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { Problem } from '../../errors.ts'
import { DAY_MS, HOUR_MS } from '../../lib/clock.ts'
import { sha256Hex } from '../../lib/hashing.ts'
import { randomBase62 } from '../../lib/ids.ts'
import type { Ring } from '../../lib/seal.ts'
import { type MailKind, type NewMail, putMail } from '../../mail/mail.ts'
import { sealSecret } from '../../outbox/outbox.ts'
import { type Person, people } from './people.ts'

export const LINK_KINDS = ['reset', 'verify'] as const
export type LinkKind = (typeof LINK_KINDS)[number]

/** How long a link works, how many are sent per hour, and the mail it is in. */
const LINKS = {
  reset: { lifetimeMs: HOUR_MS, perHourMax: 3, mail: 'reset_password' },
  verify: { lifetimeMs: DAY_MS, perHourMax: 5, mail: 'verify_address' },
} as const satisfies Record<LinkKind, { lifetimeMs: number; perHourMax: number; mail: MailKind }>

/** Dependencies for making and sealing links. */
export interface LinkMaker {
  readonly baseUrl: string
  readonly ring: Ring
}

export const linkEnded = () =>
  new Problem('not_found', {
    detail: 'This link was already used, has expired, or a newer one was sent. Request another.',
  })

/** Sends a person a link, within the limits of rule 4. */
export async function mailLink(tx: Tx, maker: LinkMaker, personId: string, kind: LinkKind): Promise<void> {
  const person = await people.lock(tx, { id: personId })
  if (person?.state !== 'active') return
  const sent = await tx.query<{ n: number }>(
    'select count(*) as n from person_link where person_id = $1 and kind = $2 and created_at > $3',
    [personId, kind, tx.nowMs - HOUR_MS],
  )
  if ((sent[0]?.n ?? 0) >= LINKS[kind].perHourMax) return
  const token = randomBase62(32)
  const mailed = await mailWithLink(tx, maker, {
    kind: LINKS[kind].mail,
    to: person.email,
    personId,
    facts: { name: person.name },
    path: kind,
    token,
  })
  if (!mailed) return
  if (kind === 'reset') await endLinks(tx, personId, kind)
  await tx.query(
    `insert into person_link (digest, kind, person_id, email, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)`,
    [sha256Hex(token), kind, personId, person.email, tx.nowMs, tx.nowMs + LINKS[kind].lifetimeMs],
  )
}

/** Puts a mail with a link into the outbox. The secret is after #, so that it is in no server log. */
export function mailWithLink<Kind extends MailKind>(
  tx: Tx,
  { baseUrl, ring }: LinkMaker,
  { path, token, ...mail }: NewMail<Kind> & { readonly path: string; readonly token: string },
): Promise<boolean> {
  return putMail(tx, { ...mail, sealedLink: sealSecret(ring, mail.to, `${baseUrl}/${path}#${token}`) })
}

/** The person of a valid link; 404 for any other link. */
export async function findLink(sql: SqlQueries, token: string, kind: LinkKind, nowMs: number): Promise<Person> {
  const [row] = await sql.query(
    `select ${people.columns('p')} from person_link l join person p on p.id = l.person_id
     where l.digest = $1 and l.kind = $2 and l.used_at is null and l.expires_at > $3 and l.email = p.email
       and p.state = 'active'`,
    [sha256Hex(token), kind, nowMs],
  )
  if (!row) throw linkEnded()
  return people.fromRow(row)
}

/** Rule 2: exactly one use succeeds. The person must be locked. */
export async function useLink(tx: Tx, token: string): Promise<void> {
  const used = await tx.query(
    'update person_link set used_at = $2 where digest = $1 and used_at is null returning digest',
    [sha256Hex(token), tx.nowMs],
  )
  if (used.length === 0) throw linkEnded()
}

export async function endLinks(tx: Tx, personId: string, kind: LinkKind): Promise<void> {
  const end = 'update person_link set used_at = $3 where person_id = $1 and kind = $2 and used_at is null'
  await tx.query(end, [personId, kind, tx.nowMs])
}

/** Kept for an hour after its end, because rule 4 counts it. */
export function purgeLinks(sql: SqlQueries, nowMs: number): Promise<number> {
  return deletePast(sql, { table: 'person_link', key: 'digest', time: 'expires_at' }, nowMs - HOUR_MS)
}
