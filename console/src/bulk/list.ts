import type { CheckedColumn } from '@assay/reader/columns'
import type { ListTable, ReadList } from '@assay/reader/list'
import { type BillingSum, KIND_NAMES, type Kind, type Signal } from '@assay/sdk'

/**
 * The terms of this folder.
 *
 * list      a file or a paste from a person: its whole table and its results.
 * record    a distinct indicator of the list, by its number; several rows may hold the same one.
 * leg       records that are sent together, in batches, for a price agreed before. A list has one leg or more.
 * batch     one request of a leg. It keeps its number and, with the leg's run id, its idempotency key permanently.
 * state     the state of a record: its result, or why it has none.
 */
export interface List {
  readonly id: string
  /** Person and organisation: nobody else on this machine sees the list. */
  readonly owner: string
  readonly name: string
  readonly kind: Kind
  readonly column: number
  /** The other columns that are checked. Lists of earlier versions have one. */
  readonly more?: readonly number[]
  /** The kind of each record, by its place in KIND_NAMES, if they differ from `kind`. */
  readonly kinds?: Uint8Array
  readonly columns: readonly string[]
  readonly createdAtMs: number
  readonly rows: number
  readonly times: Uint32Array
  readonly unread: number
  /** Among `unread`. Lists of earlier versions sent them. */
  readonly nothing?: number
  readonly blank: number
  readonly legs: readonly Leg[]
}

export const kindOf = ({ kind, kinds }: List, record: number): Kind => KIND_NAMES[kinds?.[record] ?? -1] ?? kind

/** The number of records of each kind, among those that are wanted. */
export function countKinds(list: List, isWanted: (record: number) => boolean): KindCount[] {
  const counts = new Map<Kind, number>()
  for (let record = 0; record < list.times.length; record++) {
    if (isWanted(record)) counts.set(kindOf(list, record), (counts.get(kindOf(list, record)) ?? 0) + 1)
  }
  return [...counts].map(([kind, records]) => ({ kind, records }))
}

export const kindsIn = (list: List): Kind[] => countKinds(list, () => true).map(({ kind }) => kind)

export type KindCount = { readonly kind: Kind; readonly records: number }

/** Titles may repeat: a column is identified by its index. */
export const columnsOf = ({ columns }: List) => columns.map((title, column) => ({ title, column }))

export type Range = readonly [from: number, to: number]

export interface Leg {
  readonly runId: string
  /** If it differs from the kind of the list. */
  readonly kind?: Kind
  readonly ranges: readonly Range[]
  readonly batchSize: number
  /** 0 for records that free units cover. */
  readonly unitPricePence: number
  /** No batch of it is in progress, and no more are sent. */
  readonly closed: boolean
}

export const RECORD_STATES = ['waiting', 'low', 'medium', 'high', 'nothing', 'refused', 'left'] as const

/** `nothing`: answered, but there is nothing to check about it. `left`: a person chose not to check it. */
export type RecordState = (typeof RECORD_STATES)[number]

export const codeOf = (state: RecordState) => RECORD_STATES.indexOf(state)
export const stateOf = (code: number | undefined): RecordState => RECORD_STATES[code ?? 0] ?? 'waiting'

/** The answers of a batch, stored compactly for a table of a hundred thousand rows. */
export interface Answers {
  readonly standings: Uint8Array
  readonly scores: Uint8Array
  /** Each distinct main reason, and the index of each record's reason. */
  readonly reasons: readonly string[]
  readonly reasonOf: Uint16Array
  readonly billing: BillingSum
}

export interface Batch {
  readonly listId: string
  readonly runId: string
  readonly number: number
  readonly size: number
  readonly digest: string
  readonly begunAtMs: number
  readonly answers?: Answers
  /** Too long in progress to ask for its answer, or never sent: left out by a person, or sent in another leg. */
  readonly givenUp?: 'left' | 'again'
}

/** The service stores an answer for a day under its key; the tries of one request may take some minutes of it. */
export const KEPT_MS = 24 * 3_600_000 - 30 * 60_000

/** The batch was sent and has no answer: it may have been charged. */
export const isUnderWay = ({ answers, givenUp }: Batch) => answers === undefined && givenUp === undefined

