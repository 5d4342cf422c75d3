import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Sql } from '../db/sql.ts'
import { type Clock, MINUTE_MS, SECOND_MS } from '../lib/clock.ts'
import { TwoGenerationCache } from '../lib/two-generation-cache.ts'
import { createFactWriter, type FactRow, keyOf, readFacts } from './fact-store.ts'
import type { Asker, FactSource, Facts, FactsAnswer, HeldBack, Sort } from './facts.ts'
import { ListLooks } from './list-looks.ts'
import type { Observers } from './observers.ts'
import { type Question, questionsAbout } from './questions.ts'

/**
 * Facts about names and addresses, looked up while a caller waits, within a budget.
 *
 * 1. A look-up never fails and never takes longer than its budget. Later answers are cached for the next question.
 * 2. A fact is looked up in memory, then in the database, then by its observer; concurrent questions of an organisation
 *    about one name share one look-up. Nobody waits for the look-up of another organisation, whose queue may be long.
 * 3. A fact is cached until it expires, a negative answer too. A failed look-up is not retried for as long as its
 *    observer says. A look-up that was held back says nothing about the name, and is not cached.
 */

export interface Live extends FactSource {
  /** Checks again if a resolver answers, where mode `auto` depends on it. */
  lookAgain(): Promise<void>
  waiting(): number
  flush(): Promise<void>
  close(): Promise<void>
}

/**
 * The source of a requested fact. `late`: not within the budget. `failed`: its observer has no answer. `held`: it was
 * not asked for.
 */
export type FoundIn = 'memory' | 'database' | 'network' | 'late' | 'failed' | 'held'

export interface LiveMetrics {
  countWanted(sort: Sort, found: FoundIn, count: number): void
  countHeldBack(reason: HeldBack, count: number): void
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
  /** Called when look-ups begin or cease to work in mode `auto`. */
  readonly onSwitch?: ((on: boolean) => void) | undefined
  /** Called with the reason why the database could not be read or written; answers continue without it. */
  readonly onTrouble?: ((error: unknown) => void) | undefined
  readonly entriesMax?: number
}

/** About 300 bytes each. */
const ENTRIES_MAX = 60_000
const ASSEMBLED_MAX = 8192
const LOOK_AGAIN_MS = MINUTE_MS

/** Few enough names that other requests are answered in between. */
const NAMES_PER_TURN = 250
const READ_AT_ONCE = 256
/**
 * The window for each sort, of which an organisation alone gets 100. Measured at a resolver of 20 ms: fewer leave it
 * idle, more finish fewer names in time.
 */
const LIST_WINDOW = 150
/** A slower look-up no longer counts in the window: lists of bad names are full of names whose servers are silent. */
const LIST_SLOW_MS = 250
export const LIST_UNDER_WAY_MAX = 600
const LIST_QUESTIONS_MAX = 300_000
/** The time to pass one name's facts on, as measured. */
const HANDED_OVER_MS = 0.07
/** A list is looked up for this long after its budget, so that the next caller finds its facts. */
const LOOKED_UP_AFTER_MS = MINUTE_MS
const MISSES_TO_TURN_OFF = 2
const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS

interface CachedFact {
  /** JSON, with the time it was seen. */
  readonly text: string
  readonly seenMs: number
  readonly expiresMs: number
  readonly from: 'database' | 'network'
}

/** All facts about one name, while none of them has expired. */
interface Assembled {
  readonly found: FactsAnswer<Facts>
  readonly sorts: readonly Sort[]
  readonly seenMs: number
  readonly expiresMs: number
}

interface Failed {
  /** In ticks: no retry before this time. */
  readonly until: number
}

interface Held {
  readonly held: HeldBack
}

type Entry = CachedFact | Failed | Held

const OFF: FactsAnswer<Facts> = { status: 'off', facts: {} }
const QUEUE_FULL: Held = { held: 'queue_full' }

interface LookUpAsker extends Asker {
  readonly organisationId: string
}

const lookKey = (question: Question, { organisationId }: LookUpAsker) => `${organisationId} ${keyOf(question)}`

