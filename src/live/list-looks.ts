import { FairQueue, NOBODY, SharedPlaces } from '../lib/fair-shares.ts'
import type { Sort } from './facts.ts'
import type { Question } from './questions.ts'

/**
 * The queue of questions from lists, passed to the observers a window at a time: a thread that gets tens of thousands
 * at the same time is busy reading them while its answers wait. Organisations take turns and share the places; the
 * lists of one take turns too, so that a short one is done soon. Questions still in the queue when the time of their
 * list is over are dropped.
 */
export interface ListLooksOptions<Found> {
  /** Looks one question up, and never rejects. */
  readonly look: (question: Question, organisationId: string) => Promise<Found>
  /** How many questions of each sort may be in progress, not counting those that have taken longer than `slowMs`. */
  readonly window: number
  readonly slowMs: number
  /** The limit for each sort, slow questions included. */
  readonly underWayMax: number
  /** The limit of the queue for all lists together; questions beyond an organisation's share are not looked up. */
  readonly waitingMax: number
  readonly ticks: () => number
}

interface Waiting<Found> {
  readonly questions: readonly Question[]
  next: number
  readonly organisationId: string
  readonly dropAt: number
  readonly done: (question: Question, found: Found | undefined) => void
}

interface OfSort<Found> {
  readonly lists: FairQueue<Waiting<Found>>
  readonly window: SharedPlaces
  readonly underWay: SharedPlaces
}

export class ListLooks<Found> {
  readonly #options: ListLooksOptions<Found>
  readonly #sorts = new Map<Sort, OfSort<Found>>()
  readonly #places: SharedPlaces

  constructor(options: ListLooksOptions<Found>) {
    this.#options = options
    this.#places = new SharedPlaces(options.waitingMax)
  }

  /** Adds questions; `done` is called for each that was looked up. Questions still waiting at `dropAt` are dropped. */
  add(
    questions: readonly Question[],
    {
      organisationId = NOBODY,
      ...list
    }: Pick<Waiting<Found>, 'dropAt' | 'done'> & { readonly organisationId?: string },
  ): void {
    if (!this.#places.mayTake(organisationId, questions.length)) {
      for (const question of questions) list.done(question, undefined)
      return
    }
    this.#places.take(organisationId, questions.length)
    for (const [sort, ofSort] of Map.groupBy(questions, ({ sort }) => sort)) {
      const all = this.#ofSort(sort)
      all.lists.push(organisationId, { ...list, organisationId, questions: ofSort, next: 0 })
      this.#fill(all)
    }
  }

  get count(): number {
    return this.#places.used
  }

  clear(): void {
    for (const list of [...this.#sorts.values()].flatMap(({ lists }) => lists.clear())) {
      const left = list.questions.slice(list.next)
      this.#places.giveBack(list.organisationId, left.length)
      for (const question of left) list.done(question, undefined)
    }
  }

  #ofSort(sort: Sort): OfSort<Found> {
    let all = this.#sorts.get(sort)
    if (!all) {
      const { window, underWayMax } = this.#options
      all = { lists: new FairQueue(), window: new SharedPlaces(window), underWay: new SharedPlaces(underWayMax) }
      this.#sorts.set(sort, all)
    }
    return all
  }

  #fill(all: OfSort<Found>): void {
    const { window, underWay } = all
    const { slowMs, look } = this.#options
    for (let next = this.#take(all); next; next = this.#take(all)) {
      const { question, list } = next
      const who = list.organisationId
      window.take(who)
      underWay.take(who)
      let holdsPlace = true
      const giveUpPlace = () => {
        if (holdsPlace) window.giveBack(who)
        holdsPlace = false
        this.#fill(all)
      }
      const timer = setTimeout(giveUpPlace, slowMs).unref()
      void look(question, who).then((found) => {
        clearTimeout(timer)
        list.done(question, found)
        underWay.giveBack(who)
        giveUpPlace()
      })
    }
  }

  /** The next question of the list whose turn it is. */
  #take({ lists, window, underWay }: OfSort<Found>) {
    const mayGo = (who: string) => window.mayTake(who) && underWay.mayTake(who)
    for (let list = lists.shift(mayGo); list; list = lists.shift(mayGo)) {
      const left = list.questions.length - list.next
      const late = this.#options.ticks() >= list.dropAt
      this.#places.giveBack(list.organisationId, late ? left : 1)
      if (late) continue
      const question = list.questions[list.next++]
      if (left > 1) lists.push(list.organisationId, list)
      if (question) return { list, question }
    }
    return undefined
  }
}
