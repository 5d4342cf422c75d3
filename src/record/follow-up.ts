/**
 * The work that kept checks leave for later. It waits in rows of the charge's transaction, so any node does it after a crash.
 *
 *  1. Digests of programs: they are random, and sorted and some thousand at once they share the pages that they change,
 *     which one by one they would not.
 *  2. Reviews that a decision rule opened: an event tells of each, and of the records of a list together.
 */
import { waitingDigests, waitingReviews } from '../db/kept-checks.ts'
import { paddedList } from '../db/multi-row.ts'
import { runStatements } from '../db/routine.ts'
import { changeIn, type Sql } from '../db/sql.ts'
import { emit } from '../events/emit.ts'
import { type Clock, SECOND_MS } from '../lib/clock.ts'
import { eventData } from './decisions.ts'
import { lockDigests } from './sealed.ts'

/** Some thousand checks. */
const CHARGES_AT_ONCE = 200

/** Rule 1, for one organisation or for all. Another node may do the same at the same time. */
export async function indexDigests(sql: Sql, organisationId?: string): Promise<void> {
  const where = organisationId === undefined ? {} : { organisation_id: organisationId }
  for (;;) {
    const waiting = await waitingDigests.list(sql, where, { order: 'organisation_id, id', limit: CHARGES_AT_ONCE })
    if (waiting.length === 0) return
    for (const [organisation, charges] of Map.groupBy(waiting, (row) => row.organisation_id)) {
      const ids = charges.map(({ id }) => id)
      const done = paddedList(ids, 2)
      const lastId = charges.reduce((last, { last_id }) => (last_id > last ? last_id : last), '')
      await sql.transaction(async (tx) => {
        await lockDigests(tx, organisation)
        await runStatements(tx, [
          {
            // Checks in between may have their digest already.
            text: `insert into kept_digest (organisation_id, digest, id, level, score)
              select organisation_id, digest, id, level, score from kept_check where organisation_id = $1 and id >= $2 and id <= $3 order by digest on conflict do nothing`,
            params: [organisation, ids[0]!, lastId],
          },
          {
            text: `delete from waiting_digest where organisation_id = $1 and id in (${done.marks})`,
            params: [organisation, ...done.values],
          },
        ])
      })
    }
    // Under load others come meanwhile, and a transaction for a few costs as much: they wait for the next run.
    if (waiting.length < CHARGES_AT_ONCE) return
  }
}

/** Rule 2. */
export async function tellOfReviews(sql: Sql, clock: Clock): Promise<void> {
  const tellNext = () =>
    changeIn(sql, clock, async (tx) => {
      const [first] = await tx.query(
        `select ${waitingReviews.columns()} from waiting_review order by organisation_id, id limit 1${tx.forUpdateSkipLocked}`,
      )
      if (!first) return false
      const { organisation_id: organisationId, ...check } = waitingReviews.fromRow(first)
      const [list] = check.id.split('-')
      // `.` is the character after `-`: the check, or every record of a list.
      const told = await tx.query(
        'delete from waiting_review where organisation_id = $1 and id >= $2 and id < $3 returning id',
        [organisationId, check.id, `${list}.`],
      )
      const others = told.length > 1 ? { others: told.length - 1 } : {}
      emit(tx, { organisationId, type: 'check.review', data: { ...eventData(check), ...others } })
      return true
    })
  while (await tellNext()) {}
}

/** Runs a second after the first of them; a job does what a crash leaves. */
export function createFollowUp(
  { sql, clock }: { readonly sql: Sql; readonly clock: Clock },
  onFailure: (error: unknown) => void,
) {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let more = false
  let closed = false
  /** A check will be kept that leaves work. */
  const soon = () => {
    // A check that is charged during a run may be too late for it.
    more = true
    if (!timer && !running && !closed) timer = setTimeout(run, SECOND_MS).unref()
  }
  const run = () => {
    timer = undefined
    more = false
    running = indexDigests(sql)
      .then(() => tellOfReviews(sql, clock))
      .catch(onFailure)
      .finally(() => {
        running = undefined
        if (more) soon()
      })
  }
  return {
    soon,
    async close() {
      closed = true
      clearTimeout(timer)
      await running
    },
  }
}