export function createLive(options: LiveOptions): Live {
  const { observers, sql, clock, metrics } = options
  const memory = new TwoGenerationCache<CachedFact | Failed>(options.entriesMax ?? ENTRIES_MAX)
  // Cache of the assembled facts of single checks: a payee is often checked again.
  const assembled = new TwoGenerationCache<Assembled>(ASSEMBLED_MAX)
  const underWay = new Map<string, { readonly urgent: boolean; readonly done: Promise<Entry | undefined> }>()
  const writer = createFactWriter({ sql, onTrouble: options.onTrouble })
  const listLooks = new ListLooks<Entry | undefined>({
    look: (question, organisationId) => look(question, { urgent: false, organisationId }),
    window: LIST_WINDOW,
    slowMs: LIST_SLOW_MS,
    underWayMax: LIST_UNDER_WAY_MAX,
    waitingMax: LIST_QUESTIONS_MAX,
    ticks: () => clock.ticks(),
  })
  let on = options.mode === 'on'
  let misses = 0
  let closed = false

  function remembered(key: string): CachedFact | Failed | undefined {
    const entry = memory.get(key)
    return entry !== undefined && counts(entry) ? entry : undefined
  }

  function counts(entry: CachedFact | Failed): boolean {
    return 'text' in entry ? isCurrent(entry) : entry.until > clock.ticks()
  }

  /** A fact from a clock that was ahead is looked up again once the clock is right. */
  function isCurrent({ seenMs, expiresMs }: Pick<CachedFact, 'seenMs' | 'expiresMs'>): boolean {
    const nowMs = clock.now()
    return expiresMs > nowMs && seenMs <= nowMs + CLOCK_TOLERANCE_MS
  }

  function keep({ sort, name, value, seenMs, expiresMs }: FactRow, from: CachedFact['from']): CachedFact {
    const known: CachedFact = { text: value, seenMs, expiresMs, from }
    memory.set(keyOf({ sort, name }), known)
    return known
  }

  function look(question: Question, asker: LookUpAsker): Promise<Entry | undefined> {
    const place = lookKey(question, asker)
    const already = underWay.get(place)
    // A caller who waits for one answer does not wait for the turn of a list.
    if (already && (already.urgent || !asker.urgent)) return already.done
    const known = remembered(keyOf(question))
    if (known !== undefined || closed) return Promise.resolve(known)
    const done = observe(question, asker).finally(() => {
      if (underWay.get(place)?.done === done) underWay.delete(place)
    })
    underWay.set(place, { urgent: asker.urgent, done })
    return done
  }

  async function observe({ sort, name }: Question, asker: LookUpAsker): Promise<Entry | undefined> {
    const begun = clock.ticks()
    const seen = await observers.observe(sort, name, asker)
    const held = seen.outcome === 'failed' ? seen.held : undefined
    if (!held) metrics?.observeLook(sort, seen.outcome, (clock.ticks() - begun) / SECOND_MS)
    if (closed) return undefined
    if (seen.outcome === 'failed') {
      // A concurrent question may have succeeded.
      const known = remembered(keyOf({ sort, name }))
      if (known && 'text' in known) return known
      if (held) return { held }
      const failed = { until: clock.ticks() + seen.retryMs }
      memory.set(keyOf({ sort, name }), failed)
      return failed
    }
    const seenMs = clock.now()
    const value = `{"seenMs":${seenMs},${seen.value.slice(1)}`
    const row: FactRow = { sort, name, value, seenMs, expiresMs: seenMs + seen.keepMs }
    writer.add(row)
    return keep(row, 'network')
  }

  async function readKnown(questions: readonly Question[]): Promise<FactRow[]> {
    try {
      return await readFacts(sql, questions, clock.now())
    } catch (error) {
      options.onTrouble?.(error)
      return []
    }
  }

  /** Finds facts about one indicator that are not cached, from the database first. */
  async function findOut(questions: readonly Question[], asker: LookUpAsker, held: Map<string, Held>): Promise<void> {
    const unasked = questions.filter((question) => !underWay.has(lookKey(question, asker)))
    for (const row of await readKnown(unasked)) keep(row, 'database')
    const lookUp = async (question: Question) => {
      const entry = await look(question, asker)
      if (entry && 'held' in entry) held.set(keyOf(question), entry)
    }
    await Promise.all(questions.map(lookUp))
  }

  /** Passes on known entries for the questions and returns the questions that have to be looked up. */
  function unknownOf(
    questions: readonly Question[],
    entryOf: (key: string) => Entry | undefined,
    take: (question: Question, entry: Entry) => void,
  ): Question[] {
    return questions.filter((question) => {
      const entry = entryOf(keyOf(question))
      if (entry !== undefined) take(question, entry)
      return entry === undefined
    })
  }

  /** Passes on the known facts, and counts the source of each. */
  function collect(
    questions: readonly Question[],
    { tally, missing }: { readonly tally: Tally; readonly missing: { has(key: string): boolean } },
    entryOf: (key: string) => Entry | undefined,
    take: (sort: Sort, known: CachedFact) => void,
  ): void {
    for (const question of questions) {
      const key = keyOf(question)
      const entry = entryOf(key)
      tally.add(question.sort, foundIn(entry, missing.has(key)))
      if (entry && 'held' in entry) tally.addHeld(entry.held)
      if (entry && 'text' in entry) take(question.sort, entry)
    }
  }

  function assemble(
    place: string,
    questions: readonly Question[],
    missing: ReadonlySet<string>,
    held: ReadonlyMap<string, Held>,
  ): FactsAnswer<Facts> {
    const tally = new Tally()
    const facts: Partial<Record<Sort, unknown>> = {}
    let there = 0
    let expiresMs = Number.POSITIVE_INFINITY
    const entryOf = (key: string) => remembered(key) ?? held.get(key)
    collect(questions, { tally, missing }, entryOf, (sort, known) => {
      expiresMs = Math.min(expiresMs, known.expiresMs)
      const value = parsed(known.text)
      if (value === undefined) return
      facts[sort] = value
      there++
    })
    const isComplete = there === questions.length
    tally.tell(metrics)
    const status = isComplete ? 'complete' : 'partial'
    const found: FactsAnswer<Facts> = { status, facts: facts as Facts, heldBack: tally.heldBack() }
    const sorts = questions.map(({ sort }) => sort)
    if (isComplete) assembled.set(place, { found, sorts, seenMs: clock.now(), expiresMs })
    return found
  }

  async function lookAgain(): Promise<void> {
    if (options.mode !== 'auto' || closed) return
    const answers = await observers.answers()
    misses = answers ? 0 : misses + 1
    // One lost packet is not an outage.
    const now = answers || (on && misses < MISSES_TO_TURN_OFF)
    if (now === on || closed) return
    on = now
    options.onSwitch?.(on)
  }

  const timer = options.mode === 'auto' ? setInterval(() => void lookAgain(), LOOK_AGAIN_MS).unref() : undefined
  void lookAgain()

  return {
    isOn: () => on,
    lookAgain,
    about(kind, name, organisationId) {
      if (!on) return OFF
      const place = `${kind === 'ip' ? 'ip' : 'domain'} ${name}`
      const ready = assembled.get(place)
      if (ready && isCurrent(ready)) {
        if (metrics) for (const sort of ready.sorts) metrics.countWanted(sort, 'memory', 1)
        return ready.found
      }
      const questions = questionsAbout(kind, name, observers.sorts)
      if (questions.length === 0) return OFF
      const missing = unknownOf(questions, remembered, () => {})
      const keys = new Set(missing.map(keyOf))
      const held = new Map<string, Held>()
      if (missing.length === 0) return assemble(place, questions, keys, held)
      const work = findOut(missing, { urgent: true, organisationId }, held)
      return within(options.budgetMs, work).then(() => assemble(place, questions, keys, held))
    },
    async aboutAll(kind, names, organisationId) {
      if (!on) return { status: 'off', facts: [] }
      // Passing on and judging the facts is part of the time that the caller waits.
      const reservedMs = Math.min(options.bulkBudgetMs / 2, names.length * HANDED_OVER_MS)
      const deadline = clock.ticks() + options.bulkBudgetMs - reservedMs
      const wanted = new Map<string, readonly Question[]>()
      const missing = new Map<string, Question>()
      // Also cached here: one list may find more facts than the memory cache holds.
      const known = new Map<string, CachedFact | Held>()
      const entryOf = (key: string) => known.get(key) ?? remembered(key)
      for (const name of names) {
        if (wanted.has(name)) continue
        if (wanted.size % NAMES_PER_TURN === NAMES_PER_TURN - 1) await nextTurn()
        const questions = questionsAbout(kind, name, observers.sorts)
        wanted.set(name, questions)
        const unknown = unknownOf(questions, remembered, (question, entry) => {
          if ('text' in entry) known.set(keyOf(question), entry)
        })
        for (const question of unknown) missing.set(keyOf(question), question)
      }
      if (missing.size > 0) await findOutForList(missing, known, { deadline, organisationId })
      const tally = new Tally()
      const texts = new Map<string, string>()
      let asked = 0
      let found = 0
      for (const [name, questions] of wanted) {
        if (texts.size % NAMES_PER_TURN === NAMES_PER_TURN - 1) await nextTurn()
        const parts: string[] = []
        collect(questions, { tally, missing }, entryOf, (sort, { text }) => parts.push(`"${sort}":${text}`))
        asked += questions.length
        found += parts.length
        texts.set(name, `{${parts.join(',')}}`)
      }
      tally.tell(metrics)
      const status = asked === 0 ? 'off' : found === asked ? 'complete' : 'partial'
      return { status, facts: names.map((name) => texts.get(name) ?? '{}'), heldBack: tally.heldBack() }
    },
    waiting: () => listLooks.count + underWay.size,
    flush: () => writer.flush(),
    async close() {
      closed = true
      on = false
      clearInterval(timer)
      listLooks.clear()
      await observers.close()
      await writer.close()
    },
  }

  /** Fills `known` until the deadline, a batch at a time: from the database, then by look-ups. */
  async function findOutForList(
    missing: ReadonlyMap<string, Question>,
    known: Map<string, CachedFact | Held>,
    { deadline, organisationId }: { readonly deadline: number; readonly organisationId: string },
  ): Promise<void> {
    const all = [...missing.values()]
    const { promise: complete, resolve } = Promise.withResolvers<void>()
    let left = all.length
    let over = false
    const done = (question: Question, entry: Entry = QUEUE_FULL) => {
      if (over) return
      if ('text' in entry || 'held' in entry) known.set(keyOf(question), entry)
      if (--left === 0) resolve()
    }
    const begin = async () => {
      for (let at = 0; at < all.length && clock.ticks() < deadline && !closed; at += READ_AT_ONCE) {
        const batch = all.slice(at, at + READ_AT_ONCE)
        for (const row of await readKnown(batch)) known.set(keyOf(row), keep(row, 'database'))
        const unknown = unknownOf(batch, (key) => known.get(key) ?? remembered(key), done)
        listLooks.add(unknown, { organisationId, dropAt: deadline + LOOKED_UP_AFTER_MS, done })
        // SQLite answers within this turn of the event loop; give other requests their turn.
        await nextTurn()
      }
      await complete
    }
    await within(Math.max(0, deadline - clock.ticks()), begin())
    over = true
  }
}

