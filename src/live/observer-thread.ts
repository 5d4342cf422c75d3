import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../lib/clock.ts'
import { giveStartMemoryBack } from '../lib/garbage.ts'
import { yieldToOthers } from '../lib/niceness.ts'
import { createObservers } from './local-observers.ts'
import type { ObserverSettings, ThreadAnswer, ThreadCall } from './observers.ts'

/** The look-up thread. It keeps no fact longer than it takes to pass it on. */

if (!parentPort) throw new Error('observer-thread.ts runs on a worker thread only')
const port = parentPort
// Current answers, also those of lists, come before facts for later ones.
yieldToOthers(6)
const observers = createObservers(workerData as ObserverSettings, systemClock)
// Load undici now: at the first question the loading would take longer than most budgets.
void import('undici')
giveStartMemoryBack()
let answers: ThreadAnswer[] = []

function sendAnswers(): void {
  port.postMessage(answers)
  answers = []
}

port.on('message', (calls: readonly ThreadCall[]) => {
  for (const [id, method, ...given] of calls) {
    void Promise.resolve(Reflect.apply(observers[method], observers, given)).then((says) => {
      // Answers of the same turn travel in one message.
      if (answers.push([id, says]) === 1) setImmediate(sendAnswers)
    })
  }
})
