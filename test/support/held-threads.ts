import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { BroadcastChannel } from 'node:worker_threads'

/** A program for scoring threads that accept work and do nothing until they are released. */
export function heldThreads(folder: string): { readonly program: URL; release(): void } {
  const channel = `held-${randomUUID()}`
  const file = join(folder, `${channel}.mjs`)
  const real = new URL('../../src/risk/worker-thread.ts', import.meta.url).href
  writeFileSync(
    file,
    `import { BroadcastChannel, parentPort } from 'node:worker_threads'
     const held = []
     const hold = (message) => held.push(message)
     parentPort.on('message', hold)
     const gate = new BroadcastChannel('${channel}')
     gate.onmessage = async ({ data }) => {
       if (data !== 'go') return
       gate.close()
       await import('${real}')
       parentPort.off('message', hold)
       for (const message of held) parentPort.emit('message', message)
     }
     gate.postMessage('ready')
    `,
  )
  // A thread that starts late asks whether it may continue.
  const gate = new BroadcastChannel(channel)
  let released = false
  gate.onmessage = () => released && gate.postMessage('go')
  gate.unref()
  return {
    program: pathToFileURL(file),
    release() {
      released = true
      gate.postMessage('go')
    },
  }
}
