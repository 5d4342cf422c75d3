import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Sql } from '../db/sql.ts'
import { type Clock, MINUTE_MS, SECOND_MS } from '../lib/clock.ts'
import type { Kind } from '../lib/kinds.ts'
import { Recent } from '../lib/recent.ts'
import { type FactRow, readFacts } from './fact-store.ts'
import { createFactWriter } from './fact-writer.ts'
import type { Facts, Sort } from './facts.ts'
import type { Observers } from './observers.ts'
import { type Question, questionsAbout } from './questions.ts'

/**
 * Facts about names and addresses, looked up while somebody waits, within a budget.
 *
 * 1. Asking never fails and never takes longer than its budget. What comes later is kept for the next question.
 * 2. A fact is looked for in memory, then in the database, then by its observer; each is asked about one name once at a
 *    time, whoever wants to know.
 * 3. What was seen is relied on until it expires, a negative answer too. What failed is not tried again for as long as
 *    its observer says.
 */

/** Whether all facts that could be looked up are there. `off`: nothing was looked up. */
export type LiveStatus = 'complete' | 'partial' | 'off'

export interface Live {
  /** Facts about one indicator, as its single check wants them. */
  about(kind: Kind, name: string): Found<Facts> | Promise<Found<Facts>>
  /** Facts about the names of a list, in its order: the facts of each as JSON. */
  aboutAll(kind: Kind, names: readonly string[]): Promise<Found<readonly string[]>>
  isOn(): boolean
  /** Looks again whether a resolver answers, where that decides. */
  lookAgain(): Promise<void>
  /** Writes down what is not in the database yet. */
  flush(): Promise<void>
  close(): Promise<void>
}

export interface Found<T> {
  readonly status: LiveStatus
  readonly facts: T
}

/** Where a wanted fact was found. `late`: not within the budget. `failed`: its observer has no answer. */
export type FoundIn = 'memory' | 'database' | 'network' | 'late' | 'failed'

export interface LiveMetrics {
  countWanted(sort: Sort, found: FoundIn, count: number): void
  /** An observer has looked. */
  observeLook(sort: Sort, outcome: 'seen' | 'failed', seconds: number): void
}

export interface LiveOptions {
  readonly mode: 'auto' | 'on' | 'off'
  readonly observers: Observers
  readonly sql: Sql
  readonly clock: Clock
  readonly budgetMs: number
  readonly bulkBudgetMs: number
  readonly metrics?: LiveMetrics | undefined
  /** Told when look-ups begin or cease to work in mode `auto`. */
  readonly onSwitch?: ((on: boolean) => void) | undefined
  /** Told why the database could not be read or written; answers go on without it. */
  readonly onTrouble?: ((error: unknown) => void) | undefined
  readonly entriesMax?: number
}

/** Some 300 bytes each. */
const ENTRIES_MAX = 60_000
const LOOK_AGAIN_MS = MINUTE_MS

/** So few names at a time that other requests are answered between them. */
const NAMES_PER_TURN = 250

interface Known {
  /** JSON, with the time it was seen. */
  readonly text: string
  readonly expiresMs: number
  readonly from: 'database' | 'network'
  value: unknown
}

interface Failed {
  /** No use asking before, in ticks. */
  readonly until: number
}

type Entry = Known | Failed

const OFF: Found<Facts> = { status: 'off', facts: {} }
const keyOf = ({ sort, name }: Pick<FactRow, 'sort' | 'name'>) => `${sort} ${name}`