/** Each distinct signal of a batch, and the indexes of each record's signals. */
export interface BatchSignals {
  readonly listId: string
  readonly runId: string
  readonly number: number
  readonly signals: readonly Signal[]
  readonly of: readonly (readonly number[])[]
  /** The id of each record's kept check; absent if the checks are not kept. */
  readonly checks?: readonly (string | undefined)[]
}

/** A few thousand rows of the table, as they were in the file. */
export interface Rows {
  readonly listId: string
  readonly number: number
  readonly lines: Uint32Array
  readonly cells: readonly (readonly string[])[]
  /** The record of each row; −1 for none. */
  readonly records: Int32Array
  /** The checked column that each row is about, if several are checked. Lists of earlier versions have none. */
  readonly columnOf?: Uint16Array
  /** Why rows have no record, by their index in this piece. */
  readonly problems: ReadonlyMap<number, string>
  /** The records that appear first in these rows, as they are sent. */
  readonly firstRecord: number
  readonly values: readonly string[]
}

export const sizeOf = (ranges: readonly Range[]) => ranges.reduce((sum, [from, to]) => sum + to - from, 0)

export function recordsOf({ ranges, batchSize }: Leg, number: number): number[] {
  const records: number[] = []
  let skip = number * batchSize
  for (const [from, to] of ranges) {
    for (let record = from + skip; record < to && records.length < batchSize; record++) records.push(record)
    skip = Math.max(0, skip - (to - from))
  }
  return records
}

export function placeIn({ ranges, batchSize }: Leg, record: number): { number: number; at: number } | undefined {
  let before = 0
  for (const [from, to] of ranges) {
    if (record >= from && record < to) {
      const place = before + record - from
      return { number: Math.floor(place / batchSize), at: place % batchSize }
    }
    before += to - from
  }
  return undefined
}

export function takeRanges(records: number, isWanted: (record: number) => boolean, most: number, start = 0): Range[] {
  const ranges: [number, number][] = []
  let taken = 0
  for (let record = start; record < records && taken < most; record++) {
    if (!isWanted(record)) continue
    taken++
    const last = ranges.at(-1)
    if (last && last[1] === record) last[1]++
    else ranges.push([record, record + 1])
  }
  return ranges
}

/** Converts a list to its stored form: the whole list, in pieces that a browser writes and reads quickly. */

const PIECE_ROWS = 5000

export function listOf(input: {
  readonly id: string
  readonly owner: string
  readonly name: string
  readonly checked: readonly [CheckedColumn, ...CheckedColumn[]]
  readonly table: ListTable
  readonly read: ReadList
  readonly createdAtMs: number
}): List {
  const { table, read, checked, ...rest } = input
  const [{ column }, ...more] = checked
  const kinds = Uint8Array.from(read.distinct, ({ indicator }) => KIND_NAMES.indexOf(indicator.kind))
  // Titles are read from the first rows only; a later row may be longer.
  const width = table.rows.reduce((most, { cells }) => Math.max(most, cells.length), table.columns.length)
  return {
    ...rest,
    column,
    kind: KIND_NAMES[kinds[0] ?? 0]!,
    ...(more.length > 0 && { more: more.map((one) => one.column) }),
    ...(kinds.some((one) => one !== kinds[0]) && { kinds }),
    columns: Array.from({ length: width }, (_, at) => table.columns[at] ?? `Column ${at + 1}`),
    rows: read.rows.length,
    times: Uint32Array.from(read.distinct, ({ times }) => times),
    unread: read.unread,
    nothing: read.nothing,
    blank: read.blank,
    legs: [],
  }
}

export function* piecesOf(listId: string, { rows, distinct }: ReadList): Generator<Rows, void, undefined> {
  let firstRecord = 0
  for (let start = 0; start < rows.length; start += PIECE_ROWS) {
    const piece = rows.slice(start, start + PIECE_ROWS)
    // Records are numbered in the order of their first appearance.
    const next = piece.reduce((end, { place = -1 }) => Math.max(end, place + 1), firstRecord)
    yield {
      listId,
      number: start / PIECE_ROWS,
      lines: Uint32Array.from(piece, ({ row }) => row.line),
      cells: piece.map(({ row }) => row.cells),
      records: Int32Array.from(piece, ({ place = -1 }) => place),
      columnOf: Uint16Array.from(piece, ({ column }) => column),
      problems: new Map(piece.flatMap(({ problem }, at) => (problem === undefined ? [] : [[at, problem]]))),
      firstRecord,
      values: distinct.slice(firstRecord, next).map(({ indicator }) => indicator.value),
    }
    firstRecord = next
  }
}

