import type { ServerResponse } from 'node:http'
import { finished } from 'node:stream'
import type { Maybe } from '../lib/maybe.ts'

export type Turns = ReturnType<typeof createTurns>

/** Limits how many requests of one caller run at the same time; the others wait in order. */
export function createTurns(atOnceMax: number) {
  const lines = new Map<string, { running: number; readonly waiting: (() => void)[] }>()
  return {
    /** Waits for the turn of this answer's request. It is over when the answer was sent or its connection closed. */
    take(who: string, answer: ServerResponse): Maybe<void> {
      const line = lines.get(who) ?? { running: 0, waiting: [] }
      lines.set(who, line)
      const begin = () => {
        line.running++
        finished(answer, () => {
          line.running--
          const next = line.waiting.shift()
          if (next) next()
          else if (line.running === 0) lines.delete(who)
        })
      }
      if (line.running < atOnceMax) return begin()
      return new Promise((resolve) => {
        line.waiting.push(() => {
          begin()
          resolve()
        })
      })
    },
  }
}
