import type { Kind } from '@assay/sdk'
import { levelOf } from '../check/words.ts'
import { type Answers, type Batch, codeOf, type Leg, type List, type Rows } from './list.ts'

/**
 * Migrates the lists of version 1. That version stored scores, but not the table, the reasons or the batches in
 * progress. Its answers stay readable, and every batch without an answer counts as sent long ago: a person is asked
 * before its records, which may have been charged, are sent again.
 */

interface OldJob {
  readonly id: string
  readonly owner: string
  readonly kind: Kind
  readonly name: string
  readonly createdAtMs: number
  readonly records: readonly string[]
  readonly rowOf: readonly number[]
  readonly batchSize: number
}

interface OldBatch {
  readonly jobId: string
  readonly index: number
  readonly scores: Int16Array
  readonly pricePence: number
  readonly freeUnits: number
  readonly leftPence: number
}

export function migrate(database: IDBDatabase, transaction: IDBTransaction): void {
  const jobs: IDBRequest<OldJob[]> = transaction.objectStore('jobs').getAll()
  const batches: IDBRequest<OldBatch[]> = transaction.objectStore('batches').getAll()
  // Requests of one transaction are answered in order.
  batches.onsuccess = () => {
    for (const job of jobs.result) {
      const answered = new Map(batches.result.filter(({ jobId }) => jobId === job.id).map((one) => [one.index, one]))
      transaction.objectStore('lists').put(listOf(job))
      transaction.objectStore('rows').put(rowsOf(job))
      for (let number = 0; number * job.batchSize < job.records.length; number++) {
        transaction.objectStore('sent').put(batchOf(job, number, answered.get(number)))
      }
    }
    database.deleteObjectStore('jobs')
    database.deleteObjectStore('batches')
  }
}

function listOf({ id, owner, kind, name, createdAtMs, records, batchSize }: OldJob): List {
  const leg: Leg = { runId: id, ranges: [[0, records.length]], batchSize, unitPricePence: 0, closed: false }
  const times = new Uint32Array(records.length).fill(1)
  const whole = { rows: records.length, times, unread: 0, blank: 0, legs: [leg] }
  return { id, owner, kind, name, createdAtMs, column: 0, columns: [kind], ...whole }
}

function rowsOf({ id, records, rowOf }: OldJob): Rows {
  return {
    listId: id,
    number: 0,
    lines: Uint32Array.from(rowOf),
    cells: records.map((record) => [record]),
    records: Int32Array.from(records.keys()),
    problems: new Map(),
    firstRecord: 0,
    values: records,
  }
}

function batchOf(job: OldJob, number: number, old: OldBatch | undefined): Batch {
  const size = Math.min(job.batchSize, job.records.length - number * job.batchSize)
  const batch = { listId: job.id, runId: job.id, number, size, digest: '', begunAtMs: 0 }
  return old ? { ...batch, answers: answersOf(old) } : batch
}

function answersOf({ scores, pricePence, freeUnits, leftPence }: OldBatch): Answers {
  return {
    standings: Uint8Array.from(scores, (score) => codeOf(score < 0 ? 'refused' : levelOf(score))),
    scores: Uint8Array.from(scores, (score) => Math.max(0, score)),
    reasons: ['Checked by an earlier version of this page, which stored no reasons.'],
    reasonOf: new Uint16Array(scores.length),
    billing: {
      billable_units: scores.length,
      free_units: freeUnits,
      total_price_pence: pricePence,
      charged_from_credit_pence: pricePence,
      overage_pence: 0,
      remaining_credit_pence: Number.isFinite(leftPence) ? leftPence : undefined,
    },
  }
}
