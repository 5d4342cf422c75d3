import type { Kind } from '../lib/kinds.ts'
import { type Background, type InvalidRecord, type InvalidRecords, type List, levelOf } from './engine.ts'
import { type Indicator, isProblem, parseIndicator } from './indicator.ts'
import type { Scorer } from './score.ts'

/**
 * Lists of records: read, scored and written as the text of their results, in one place, so that all of it can be done
 * away from the thread that serves. What leaves here is short or text, because objects are dear to hand over.
 */

/** The records as submitted; null for one that is no string. */
export type Texts = readonly (string | null)[]

export interface ListWork {
  readonly kind: Kind
  readonly texts: Texts
  /** `read` only says which records are invalid; `explain` scores and gives the reasons as well. */
  readonly task: 'read' | 'score' | 'explain'
}

export interface ListOutcome {
  readonly length: number
  readonly invalid: InvalidRecords | undefined
  /** The results as JSON, with commas between them; empty unless all records are valid and were to be scored. */
  readonly results: string
  /** What the results rest on; undefined where there are none. */
  readonly background: Background | undefined
}

export const INVALID_NAMED_MAX = 100

export function workOnList({ kind, texts, task }: ListWork, scorer: () => Scorer): ListOutcome {
  const indicators: Indicator[] = []
  const first: InvalidRecord[] = []
  let count = 0
  for (const [index, text] of texts.entries()) {
    const parsed = text === null ? NO_STRING : parseIndicator(kind, text)
    if (isProblem(parsed)) {
      count++
      if (first.length < INVALID_NAMED_MAX) first.push({ index, code: parsed.code, detail: parsed.detail })
    } else {
      indicators.push(parsed)
    }
  }
  const { length } = texts
  if (count > 0) return { length, invalid: { count, first }, ...NO_RESULTS }
  if (task === 'read') return { length, invalid: undefined, ...NO_RESULTS }
  const explain = task === 'explain'
  const scoring = scorer()
  const results = scoring.evaluate(kind, indicators, { explain, signalsOnly: true }).map(({ score, signals }, i) => {
    const reasons = explain ? `,"signals":${JSON.stringify(signals)}` : ''
    return `{"${kind}":${JSON.stringify(texts[i])},"risk":"${levelOf(score)}","risk_score":${score}${reasons}}`
  })
  return { length, invalid: undefined, results: results.join(','), background: scoring.background(kind) }
}

const NO_RESULTS = { results: '', background: undefined }
const NO_STRING = { code: 'wrong_type', detail: 'This must be a string.' }

/** The outcome of a list from the outcomes of its parts, each `partLength` long but the last that is not empty. */
export function joinOutcomes(parts: readonly ListOutcome[], partLength: number): ListOutcome {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const invalid = parts.flatMap(({ invalid }, i) => (invalid ? [{ ...invalid, offset: i * partLength }] : []))
  if (invalid.length === 0) {
    const results = parts.filter((part) => part.length > 0).map((part) => part.results)
    // All parts of a list are worked on against one snapshot.
    return { length, invalid: undefined, results: results.join(','), background: parts[0]?.background }
  }
  const first = invalid.flatMap(({ first, offset }) =>
    first.map((record) => ({ ...record, index: record.index + offset })),
  )
  const count = invalid.reduce((sum, { count }) => sum + count, 0)
  return { length, invalid: { count, first: first.slice(0, INVALID_NAMED_MAX) }, ...NO_RESULTS }
}

/** Whether a list is so short that a trip to another thread or process takes longer than the work itself. */
export function isShort(body: Buffer, records: number, recordsMin: number): boolean {
  // Few but long records are dear to read.
  return records < recordsMin && body.length < recordsMin * BYTES_PER_RECORD
}

const BYTES_PER_RECORD = 64

/** A list worked on by whoever does it. */
export async function listBy(
  work: (task: ListWork['task']) => ListOutcome | Promise<ListOutcome>,
  close: () => void = () => {},
): Promise<List> {
  const { length, invalid } = await work('read')
  return {
    length,
    invalid,
    async evaluate({ explain }) {
      if (invalid) throw new RangeError('a list with invalid records is not scored')
      const { results, background } = await work(explain ? 'explain' : 'score')
      if (!background) throw new Error('a list was scored without a background')
      return { results, ...background }
    },
    close,
  }
}
