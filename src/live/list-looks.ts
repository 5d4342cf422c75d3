import type { Sort } from './facts.ts'
import type { Question } from './questions.ts'

/**
 * The questions of lists, handed to the observers a window at a time: a thread that is given tens of thousands at once
 * is busy with taking them in while its answers wait. Lists take turns, so that a short one is done soon. What a list
 * still waits for when its time is over is dropped.
 */
export interface ListLooksOptions<Found> {
  /** Looks one question up, and never rejects. */
  readonly look: (question: Question) => Promise<Found>
  /** Of each sort, how many are under way at once. */
  readonly window: number
  /** Of all lists together; of a list beyond it nothing is looked up. */
  readonly waitingMax: number
  readonly ticks: () => number
}

interface Waiting<Found> {
  readonly questions: Question[]
  next: number
  readonly dropAt: number
  readonly done: (question: Question, found: Found) => void
}

export class ListLooks<Found> {
  readonly #options: ListLooksOptions<Found>
  readonly #waiting = new Map<Sort, Waiting<Found>[]>()
  readonly #underWay = new Map<Sort, number>()
  #count = 0

  constructor(options: ListLooksOptions<Found>) {
    this.#options = options
  }

  /** Adds questions; `done` is told of each that was looked up. Those that still wait at `dropAt` are dropped. */
  add(questions: readonly Question[], { dropAt, done }: Pick<Waiting<Found>, 'dropAt' | 'done'>): void {
    if (this.#count + questions.length > this.#options.waitingMax) return
    this.#count += questions.length
    for (const [sort, ofSort] of Map.groupBy(questions, ({ sort }) => sort)) {
      const lists = this.#waiting.get(sort) ?? []
      lists.push({ questions: ofSort, next: 0, dropAt, done })
      this.#waiting.set(sort, lists)
      this.#fill(sort)
    }
  }

  clear(): void {
    this.#waiting.clear()
    this.#count = 0
  }

  #fill(sort: Sort): void {
    for (;;) {
      const underWay = this.#underWay.get(sort) ?? 0
      const taken = underWay < this.#options.window ? this.#take(sort) : undefined
      if (!taken) return
      this.#underWay.set(sort, underWay + 1)
      void this.#options.look(taken.question).then((found) => {
        taken.done(taken.question, found)
        this.#underWay.set(sort, (this.#underWay.get(sort) ?? 1) - 1)
        this.#fill(sort)
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
