import { keptDigests, waitingDigests } from '../db/kept-checks.ts'
import { paddedList } from '../db/multi-row.ts'
import { runStatements } from '../db/routine.ts'
import type { Sql } from '../db/sql.ts'
import { SECOND_MS } from '../lib/clock.ts'

/** Some thousand checks. */
const CHARGES_AT_ONCE = 200

/**
 * Makes the checks of programs findable by their indicator: those of one organisation, or of all. Digests are random:
 * sorted and some thousand at once they share the pages that they change, which one by one they would not.
 */
export async function indexDigests(sql: Sql, organisationId?: string): Promise<void> {
  const where = organisationId === undefined ? {} : { organisation_id: organisationId }
  for (;;) {
    const waiting = await waitingDigests.list(sql, where, { order: 'organisation_id, id', limit: CHARGES_AT_ONCE })
    if (waiting.length === 0) return
    const rows = waiting.flatMap(({ organisation_id, digests }) => {
      const words = digests.split(' ')
      return Array.from({ length: words.length >> 1 }, (_, i) => {
        return { organisation_id, id: words[2 * i]!, digest: words[2 * i + 1]! }
      })
    })
    rows.sort((a, b) => (a.digest < b.digest ? -1 : a.digest > b.digest ? 1 : 0))
    const done = [...Map.groupBy(waiting, (one) => one.organisation_id)].map(([id, ofOne]) => {
      const { marks, values } = paddedList(
        ofOne.map((one) => one.id),
        2,
      )
      const text = `delete from waiting_digest where organisation_id = $1 and id in (${marks})`
      return { text, params: [id, ...values] }
    })
    // Another node may do the same at the same time.
    await sql.transaction((tx) =>
      runStatements(tx, [...keptDigests.toInsert(tx, rows, 'on conflict do nothing'), ...done]),
    )
  }
}

export interface DigestIndexer {
  /** Checks of programs were kept. */
  soon(): void
  close(): Promise<void>
}

/** Runs a second after the first of them; what a crash leaves, a job does. */
export function createDigestIndexer(sql: Sql, onFailure: (error: unknown) => void): DigestIndexer {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  const run = () => {
    timer = undefined
    running = indexDigests(sql)
      .catch(onFailure)
      .finally(() => {
        running = undefined
      })
  }
  return {
    soon() {
      if (!timer && !running) timer = setTimeout(run, SECOND_MS).unref()
    },
    async close() {
      clearTimeout(timer)
      await running
    },
  }
}
