/** Events by mail: each person chooses how often. People get only events that their role may read. */
import { roleMay } from '../access/roles.ts'
import { changeIn, type Sql, type SqlQueries, type Tx } from '../db/sql.ts'
import { defineTable, integer, text } from '../db/table.ts'
import { eventsSince } from '../events/events.ts'
import { organisationsOf } from '../identity/members/members.ts'
import { mailboxOf } from '../identity/people/mail-reach.ts'
import { type Clock, DAY_MS, iso } from '../lib/clock.ts'
import { putMail } from '../mail/mail.ts'

const PERIODS_MS = { daily: DAY_MS, weekly: 7 * DAY_MS } as const
export const FREQUENCIES = ['never', 'daily', 'weekly'] as const
export type Frequency = (typeof FREQUENCIES)[number]

const digests = defineTable({
  name: 'event_digest',
  key: ['person_id'],
  columns: {
    person_id: text(),
    frequency: text<keyof typeof PERIODS_MS>(),
    since: integer(),
    next_at: integer(),
  },
})

export async function readFrequency(sql: SqlQueries, personId: string): Promise<Frequency> {
  return (await digests.find(sql, { person_id: personId }))?.frequency ?? 'never'
}

/** The first digest comes after a whole period. */
export async function chooseFrequency(tx: Tx, personId: string, frequency: Frequency): Promise<void> {
  if (frequency === 'never') await digests.delete(tx, { person_id: personId })
  else {
    const next_at = tx.nowMs + PERIODS_MS[frequency]
    await digests.upsert(tx, [{ person_id: personId, frequency, since: tx.nowMs, next_at }])
  }
}

const AT_ONCE = 100
const LINES_MAX = 50

/** Writes the digests that are due. A person without new events gets no mail. */
export async function sendDigests(sql: Sql, clock: Clock, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const due = await sql.query<{ id: string }>(
      `select person_id as id from event_digest where next_at <= $1 order by next_at limit ${AT_ONCE}`,
      [clock.now()],
    )
    for (const { id } of due) await changeIn(sql, clock, (tx) => writeDigest(tx, id))
    if (due.length < AT_ONCE) return
  }
}

async function writeDigest(tx: Tx, personId: string): Promise<void> {
  const before = await digests.lock(tx, { person_id: personId })
  if (!before || before.next_at > tx.nowMs) return
  const { frequency, since: sinceMs } = before
  await digests.update(tx, before, { since: tx.nowMs, next_at: tx.nowMs + PERIODS_MS[frequency] })
  const mailbox = await mailboxOf(tx, personId)
  if (!mailbox) return
  const organisations: { name: string; lines: string[] }[] = []
  for (const { id, name, role } of await organisationsOf(tx, personId)) {
    if (!roleMay(role, 'organisation:read')) continue
    const seesMoney = roleMay(role, 'billing:read')
    const told = await eventsSince(tx, id, { sinceMs, limit: LINES_MAX, seesMoney })
    const lines = told.map(({ created_at, data }) => `${iso(created_at).slice(0, 10)}: ${data.summary}`)
    if (lines.length > 0) organisations.push({ name, lines })
  }
  if (organisations.length === 0) return
  const facts = { name: mailbox.name, frequency, organisations }
  await putMail(tx, { kind: 'event_digest', to: mailbox.email, personId, facts })
}
