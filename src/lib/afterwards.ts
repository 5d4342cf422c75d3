/**
 * Work that is done after the answer, so that the time until the answer does not tell what there was to do. One piece at a
 * time; a crash loses what waits, so nothing goes here that must not be lost.
 */
export interface Afterwards {
  do(work: () => Promise<unknown>): void
  /** Resolves when nothing is left to do. */
  settled(): Promise<void>
}

/** More than this is a flood: what comes beyond is left undone. */
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
