import { type Effects, randomId } from './effects.ts'
import { AssayError, UnavailableError, ValidationError } from './errors.ts'
import type { Operations } from './generated/api.ts'
import { KINDS } from './generated/tables.ts'
import { createKeyedHash } from './keyed-hash.ts'
import type { Kind } from './kinds.ts'
import { EARLIER, type Outcome, type RecordResult, Repeats, repeatOf } from './repeats.ts'
import { isConclusive, type Retrying, type Transport } from './transport.ts'

/**
 * Checks a list of any length in batches.
 *
 * 1. Every submitted record comes out once, in the submitted order, with its answer or the reason why it has none.
 * 2. A repeated record is sent once. This is exact for repeats within the last million distinct records.
 * 3. A completed batch is never sent again. A failed batch is retried with the same Idempotency-Key and bytes.
 * 4. Memory is bounded for any length: the table of rule 2 (at most about 50 MB) and twice `concurrency` batches.
 */

const BATCH_MAX = 10_000
/** The server accepts 4 MiB; the difference is for brackets and the field name. */
const BATCH_BYTES_MAX = 4 * 1024 * 1024 - 1024
/** Repeats also wait for their turn: a batch is closed when this many records depend on it. */
const CHUNK_RECORDS_MAX = 4 * BATCH_MAX
const CONCURRENCY_MAX = 16
/** No indicator is longer. A longer record is refused here and does not fill a request. */
const RECORD_LENGTH_MAX = 1024
/** The server names at most this many invalid records of a batch. */
const NAMED_MAX = 100
const BULK_TIMEOUT_MS = 120_000

interface Submission {
  /** Position in the submitted list, from 0. */
  readonly index: number
  /** As submitted. */
  readonly indicator: string
  /** The same indicator came earlier in the list: its answer is returned again and is not billed. */
  readonly repeat: boolean
}

export type CheckedRecord = Submission &
  ((RecordResult & { readonly error?: undefined }) | { readonly error: AssayError; readonly risk?: undefined })

/** The cost of the run so far. Amounts in pence. */
export interface BillingSum {
  readonly billable_units: number
  /** Units covered by a free allowance or a zero-priced plan. */
  readonly free_units: number
  readonly total_price_pence: number
  readonly charged_from_credit_pence: number
  readonly overage_pence: number
  /** From the latest answer; undefined before the first answer. */
  readonly remaining_credit_pence: number | undefined
}

export interface Progress {
  /** Records read from the list. */
  readonly submitted: number
  /** Distinct records among those read. */
  readonly distinct: number
  /** Distinct records with an answer or a refusal. */
  readonly completed: number
  /** Distinct records that the server or the client refused. */
  readonly invalid: number
  readonly batches: number
  readonly retries: number
  readonly billing: BillingSum
}

export interface StoredBatch {
  readonly outcomes: readonly Outcome[]
  readonly billing: BillingSum
}

type BatchName = { readonly number: number; readonly digest: string }

/**
 * Stores batches outside the process, so that an interrupted run can resume without paying twice. The same list,
 * options and `runId` give the same batches with the same idempotency keys.
 */
export interface Journal {
  readonly runId: string
  /** Called before a batch is sent for the first time. A returned value is used as the outcome, and nothing is sent. */
  begin(batch: BatchName & { readonly size: number }): Promise<StoredBatch | undefined>
  complete(batch: BatchName & StoredBatch): Promise<void>
  /**
   * Called when the service refused the batch after it looked for a stored answer under the batch's key: nothing of the
   * batch was done or charged, in this run or before. The batch is no longer in progress, and its records may be sent
   * in another run.
   */
  refused?(batch: BatchName): Promise<void>
}

export interface CheckManyOptions {
  /** Called after every batch and every retry. */
  readonly onProgress?: (progress: Progress) => void
  /** Batches in progress at the same time: 1 to 16, default 4. */
  readonly concurrency?: number
  readonly signal?: AbortSignal
  /** Adds the reasons to every record. */
  readonly explain?: boolean
  /** Distinct records in a batch: 1 to 10,000, default 10,000. */
  readonly batchSize?: number
  readonly journal?: Journal
  /** Retry limits of a batch, where they differ from the client's `retrying`. */
  readonly retrying?: Partial<Retrying>
}

