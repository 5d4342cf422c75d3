import type { Sort } from './facts.ts'
import type { Question } from './questions.ts'

/**
 * The queue of questions from lists, passed to the observers a window at a time: a thread that gets tens of thousands
 * at the same time is busy reading them while its answers wait. Lists take turns, so that a short one is done soon.
 * Questions still in the queue when the time of their list is over are dropped.
 */
export interface ListLooksOptions<Found> {
  /** Looks one question up, and never rejects. */
  readonly look: (question: Question) => Promise<Found>
  /** How many questions of each sort may be in progress, not counting those that have taken longer than `slowMs`. */
  readonly window: number
  readonly slowMs: number
  /** The limit for each sort, slow questions included. */
  readonly underWayMax: number
  /** The limit of the queue for all lists together; questions of a list beyond it are not looked up. */
  readonly waitingMax: number
  readonly ticks: () => number
}

interface Waiting<Found> {
  readonly questions: Question[]
  next: number
  readonly dropAt: number
  readonly done: (question: Question, found: Found | undefined) => void
}

export class ListLooks<Found> {
  readonly #options: ListLooksOptions<Found>
  readonly #waiting = new Map<Sort, Waiting<Found>[]>()
  readonly #places = new Map<Sort, { taken: number; underWay: number }>()
  #count = 0

  constructor(options: ListLooksOptions<Found>) {
    this.#options = options
  }

  /** Adds questions; `done` is called for each that was looked up. Questions still waiting at `dropAt` are dropped. */
  add(questions: readonly Question[], { dropAt, done }: Pick<Waiting<Found>, 'dropAt' | 'done'>): void {
    if (this.#count + questions.length > this.#options.waitingMax) {
      for (const question of questions) done(question, undefined)
      return
    }
    this.#count += questions.length
    for (const [sort, ofSort] of Map.groupBy(questions, ({ sort }) => sort)) {
      const lists = this.#waiting.get(sort) ?? []
      lists.push({ questions: ofSort, next: 0, dropAt, done })
      this.#waiting.set(sort, lists)
      this.#fill(sort)
    }
  }

  get count(): number {
    return this.#count
  }

  clear(): void {
    for (const list of [...this.#waiting.values()].flat()) {
      for (const question of list.questions.slice(list.next)) list.done(question, undefined)
    }
    this.#waiting.clear()
    this.#count = 0
  }

  #fill(sort: Sort): void {
    const { window, underWayMax, slowMs, look } = this.#options
    const places = this.#places.get(sort) ?? { taken: 0, underWay: 0 }
    this.#places.set(sort, places)
    while (places.taken < window && places.underWay < underWayMax) {
      const next = this.#take(sort)
      if (!next) return
      places.taken++
      places.underWay++
      let holdsPlace = true
      const giveUpPlace = () => {
        if (holdsPlace) places.taken--
        holdsPlace = false
        this.#fill(sort)
      }
      const timer = setTimeout(giveUpPlace, slowMs)
      timer.unref()
      void look(next.question).then((found) => {
        clearTimeout(timer)
        next.done(next.question, found)
        places.underWay--
        giveUpPlace()
      })
    }
  }

  /** The next question of the list whose turn it is. */
  #take(sort: Sort): { readonly question: Question; readonly done: Waiting<Found>['done'] } | undefined {
    const lists = this.#waiting.get(sort)
    for (let list = lists?.shift(); list; list = lists?.shift()) {
      const late = this.#options.ticks() >= list.dropAt
      const question = late ? undefined : list.questions[list.next++]
      this.#count -= late ? list.questions.length - list.next : question ? 1 : 0
      if (!question) continue
      lists?.push(list)
      return { question, done: list.done }
    }
    return undefined
  }
}
