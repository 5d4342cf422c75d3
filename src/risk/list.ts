import { readJsonText } from '../lib/json-text.ts'
import type { Kind } from '../lib/kinds.ts'
import { LIMITS } from '../limits.ts'
import type { FactSource, Facts, FactsAnswer } from '../live/facts.ts'
import { type Background, type InvalidRecord, type InvalidRecords, type List, levelOf } from './engine.ts'
import { type Indicator, isProblem, lookedUp, parseIndicator } from './indicator.ts'
import type { OwnIndexes } from './own/indexes.ts'
import type { OwnIndex } from './own/own-index.ts'
import type { Scorer } from './score.ts'

// Lists of records: parsed, scored and serialised in one place, so that all of it can run outside the thread that
// serves requests. Results are short or text, because objects are expensive to pass between threads.

export interface ListRecord {
  /** Null if the record is not a string. */
  readonly text: string | null
  /** Cached from the first task on the list: each record is parsed once. */
  parsed?: ReturnType<typeof parseIndicator> | undefined
}

export interface ListWork {
  readonly kind: Kind
  readonly records: readonly ListRecord[]
  /** `read` only finds invalid records, `names` also returns the names to look up; `explain` adds reasons to scores. */
  readonly task: 'read' | 'names' | 'score' | 'explain'
  /** One per record, in order; absent if none were looked up. */
  readonly facts?: readonly Facts[] | undefined
  readonly nowMs: number
  readonly own?: OwnIndex | undefined
}

export interface ListOutcome {
  readonly length: number
  readonly invalid: InvalidRecords | undefined
  /** The results as JSON, separated by commas; empty unless all records are valid and the task was scoring. */
  readonly results: string
  /** The names for live look-ups, one line per record; empty unless that was the task. */
  readonly names: string
  readonly background: Background | undefined
}

export function workOnList({ kind, records, task, facts, nowMs, own }: ListWork, scorer: () => Scorer): ListOutcome {
  const indicators: Indicator[] = []
  const first: InvalidRecord[] = []
  let count = 0
  for (const [index, record] of records.entries()) {
    record.parsed ??= record.text === null ? NO_STRING : parseIndicator(kind, record.text)
    const { parsed } = record
    if (isProblem(parsed)) {
      count++
      if (first.length < LIMITS.requests.errorsNamedMax) first.push({ index, code: parsed.code, detail: parsed.detail })
    } else {
      indicators.push(parsed)
    }
  }
  const { length } = records
  if (count > 0) return { length, invalid: { count, first }, ...NO_RESULTS }
  if (task === 'read') return { length, invalid: undefined, ...NO_RESULTS }
  if (task === 'names') {
    return { length, invalid: undefined, ...NO_RESULTS, names: indicators.map(lookedUp).join('\n') }
  }
  const explain = task === 'explain'
  const scoring = scorer()
  const evaluations = scoring.evaluate(kind, indicators, { explain, signalsOnly: true, facts, nowMs, own })
  const results = evaluations.map(({ score, signals, counterparty, decision }, i) => {
    // Undefined fields are left out.
    const reasons = explain ? `,${JSON.stringify({ signals, counterparty, decision }).slice(1, -1)}` : ''
    return `{"${kind}":${JSON.stringify(records[i]?.text)},"risk":"${levelOf(score)}","risk_score":${score}${reasons}}`
  })
  return { length, invalid: undefined, results: results.join(','), names: '', background: scoring.background(kind) }
}

const NO_RESULTS = { results: '', names: '', background: undefined }
const NO_STRING = { code: 'wrong_type', detail: 'This must be a string.' }

/** Joins the outcomes of a list's parts. Each part has `partLength` records, except the last one that is not empty. */
export function joinOutcomes(parts: readonly ListOutcome[], partLength: number): ListOutcome {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const invalid = parts.flatMap(({ invalid }, i) => (invalid ? [{ ...invalid, offset: i * partLength }] : []))
  if (invalid.length === 0) {
    const filled = parts.filter((part) => part.length > 0)
    return {
      length,
      invalid: undefined,
      results: filled.map(({ results }) => results).join(','),
      names: filled.map(({ names }) => names).join('\n'),
      // All parts of a list use one snapshot.
      background: parts[0]?.background,
    }
  }
  const first = invalid.flatMap(({ first, offset }) =>
    first.map((record) => ({ ...record, index: record.index + offset })),
  )
  const count = invalid.reduce((sum, { count }) => sum + count, 0)
  return { length, invalid: { count, first: first.slice(0, LIMITS.requests.errorsNamedMax) }, ...NO_RESULTS }
}

/** True if a list is so short that passing it to another thread or process takes longer than the work itself. */
export function isShort(body: Buffer, records: number, recordsMin: number): boolean {
  // A few long records are expensive to parse.
  return records < recordsMin && body.length < recordsMin * BYTES_PER_RECORD
}

const BYTES_PER_RECORD = 64

export interface ListStep {
  readonly task: ListWork['task']
  /** The facts of each record as JSON, in order. */
  readonly facts?: readonly string[] | undefined
  readonly own?: OwnIndex | undefined
}

export async function listBy(
  work: (step: ListStep) => ListOutcome | Promise<ListOutcome>,
  options: {
    readonly kind: Kind
    readonly organisationId: string
    readonly facts: FactSource | undefined
    readonly own: OwnIndexes | undefined
    readonly close?: () => void
  },
): Promise<List> {
  const { kind, organisationId, close = () => {} } = options
  const source = options.facts?.isOn() ? options.facts : undefined
  const { length, invalid, names } = await work({ task: source ? 'names' : 'read' })
  return {
    length,
    invalid,
    async evaluate({ explain, own: given }) {
      if (invalid) throw new RangeError('a list with invalid records is not scored')
      // Without look-ups there is no wait: the list is scored against the current snapshot.
      const found = source ? await source.aboutAll(kind, names.split('\n'), organisationId) : undefined
      const task = explain ? 'explain' : 'score'
      const known = given ?? options.own?.find(organisationId)
      const own = known instanceof Promise ? await known : known
      const { results, background } = await work({ task, facts: found?.facts, own })
      if (!background) throw new Error('a list was scored without a background')
      return { results, ...withLive(background, found) }
    },
    close,
  }
}

export function withLive(
  background: Background,
  found: Omit<FactsAnswer<unknown>, 'facts'> = NOT_LOOKED_UP,
): Background {
  const { status, heldBack } = found
  const live = heldBack ? { status, held_back: heldBack } : { status }
  return { ...background, coverage: { ...background.coverage, live } }
}

const NOT_LOOKED_UP = { status: 'off' } as const

/** Parses facts from JSON. A row edited by hand in the database yields no facts, and does not fail the list. */
export function readFactTexts(texts: readonly string[]): readonly Facts[] {
  try {
    return JSON.parse(`[${texts.join(',')}]`) as Facts[]
  } catch {
    return texts.map((text) => (readJsonText(Buffer.from(text))?.value ?? {}) as Facts)
  }
}
