/**
 * Known browsers of people, each by the digest of its own cookie.
 *
 *  1. A browser becomes known by a successful sign-in or a mailed link, never by a failure.
 *  2. A person has at most twenty; the least recently seen is dropped first.
 *  3. A sign-in from a new browser is announced to the person, in their inbox and by mail, in the transaction that
 *     opens the session. The exception is the first sign-in of an account made within the last day. Nobody else is notified. The mail
 *     has a link for somebody who did not sign in: it ends every session and asks for a new password (links.ts).
 *  4. A new password makes all browsers unknown, except the one it was chosen in.
 */
import type { AuthenticationMethod } from '../../access/session.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { emitToPerson } from '../../events/emit.ts'
import { DAY_MS, iso } from '../../lib/clock.ts'
import { deviceInWords } from '../../lib/user-agent.ts'
import { LIMITS } from '../../limits.ts'
import { auditSelf, type From, selfIn } from './audit-self.ts'
import { type LinkMaker, mailLink } from './links.ts'
import type { Person } from './people.ts'

/** Does the same work for unknown people, against timing attacks. */
export async function isKnownDevice(sql: SqlQueries, personId = '', deviceDigest: string): Promise<boolean> {
  const found = 'select digest from known_device where person_id = $1 and digest = $2'
  return (await sql.query(found, [personId, deviceDigest])).length > 0
}

/** Rule 4. `exceptOfSession`: the id of the session whose browser stays known. */
export async function forgetDevices(tx: Tx, personId: string, { exceptOfSession = '' } = {}): Promise<void> {
  await tx.query(
    `delete from known_device where person_id = $1 and digest not in
       (select device_digest from console_session where person_id = $1 and id = $2 and device_digest is not null)`,
    [personId, exceptOfSession],
  )
}

/** Rules 1 and 2. Returns if this browser was known, and if any other was. */
export async function rememberDevice(tx: Tx, personId: string, deviceDigest: string) {
  const before = await tx.query<{ digest: string }>(
    'select digest from known_device where person_id = $1 order by seen_at desc, digest',
    [personId],
  )
  await tx.query(
    `insert into known_device (person_id, digest, created_at, seen_at) values ($1, $2, $3, $3)
     on conflict (person_id, digest) do update set seen_at = excluded.seen_at`,
    [personId, deviceDigest, tx.nowMs],
  )
  const others = before.filter(({ digest }) => digest !== deviceDigest)
  for (const { digest } of others.slice(LIMITS.counts.devicesMax - 1)) {
    await tx.query('delete from known_device where person_id = $1 and digest = $2', [personId, digest])
  }
  return { isNew: others.length === before.length, isFirst: before.length === 0 }
}

export interface NewSignIn {
  readonly amr: readonly AuthenticationMethod[]
  readonly from: From & {
    readonly userAgent: string | undefined
    /** SHA-256 of the cookie that identifies the browser. */
    readonly deviceDigest: string
    /** Place in words; null if unknown. */
    readonly place?: string | null | undefined
    readonly timeZone?: string | undefined
  }
  /** Absent if the server sends no mail. */
  readonly mail?: LinkMaker | undefined
}

/** Audits a sign-in and announces a new browser: rule 3. */
export async function recordSignIn(tx: Tx, person: Person, { amr, from, mail }: NewSignIn): Promise<void> {
  const { isNew, isFirst } = await rememberDevice(tx, person.id, from.deviceDigest)
  await auditSelf(tx, person, selfIn(person, from), 'session.begin', { how: howInWords(amr), new_device: isNew })
  // A stranger's browser does not change the times in the mails that warn of it.
  if (!isNew || isFirst) await keepTimeZone(tx, person.id, from.timeZone)
  if (!isNew) return
  if (isFirst && person.created_at > tx.nowMs - DAY_MS) return
  const { id: personId } = person
  const where = { ip: from.ip, place: from.place ?? null, device: deviceInWords(from.userAgent) }
  emitToPerson(tx, { personId, type: 'sign_in.new_place', data: where })
  if (mail) await mailLink(tx, mail, personId, 'not_me', { facts: { at: iso(tx.nowMs), ...where } })
}

async function keepTimeZone(tx: Tx, personId: string, timeZone = ''): Promise<void> {
  if (!isTimeZone(timeZone)) return
  const keep = 'update person set time_zone = $2 where id = $1 and (time_zone is null or time_zone <> $2)'
  await tx.query(keep, [personId, timeZone])
}

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{1,63}$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export async function timeZoneOf(sql: SqlQueries, personId: string): Promise<string | undefined> {
  const [row] = await sql.query<{ time_zone: string | null }>('select time_zone from person where id = $1', [personId])
  return row?.time_zone ?? undefined
}

function howInWords(amr: readonly AuthenticationMethod[]): string {
  const ways = { pwd: 'a password', hwk: 'a passkey', swk: 'a passkey', otp: 'a one-time code' } as const
  const used = (Object.keys(ways) as (keyof typeof ways)[]).filter((way) => amr.includes(way))
  return [...new Set(used.map((way) => ways[way]))].join(' and ') || 'a password'
}
