/**
 * Links sent by mail, by which a person proves that an address is theirs.
 *
 *  1. The secret in the link is random and stored only as its SHA-256; in the outbox it is sealed.
 *  2. A link works once, for one purpose, for one person, until it expires, while they have the address they had when it was
 *     made. Only an undo outlives a further change of address: otherwise a thief would change it twice.
 *  3. A new link for a new password or a new address ends the former ones, once its mail is on its way.
 *  4. Each kind is sent a bounded number of times per hour. A further link for a password or an address gets the same
 *     answer, and nothing is sent.
 *  5. The order of locks is organisations, person, link.
 */
import { deletePast } from '../../db/purge.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { notFound } from '../../errors.ts'
import { DAY_MS, HOUR_MS } from '../../lib/clock.ts'
import { sha256Hex } from '../../lib/hashing.ts'
import { randomBase62 } from '../../lib/ids.ts'
import type { Ring } from '../../lib/seal.ts'
import { type MailFacts, type MailKind, type NewMail, putMail } from '../../mail/mail.ts'
import { sealSecret } from '../../outbox/outbox.ts'
import { type Person, people } from './people.ts'

/** How long a link works, how many are sent per hour, the mail it is in, and the page it opens. */
const LINKS = {
  reset: { lifetimeMs: HOUR_MS, perHourMax: 3, mail: 'reset_password', path: 'reset' },
  verify: { lifetimeMs: DAY_MS, perHourMax: 5, mail: 'verify_address', path: 'verify' },
  /** Sent to the new address of a person. */
  change: { lifetimeMs: DAY_MS, perHourMax: 5, mail: 'change_address', path: 'verify' },
  /** Sent to the former address of a person. */
  undo: { lifetimeMs: 7 * DAY_MS, perHourMax: 20, mail: 'address_changed', path: 'reset' },
  /** In the notice of a sign-in. */
  not_me: { lifetimeMs: 3 * DAY_MS, perHourMax: 20, mail: 'new_sign_in', path: 'reset' },
} as const satisfies Record<string, { lifetimeMs: number; perHourMax: number; mail: MailKind; path: string }>
type Links = typeof LINKS
export type LinkKind = keyof Links
export const LINK_KINDS = Object.keys(LINKS) as LinkKind[]

/** Links by which a new password is chosen. */
export const PASSWORD_LINKS = ['reset', 'undo', 'not_me'] as const
/** Links by which a signed-in person proves that an address is theirs. */
export const ADDRESS_LINKS = ['verify', 'change'] as const

export interface LinkMaker {
  readonly baseUrl: string
  readonly ring: Ring
}

export const linkEnded = () =>
  notFound('This link was already used, has expired, or a newer one was sent. Request another.')

/** Sends a person a link, within the limits of rule 4; returns true if it did. */
export async function mailLink<Kind extends LinkKind>(
  tx: Tx,
  maker: LinkMaker,
  personId: string,
  kind: Kind,
  given: {
    /** The person's own address if absent. */
    readonly to?: string
    readonly newEmail?: string
    readonly facts?: Omit<MailFacts[Links[Kind]['mail']], 'name'>
  } = {},
): Promise<boolean> {
  const person = await people.lock(tx, { id: personId })
  if (person?.state !== 'active') return false
  const { lifetimeMs, perHourMax, mail, path } = LINKS[kind]
  const sent = await tx.query<{ n: number }>(
    'select count(*) as n from person_link where person_id = $1 and kind = $2 and created_at > $3',
    [personId, kind, tx.nowMs - HOUR_MS],
  )
  if ((sent[0]?.n ?? 0) >= perHourMax) return false
  const token = randomBase62(32)
  const facts = { name: person.name, ...given.facts } as MailFacts[Links[Kind]['mail']]
  const to = given.to ?? person.email
  if (!(await mailWithLink(tx, maker, { kind: mail, to, personId, facts, path, token }))) return false
  if (kind === 'reset' || kind === 'change') await endLinks(tx, personId, [kind])
  await tx.query(
    `insert into person_link (digest, kind, person_id, email, new_email, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [sha256Hex(token), kind, personId, person.email, given.newEmail ?? null, tx.nowMs, tx.nowMs + lifetimeMs],
  )
  return true
}

/** Puts a mail with a link into the outbox. The secret is after #, so that it is in no server log. */
export function mailWithLink<Kind extends MailKind>(
  tx: Tx,
  { baseUrl, ring }: LinkMaker,
  { path, token, ...mail }: NewMail<Kind> & { readonly path: string; readonly token: string },
): Promise<boolean> {
  return putMail(tx, { ...mail, sealedLink: sealSecret(ring, mail.to, `${baseUrl}/${path}#${token}`) })
}

export interface FoundLink<Kind extends LinkKind = LinkKind> {
  readonly kind: Kind
  readonly person: Person
  /** The address that the person has after the link is used. */
  readonly email: string
  readonly madeAtMs: number
}

const OPEN = `l.used_at is null and l.expires_at > $2 and (l.email = p.email or l.kind = 'undo') and p.state = 'active'`

/** A valid link of one of these kinds; 404 for any other link. */
export async function findLink<Kind extends LinkKind>(
  sql: SqlQueries,
  token: string,
  kinds: readonly Kind[],
  nowMs: number,
): Promise<FoundLink<Kind>> {
  const [row] = await sql.query<{ link_kind: Kind; new_email: string | null; made_at: number }>(
    `select ${people.columns('p')}, l.kind as link_kind, l.new_email, l.created_at as made_at
     from person_link l join person p on p.id = l.person_id where l.digest = $1 and ${OPEN}`,
    [sha256Hex(token), nowMs],
  )
  if (!row || !kinds.includes(row.link_kind)) throw linkEnded()
  const person = people.fromRow(row)
  return { kind: row.link_kind, person, email: row.new_email ?? person.email, madeAtMs: row.made_at }
}

/** The address of a change that waits for its confirmation. */
export async function pendingAddress(sql: SqlQueries, personId: string, nowMs: number): Promise<string | null> {
  const [row] = await sql.query<{ new_email: string }>(
    `select l.new_email from person_link l join person p on p.id = l.person_id
     where l.person_id = $1 and l.kind = 'change' and ${OPEN} limit 1`,
    [personId, nowMs],
  )
  return row?.new_email ?? null
}

/** Rule 2: exactly one use succeeds. The person must be locked. */
export async function useLink(tx: Tx, token: string): Promise<void> {
  const used = await tx.query(
    'update person_link set used_at = $2 where digest = $1 and used_at is null returning digest',
    [sha256Hex(token), tx.nowMs],
  )
  if (used.length === 0) throw linkEnded()
}

/** Ends the unused links of a person, or only those made since a time. */
export async function endLinks(tx: Tx, personId: string, kinds: readonly LinkKind[], sinceMs = 0): Promise<void> {
  const end = `update person_link set used_at = $3
     where person_id = $1 and kind = $2 and used_at is null and created_at >= $4`
  for (const kind of kinds) await tx.query(end, [personId, kind, tx.nowMs, sinceMs])
}

/** Kept for an hour after its end, because rule 4 counts it. */
export function purgeLinks(sql: SqlQueries, nowMs: number): Promise<number> {
  return deletePast(sql, { table: 'person_link', key: 'digest', time: 'expires_at' }, nowMs - HOUR_MS)
}
