import type { Kind } from '../lib/kinds.ts'
import { type InvalidRecord, type InvalidRecords, levelOf, type Texts } from './engine.ts'
import { type Indicator, isProblem, parseIndicator } from './indicator.ts'
import type { Scorer } from './score.ts'

/**
 * Lists of records: read, scored and written as the text of their results, in one place, so that all of it can be done
 * away from the thread that serves. What leaves here is short or text, because objects are dear to hand over.
 */

export interface ListWork {
  readonly kind: Kind
  readonly texts: Texts
  /** `read` only says which records are invalid; `explain` scores and gives the reasons as well. */
  readonly task: 'read' | 'score' | 'explain'
}

export interface ListOutcome {
  readonly invalid: InvalidRecords | undefined
  /** The results as JSON, with commas between them; empty unless all records are valid and were to be scored. */
  readonly results: string
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
  if (count > 0) return { invalid: { count, first }, results: '' }
  if (task === 'read') return { invalid: undefined, results: '' }
  const explain = task === 'explain'
  const results = scorer()
    .evaluate(kind, indicators, { explain })
    .map(({ score, signals }, i) => {
      const reasons = explain ? `,"signals":${JSON.stringify(signals)}` : ''
      return `{"${kind}":${JSON.stringify(texts[i])},"risk":"${levelOf(score)}","risk_score":${score}${reasons}}`
    })
  return { invalid: undefined, results: results.join(',') }
}

const NO_STRING = { code: 'wrong_type', detail: 'This must be a string.' }

/** The outcome of a list from the outcomes of its parts, each `partLength` long but the last. */
export function joinOutcomes(parts: readonly ListOutcome[], partLength: number): ListOutcome {
  const invalid = parts.flatMap(({ invalid }, i) => (invalid ? [{ ...invalid, offset: i * partLength }] : []))
  if (invalid.length === 0) return { invalid: undefined, results: parts.map(({ results }) => results).join(',') }
  const first = invalid.flatMap(({ first, offset }) =>
    first.map((record) => ({ ...record, index: record.index + offset })),
  )
  const count = invalid.reduce((sum, { count }) => sum + count, 0)
  return { invalid: { count, first: first.slice(0, INVALID_NAMED_MAX) }, results: '' }
}

/** Whether a list is so short that a trip to another thread or process takes longer than the work itself. */
export function isShort(texts: Texts, recordsMin: number): boolean {
  if (texts.length >= recordsMin) return false
  // Few but long records are dear to read.
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0) < recordsMin * CHARACTERS_PER_RECORD
}

const CHARACTERS_PER_RECORD = 64

/** The results of a list that was found valid before. */
export function resultsOf({ invalid, results }: ListOutcome): string {
  if (invalid) throw new RangeError('a list is read before it is scored: it has invalid records')
  return results
}
