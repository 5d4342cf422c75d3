/**
 * A queue of work for after the answer, so that the response time does not reveal how much work there was. Runs one
 * piece at a time; a crash loses the queue, so work that must not be lost does not belong here.
 */
export interface Afterwards {
  do(work: () => Promise<unknown>): void
  /** Resolves when the queue is empty. */
  settled(): Promise<void>
}

/** More than this is a flood: work beyond this limit is dropped. */
const WAITING_MAX = 500

export function createAfterwards(onFailure: (error: unknown) => void): Afterwards {
  let last: Promise<void> = Promise.resolve()
  let waiting = 0
  return {
    do(work) {
      if (waiting >= WAITING_MAX) return
      waiting++
      last = last
        .then(() => new Promise<void>((resolve) => setImmediate(resolve)))
        .then(work)
        .then(() => {}, onFailure)
        .finally(() => {
          waiting--
        })
    },
    async settled() {
      while (waiting > 0) await last
    },
  }
}