export function createLive(options: LiveOptions): Live {
  const { observers, sql, clock, metrics } = options
  const memory = new Recent<Entry>(options.entriesMax ?? ENTRIES_MAX)
  const underWay = new Map<string, Promise<void>>()
  const writer = createFactWriter({ sql, onTrouble: options.onTrouble })
  let on = options.mode === 'on'
  let closed = false

  /** What is remembered of this and still counts. */
  function remembered(key: string): Entry | undefined {
    const entry = memory.get(key)
    if (entry === undefined) return undefined
    const counts = 'text' in entry ? entry.expiresMs > clock.now() : entry.until > clock.ticks()
    return counts ? entry : undefined
  }

  function keep({ sort, name, value, expiresMs }: FactRow, from: Known['from']): void {
    memory.set(keyOf({ sort, name }), { text: value, expiresMs, from, value: undefined })
  }

  /** Asks the observer unless somebody has; resolves when the answer is remembered. */
  function look(question: Question, urgent: boolean): Promise<void> {
    const key = keyOf(question)
    const already = underWay.get(key)
    if (already) return already
    const attempt = observe(question, urgent).finally(() => underWay.delete(key))
    underWay.set(key, attempt)
    return attempt
  }

  async function observe({ sort, name }: Question, urgent: boolean): Promise<void> {
    const begun = clock.ticks()
    const seen = await observers.observe(sort, name, { urgent })
    metrics?.observeLook(sort, seen.outcome, (clock.ticks() - begun) / SECOND_MS)
    if (closed) return
    if (seen.outcome === 'failed') {
      memory.set(keyOf({ sort, name }), { until: clock.ticks() + seen.retryMs })
      return
    }
    const seenMs = clock.now()
    const value = `{"seenMs":${seenMs},${seen.value.slice(1)}`
    const row: FactRow = { sort, name, value, seenMs, expiresMs: seenMs + seen.keepMs }
    keep(row, 'network')
    writer.add(row)
  }

  /** Finds out what is not remembered, from the database first. */
  async function findOut(questions: readonly Question[], urgent: boolean): Promise<void> {
    const rest = new Map(questions.map((question) => [keyOf(question), question]))
    const unasked = questions.filter((question) => !underWay.has(keyOf(question)))
    for (const row of await readFacts(sql, unasked, clock.now()).catch(failedToRead)) {
      keep(row, 'database')
      rest.delete(keyOf(row))
    }
    const looks: Promise<void>[] = []
    for (const [i, question] of [...rest.values()].entries()) {
      if (i % NAMES_PER_TURN === NAMES_PER_TURN - 1) await nextTurn()
      if (closed) return
      // Somebody else may have found it out meanwhile.
      if (remembered(keyOf(question)) === undefined) looks.push(look(question, urgent))
    }
    await Promise.all(looks)
  }

  function failedToRead(error: unknown): FactRow[] {
    options.onTrouble?.(error)
    return []
  }

  /** Resolves when all is remembered, or when the time has come. */
  async function findOutUntil(deadline: number, questions: readonly Question[], urgent: boolean): Promise<void> {
    if (questions.length === 0) return
    let timer: NodeJS.Timeout | undefined
    const spent = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.max(0, deadline - clock.ticks()))
    })
    await Promise.race([findOut(questions, urgent), spent])
    clearTimeout(timer)
  }

  /** What is known now, as JSON or as a value, told to the metrics. `missing` had to be found out. */
  function readOut(questions: readonly Question[], missing: { has(key: string): boolean }, tally: Tally) {
    const known: { readonly sort: Sort; readonly entry: Known }[] = []
    for (const { sort, name } of questions) {
      const key = keyOf({ sort, name })
      const entry = remembered(key)
      if (entry !== undefined && 'text' in entry) {
        known.push({ sort, entry })
        tally.add(sort, missing.has(key) ? entry.from : 'memory')
      } else tally.add(sort, entry === undefined ? 'late' : 'failed')
    }
    return known
  }

  function factsOf(questions: readonly Question[], missing: ReadonlySet<string>): Found<Facts> {
    const tally = new Tally()
    const known = readOut(questions, missing, tally)
    tally.tell(metrics)
    const facts: Partial<Record<Sort, unknown>> = {}
    for (const { sort, entry } of known) facts[sort] = entry.value ??= JSON.parse(entry.text) as unknown
    return { status: known.length === questions.length ? 'complete' : 'partial', facts: facts as Facts }
  }

  async function lookAgain(): Promise<void> {
    if (options.mode !== 'auto' || closed) return
    const answers = await observers.answers()
    if (answers === on || closed) return
    on = answers
    options.onSwitch?.(on)
  }

  const timer = options.mode === 'auto' ? setInterval(() => void lookAgain(), LOOK_AGAIN_MS) : undefined
  timer?.unref()
  void lookAgain()

  return {
    isOn: () => on,
    lookAgain,
    about(kind, name) {
      if (!on) return OFF
      const questions = questionsAbout(kind, name, observers.sorts)
      if (questions.length === 0) return OFF
      const missing = questions.filter((question) => remembered(keyOf(question)) === undefined)
      const keys = new Set(missing.map(keyOf))
      if (missing.length === 0) return factsOf(questions, keys)
      return findOutUntil(clock.ticks() + options.budgetMs, missing, true).then(() => factsOf(questions, keys))
    },
    async aboutAll(kind, names) {
      if (!on) return { status: 'off', facts: [] }
      const deadline = clock.ticks() + options.bulkBudgetMs
      const wanted = new Map<string, readonly Question[]>()
      const missing = new Map<string, Question>()
      for (const name of names) {
        if (wanted.has(name)) continue
        if (wanted.size % NAMES_PER_TURN === NAMES_PER_TURN - 1) await nextTurn()
        const questions = questionsAbout(kind, name, observers.sorts)
        wanted.set(name, questions)
        for (const question of questions) {
          const key = keyOf(question)
          if (!missing.has(key) && remembered(key) === undefined) missing.set(key, question)
        }
      }
      await findOutUntil(deadline, [...missing.values()], false)
      const tally = new Tally()
      const texts = new Map<string, string>()
      let status: LiveStatus = 'complete'
      for (const [name, questions] of wanted) {
        if (texts.size % NAMES_PER_TURN === NAMES_PER_TURN - 1) await nextTurn()
        const known = readOut(questions, missing, tally)
        if (known.length < questions.length) status = 'partial'
        texts.set(name, `{${known.map(({ sort, entry }) => `"${sort}":${entry.text}`).join(',')}}`)
      }
      tally.tell(metrics)
      return { status, facts: names.map((name) => texts.get(name) ?? '{}') }
    },
    flush: () => writer.flush(),
    async close() {
      closed = true
      on = false
      clearInterval(timer)
      await observers.close()
      await writer.close()
    },
  }
}

/** Counts before it tells: a list wants tens of thousands of facts. */
class Tally {
  readonly #counts = new Map<Sort, Map<FoundIn, number>>()

  add(sort: Sort, found: FoundIn): void {
    const counts = this.#counts.get(sort) ?? new Map<FoundIn, number>()
    counts.set(found, (counts.get(found) ?? 0) + 1)
    this.#counts.set(sort, counts)
  }

  tell(metrics: LiveMetrics | undefined): void {
    for (const [sort, counts] of this.#counts) {
      for (const [found, count] of counts) metrics?.countWanted(sort, found, count)
    }
  }
}