/** A run: iterate over it once. `progress` and `billing` give the current progress and cost at any time. */
export interface CheckRun extends AsyncIterable<CheckedRecord> {
  readonly progress: Progress
  readonly billing: BillingSum
}

type Records = Iterable<string> | AsyncIterable<string>
type RunOptions = CheckManyOptions & { readonly concurrency: number; readonly batchSize: number }
type Dependencies = { readonly transport: Transport; readonly effects: Effects }

export function checkMany(kind: Kind, records: Records, options: CheckManyOptions, deps: Dependencies): CheckRun {
  const concurrency = wholeNumber('concurrency', options.concurrency ?? 4, CONCURRENCY_MAX)
  const batchSize = wholeNumber('batchSize', options.batchSize ?? BATCH_MAX, BATCH_MAX)
  const run = new Run(kind, { ...options, concurrency, batchSize }, deps)
  let started = false
  return {
    get progress() {
      return run.progress()
    },
    get billing() {
      return run.billing
    },
    [Symbol.asyncIterator]() {
      if (started) throw new Error('A run can be iterated only once; call checkMany again for another.')
      started = true
      return run.iterate(records)
    },
  }
}

function wholeNumber(name: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value
  throw new RangeError(`${name} must be a whole number from 1 to ${max}.`)
}

interface Chunk {
  readonly number: number
  readonly firstIndex: number
  readonly records: unknown[]
  /** Per record: its index in `batch`, the result of `Repeats.add` for a repeat, or the reason why it is not sent. */
  readonly places: number[]
  readonly batch: string[]
  /** The hash of each record of the batch, two words per record, stored so that it is computed only once. */
  readonly hashes: number[]
  requests: number
  outcomes: (Outcome | undefined)[]
  failure: AssayError | undefined
}

const NOT_TEXT = -2
const TOO_LONG = -3

const NOTHING: BillingSum = {
  billable_units: 0,
  free_units: 0,
  total_price_pence: 0,
  charged_from_credit_pence: 0,
  overage_pence: 0,
  remaining_credit_pence: undefined,
}

class Run {
  readonly #kind: Kind
  readonly #options: RunOptions
  readonly #transport: Transport
  readonly #turn: () => Promise<void>
  readonly #runId: string
  readonly #repeats: Repeats
  readonly #digest = createKeyedHash(new Uint32Array([0x61737361, 0x79000001]))
  readonly #abort = new AbortController()
  #failure: AssayError | undefined
  readonly #sums = { submitted: 0, distinct: 0, completed: 0, invalid: 0, batches: 0, retries: 0 }
  billing: BillingSum = NOTHING

  constructor(kind: Kind, options: RunOptions, deps: Dependencies) {
    this.#kind = kind
    this.#options = options
    this.#transport = deps.transport
    this.#turn = () => deps.effects.sleep(0, undefined)
    this.#runId = options.journal?.runId ?? randomId(deps.effects)
    this.#repeats = new Repeats(kind, deps.effects.randomWords(2))
  }