/** The answers to every record of a list, built from its batches. The same arrays grow as batches arrive. */
export type Answered = Readonly<ReturnType<typeof answeredOf>['view']>

export const batchKey = ({ runId, number }: Pick<Batch, 'runId' | 'number'>) => `${runId} ${number}`

export function answeredOf(list: List, batches: readonly Batch[]) {
  const records = list.times.length
  const reasonNumbers = new Map([['', 0]])
  const view = {
    standings: new Uint8Array(records),
    scores: new Uint8Array(records),
    reasonOf: new Uint32Array(records),
    reasons: [''],
    rows: Object.fromEntries(RECORD_STATES.map((name) => [name, 0])) as Record<RecordState, number>,
    done: 0,
    cost: {
      free_units: 0,
      total_price_pence: 0,
      overage_pence: 0,
      remaining_credit_pence: undefined as number | undefined,
    },
    legs: list.legs,
    batches: new Map<string, Batch>(),
  }
  for (const times of list.times) view.rows.waiting += times
  let latestLeg = -1

  const reasonNumber = (reason: string) => {
    const known = reasonNumbers.get(reason)
    if (known !== undefined) return known
    const number = view.reasons.push(reason) - 1
    reasonNumbers.set(reason, number)
    return number
  }
  const settle = (record: number, state: RecordState, score: number, reason: number) => {
    view.standings[record] = codeOf(state)
    view.scores[record] = score
    view.reasonOf[record] = reason
    view.rows.waiting -= list.times[record] ?? 0
    view.rows[state] += list.times[record] ?? 0
    view.done++
  }
  const add = (batch: Batch) => {
    const before = view.batches.get(batchKey(batch))
    view.batches.set(batchKey(batch), batch)
    const leg = list.legs.find(({ runId }) => runId === batch.runId)
    if (!leg || before?.answers) return
    const records = recordsOf(leg, batch.number)
    const { answers } = batch
    if (answers) {
      const reasons = answers.reasons.map(reasonNumber)
      for (const [at, record] of records.entries()) {
        const reason = reasons[answers.reasonOf[at] ?? 0] ?? 0
        settle(record, stateOf(answers.standings[at]), answers.scores[at] ?? 0, reason)
      }
      const { cost } = view
      cost.free_units += answers.billing.free_units
      cost.total_price_pence += answers.billing.total_price_pence
      cost.overage_pence += answers.billing.overage_pence
      // A top-up or a new month may be between two legs.
      const legNumber = list.legs.indexOf(leg)
      const before = legNumber > latestLeg ? undefined : cost.remaining_credit_pence
      if (legNumber >= latestLeg) cost.remaining_credit_pence = least(before, answers.billing.remaining_credit_pence)
      latestLeg = Math.max(latestLeg, legNumber)
    } else if (batch.givenUp === 'left') {
      for (const record of records) settle(record, 'left', 0, 0)
    }
  }
  for (const batch of batches) add(batch)
  return { view, add }
}

/** Concurrent batches are answered in any order: the credit after the later one is smaller. */
function least(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
}

export type Doubt = { readonly records: number; readonly sinceMs: number; readonly beforeMs: number }

/** Records that were in progress so long ago that the server no longer knows whether they were charged. */
export function doubtOf(batches: Iterable<Batch>, nowMs: number): Doubt | undefined {
  const beforeMs = nowMs - KEPT_MS
  const old = [...batches].filter((batch) => isUnderWay(batch) && batch.begunAtMs < beforeMs)
  if (old.length === 0) return undefined
  const records = old.reduce((sum, { size }) => sum + size, 0)
  return { records, sinceMs: Math.max(...old.map(({ begunAtMs }) => begunAtMs)), beforeMs }
}