async function within(budgetMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const spent = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, budgetMs)
  })
  await Promise.race([work, spent])
  clearTimeout(timer)
}

function foundIn(entry: Entry | undefined, hadToBeFound: boolean): FoundIn {
  if (entry === undefined) return 'late'
  if ('held' in entry) return 'held'
  if (!('text' in entry)) return 'failed'
  return hadToBeFound ? entry.from : 'memory'
}

/** Undefined for invalid JSON: a row that somebody edited must not fail a check. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Counts first and reports once: a list requests tens of thousands of facts. */
class Tally {
  readonly #counts = new Map<Sort, Map<FoundIn, number>>()
  readonly #held = new Map<HeldBack, number>()

  add(sort: Sort, found: FoundIn): void {
    const counts = this.#counts.get(sort) ?? new Map<FoundIn, number>()
    counts.set(found, (counts.get(found) ?? 0) + 1)
    this.#counts.set(sort, counts)
  }

  addHeld(reason: HeldBack): void {
    this.#held.set(reason, (this.#held.get(reason) ?? 0) + 1)
  }

  heldBack(): readonly HeldBack[] | undefined {
    return this.#held.size > 0 ? [...this.#held.keys()].sort() : undefined
  }

  tell(metrics: LiveMetrics | undefined): void {
    for (const [reason, count] of this.#held) metrics?.countHeldBack(reason, count)
    for (const [sort, counts] of this.#counts) {
      for (const [found, count] of counts) metrics?.countWanted(sort, found, count)
    }
  }
}
