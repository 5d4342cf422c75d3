import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../lib/clock.ts'
import { giveStartMemoryBack } from '../lib/garbage.ts'
import { yieldToOthers } from '../lib/niceness.ts'
import { createObservers } from './local-observers.ts'
import type { FromThread, ObserverSettings, ThreadAnswer, ToThread } from './observers.ts'

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

const send = (message: FromThread) => port.postMessage(message)

function sendAnswers(): void {
  const batch = answers
  answers = []
  send({ answers: batch })
}

port.on('message', async (message: ToThread) => {
  if ('bootstrap' in message) observers.useBootstrap(message.bootstrap)
  else if ('asks' in message) send({ id: message.id, says: await observers[message.asks]() })
  else {
    for (const [id, sort, name, asker] of message.questions) {
      void observers.observe(sort, name, asker).then((observation) => {
        // Answers of the same turn travel in one message.
        if (answers.push([id, observation]) === 1) setImmediate(sendAnswers)
      })
    }
  }
})