  progress(): Progress {
    return { ...this.#sums, billing: this.billing }
  }

  async *iterate(records: Records): AsyncGenerator<CheckedRecord, void, undefined> {
    const { signal, concurrency } = this.#options
    const onAbort = () => this.#abort.abort(signal?.reason)
    signal?.throwIfAborted()
    signal?.addEventListener('abort', onAbort, { once: true })
    const reader = this.#chunks(records)
    // In the submitted order. Settled chunks wait here for the chunks before them.
    const underWay: { chunk: Chunk; settled: Promise<void>; isSettled: boolean }[] = []
    let reading: Promise<void> | undefined
    let ended = false
    let readFailure: { error: unknown } | undefined
    const stopped = new Promise<never>((_resolve, reject) => {
      this.#abort.signal.addEventListener('abort', () => reject(this.#abort.signal.reason), { once: true })
    })
    stopped.catch(() => {})
    const start = (chunk: Chunk) => {
      const entry = { chunk, settled: this.#settle(chunk), isSettled: false }
      entry.settled = entry.settled.then(() => {
        entry.isSettled = true
      })
      underWay.push(entry)
    }
    const readNext = () =>
      reader.next().then(
        async ({ value: chunk, done }) => {
          if (done) ended = true
          // After a failure or a stop nothing more is sent: the list ends here.
          else if (!this.#failure && !this.#abort.signal.aborted) start(chunk)
          // Without a turn of the event loop the request would wait until this thread is idle.
          if (!done) await this.#turn()
          reading = undefined
        },
        (error: unknown) => {
          reading = undefined
          ended = true
          readFailure = { error }
        },
      )
    const readAhead = () => {
      if (reading || ended || this.#failure || underWay.length >= 2 * concurrency) return
      const sent = underWay.reduce((sum, { isSettled }) => (isSettled ? sum : sum + 1), 0)
      if (sent < concurrency) reading = readNext()
    }
    try {
      for (;;) {
        this.#abort.signal.throwIfAborted()
        readAhead()
        const head = underWay[0]
        if (head?.isSettled) {
          underWay.shift()
          // Send the next batch while the consumer reads this one.
          readAhead()
          if (reading) await this.#turn()
          // Not yield*: it would wrap every record in extra promises.
          for (const record of this.#answers(head.chunk)) yield record
          continue
        }
        const awaited = underWay.flatMap(({ isSettled, settled }) => (isSettled ? [] : [settled]))
        if (reading) awaited.push(reading)
        if (awaited.length === 0) break
        // The list may be slow, and batches may overtake each other: react to the first event.
        await Promise.race([...awaited, stopped])
      }
      if (this.#failure) throw this.#failure
      if (readFailure) throw readFailure.error
    } finally {
      signal?.removeEventListener('abort', onAbort)
      // The consumer may have stopped early: nothing may continue in the background.
      this.#abort.abort(new Error('the run was stopped'))
      await Promise.allSettled(underWay.map(({ settled }) => settled))
      // A list that never yields must not block the end of the run.
      if (!reading) await reader.return()
    }
  }

  async *#chunks(records: Records): AsyncGenerator<Chunk, void, undefined> {
    let chunk: Chunk | undefined
    let bytes = 0
    const take = (record: unknown): Chunk | undefined => {
      const text = typeof record === 'string' ? record.trim() : undefined
      const cost = text === undefined ? 0 : bytesOf(text)
      let full: Chunk | undefined
      if (chunk && bytes + cost > BATCH_BYTES_MAX) {
        full = chunk
        chunk = undefined
      }
      if (!chunk) {
        chunk = this.#openChunk()
        bytes = 0
      }
      if (this.#place(chunk, record, text)) bytes += cost
      if (full) return full
      if (chunk.batch.length < this.#options.batchSize && chunk.records.length < CHUNK_RECORDS_MAX) return undefined
      full = chunk
      chunk = undefined
      return full
    }
    if (Symbol.asyncIterator in records) {
      for await (const record of records) {
        const full = take(record)
        if (full) yield full
      }
    } else {
      for (const record of records) {
        const full = take(record)
        if (full) yield full
      }
    }
    if (chunk) yield chunk
  }

  #openChunk(): Chunk {
    const position = { number: this.#sums.batches++, firstIndex: this.#sums.submitted, requests: 0 }
    return { ...position, records: [], places: [], batch: [], hashes: [], outcomes: [], failure: undefined }
  }

  #place(chunk: Chunk, record: unknown, text: string | undefined): boolean {
    this.#sums.submitted++
    chunk.records.push(record)
    if (text === undefined || text.length > RECORD_LENGTH_MAX) {
      this.#sums.distinct++
      this.#sums.completed++
      this.#sums.invalid++
      chunk.places.push(text === undefined ? NOT_TEXT : TOO_LONG)
      return false
    }
    const place = this.#repeats.add(text, chunk)
    chunk.places.push(place)
    if (place >= 0) this.#sums.distinct++
    return place >= 0
  }

  /** Sends the new records of a chunk. Never rejects: an error is stored in the chunk. */
  async #settle(chunk: Chunk): Promise<void> {
    const { batch } = chunk
    if (batch.length === 0) return
    const { journal } = this.#options
    const digest = journal ? this.#digestOf(batch) : ''
    try {
      const stored = await journal?.begin({ number: chunk.number, size: batch.length, digest })
      if (stored && stored.outcomes.length !== batch.length) throw new Error('the journal contains another batch')
      if (stored) {
        chunk.outcomes = [...stored.outcomes]
        this.billing = addBilling(this.billing, stored.billing)
      } else {
        chunk.outcomes = new Array(batch.length).fill(undefined)
        const billing = await this.#sendBatch(chunk)
        await journal?.complete({ number: chunk.number, digest, outcomes: chunk.outcomes as Outcome[], billing })
      }
    } catch (error) {
      if (this.#abort.signal.aborted) return
      chunk.failure = toAssayError(error)
      this.#failure ??= chunk.failure
      if (isConclusive(chunk.failure) && !chunk.outcomes.some(isAnswer)) {
        // If the journal cannot record the refusal, the batch stays in progress: it is sent once more and charged once.
        await journal?.refused?.({ number: chunk.number, digest }).catch(() => {})
      }
    }
    for (const outcome of chunk.outcomes) {
      if (outcome) this.#sums.completed++
      if (outcome && 'invalid' in outcome) this.#sums.invalid++
    }
    this.#repeats.remember(chunk, chunk.outcomes)
    this.#options.onProgress?.(this.progress())
  }

  /**
   * One invalid record makes the server refuse the batch. The records that the server names are set aside with its
   * reason, and the rest is sent as a new request. When a batch has more invalid records than the server names, the
   * records before the last named one are valid and wait; only the records after it are tried again.
   */
  async #sendBatch(chunk: Chunk): Promise<BillingSum> {
    let billing = NOTHING
    let rest = chunk.batch.map((_, place) => place)
    let good: number[] = []
    while (rest.length > 0) {
      try {
        const answer = await this.#post(chunk, rest)
        if (answer.results.length !== rest.length) {
          const message = 'The response has a different number of records than the request.'
          throw new UnavailableError('unexpected_response', message, { outcome: 'unknown' })
        }
        for (const [i, place] of rest.entries())
          chunk.outcomes[place] = resultOf(answer.results[i]!, answer.check_id && `${answer.check_id}-${i}`)
        const sum = { ...answer, free_units: answer.is_free ? answer.billable_units : 0 }
        billing = addBilling(billing, sum)
        this.billing = addBilling(this.billing, sum)
        rest = []
      } catch (error) {
        const named = namedRecords(error, KINDS[this.#kind].plural, rest.length)
        if (named.size === 0) throw error
        for (const [i, invalid] of named) chunk.outcomes[rest[i]!] = { invalid }
        const known = named.size < NAMED_MAX ? rest.length : Math.max(...named.keys()) + 1
        for (let i = 0; i < known; i++) if (!named.has(i)) good.push(rest[i]!)
        rest = rest.slice(known)
      }
      if (rest.length === 0) {
        rest = good
        good = []
      }
    }
    return billing
  }

  async #post(chunk: Chunk, places: readonly number[]): Promise<BulkAnswer> {
    const { family, plural } = KINDS[this.#kind]
    const records = places.length === chunk.batch.length ? chunk.batch : places.map((place) => chunk.batch[place]!)
    const { body } = await this.#transport.send({
      method: 'POST',
      path: `/v1/${family}/bulk${this.#options.explain ? '?explain=true' : ''}`,
      body: JSON.stringify({ [plural]: records }),
      headers: { 'idempotency-key': `${this.#runId}-${chunk.number}-${this.#requestName(chunk, records)}` },
      signal: this.#abort.signal,
      timeoutMs: BULK_TIMEOUT_MS,
      retrying: this.#options.retrying,
      onRetry: () => {
        this.#sums.retries++
        this.#options.onProgress?.(this.progress())
      },
    })
    return body as BulkAnswer
  }

  /** With a journal the key is derived from the content: a resumed run sends the same request under the same key. */
  #requestName(chunk: Chunk, records: readonly string[]): string {
    return this.#options.journal ? this.#digestOf(records) : String(chunk.requests++)
  }

  #digestOf(records: readonly string[]): string {
    const digest = this.#digest
    let high = records.length
    let low = 0
    for (const record of records) {
      digest.update(record)
      // The order of records matters: each step multiplies the sum before it adds the next record.
      high = (Math.imul(high, 0x9e3779b1) + digest.high) >>> 0
      low = (Math.imul(low, 0x85ebca6b) + digest.low) >>> 0
    }
    return `${high.toString(16).padStart(8, '0')}${low.toString(16).padStart(8, '0')}`
  }

  *#answers(chunk: Chunk): Generator<CheckedRecord, void, undefined> {
    for (let i = 0; i < chunk.records.length; i++) {
      const indicator = chunk.records[i] as string
      const place = chunk.places[i]!
      const repeat = place < 0 && place !== NOT_TEXT && place !== TOO_LONG
      const found = this.#answerTo(chunk, indicator, place)
      const index = chunk.firstIndex + i
      if ('error' in found) yield { index, indicator, repeat, error: found.error }
      else if (found.signals || found.decision) yield { index, indicator, repeat, ...found }
      else yield { index, indicator, repeat, risk: found.risk, risk_score: found.risk_score }
    }
  }

  #answerTo(chunk: Chunk, indicator: string, place: number): RecordResult | { readonly error: AssayError } {
    if (place === NOT_TEXT) return { error: NOT_A_STRING }
    if (place === TOO_LONG) return { error: LONGER_THAN_ANY }
    if (place === EARLIER) {
      return this.#repeats.earlier(indicator, this.#options.explain === true) ?? { error: this.#failure! }
    }
    const outcome = chunk.outcomes[place < 0 ? repeatOf(place) : place]
    if (!outcome) return { error: chunk.failure! }
    return 'invalid' in outcome ? { error: this.#repeats.refusal(outcome.invalid) } : outcome
  }
}

type BulkAnswer = Omit<Operations['POST /v1/payment-risk/bulk']['response'], 'results'> & {
  readonly results: readonly RecordResult[]
}

const NOT_A_STRING = new ValidationError('wrong_type', 'The record is not a string.')
const LONGER_THAN_ANY = new ValidationError('too_long', 'The record is longer than any indicator can be.')

function resultOf(
  { risk, risk_score, signals, decision, changed_since }: RecordResult,
  check_id?: string,
): RecordResult {
  if (!signals) return { risk, risk_score }
  const more = { ...(decision ? { decision } : {}), ...(check_id ? { check_id } : {}) }
  return { risk, risk_score, signals, ...more, ...(changed_since ? { changed_since } : {}) }
}

function addBilling(a: BillingSum, b: BillingSum): BillingSum {
  return {
    billable_units: a.billable_units + b.billable_units,
    free_units: a.free_units + b.free_units,
    total_price_pence: a.total_price_pence + b.total_price_pence,
    charged_from_credit_pence: a.charged_from_credit_pence + b.charged_from_credit_pence,
    overage_pence: a.overage_pence + b.overage_pence,
    remaining_credit_pence: b.remaining_credit_pence ?? a.remaining_credit_pence,
  }
}

function namedRecords(error: unknown, plural: string, size: number) {
  const named = new Map<number, { code: string; detail: string }>()
  if (!(error instanceof ValidationError) || error.code !== 'validation_failed') return named
  for (const { pointer, code, detail } of error.errors) {
    const place = new RegExp(`^/${plural}/(\\d{1,5})$`).exec(pointer)?.[1]
    if (place !== undefined && Number(place) < size) named.set(Number(place), { code, detail })
  }
  return named
}

const isAnswer = (outcome: Outcome | undefined) => outcome !== undefined && !('invalid' in outcome)

/** Upper bound of the bytes of a record in a JSON array. */
const bytesOf = (text: string) => (/^[ !#-[\]-~]*$/.test(text) ? text.length : text.length * 6) + 3

function toAssayError(error: unknown): AssayError {
  if (error instanceof AssayError) return error
  return new AssayError('unexpected', error instanceof Error ? error.message : 'The run failed.', { cause: error })
}
