/** Messages between tabs about changes, and a lock so that only one tab sends a list at a time. */

export type Message = { readonly owner: string; readonly id: string; readonly what: 'changed' | 'removed' | 'pause' }

const channel = new BroadcastChannel('assay-lists')

export function tellTabs(message: Message): void {
  channel.postMessage(message)
}

export function onMessage(listener: (message: Message) => void): void {
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => listener(data))
}

/** Only on secure addresses. Without it two tabs may send a batch under the same key: the server accepts it once. */
const locks: LockManager | undefined = 'locks' in navigator ? navigator.locks : undefined
const lockOf = (id: string) => `assay-list ${id}`

/** Returns false, and does nothing, while another tab holds the lock. */
export async function alone(id: string, work: () => Promise<void>): Promise<boolean> {
  if (!locks) {
    await work()
    return true
  }
  for (;;) {
    const isDone = await locks.request(lockOf(id), { ifAvailable: true }, async (lock) => {
      if (lock) await work()
      return lock !== null
    })
    // A tab that waits for the end of another holds the lock for a moment only (`whenFree`).
    if (isDone || (await isHeld(id))) return isDone
  }
}

/** True while a tab sends the list. */
export async function isHeld(id: string): Promise<boolean> {
  const { held = [] } = (await locks?.query()) ?? {}
  return held.some(({ name, mode }) => name === lockOf(id) && mode === 'exclusive')
}

/** Resolves when the other tab has stopped, finished or closed. */
export async function whenFree(id: string): Promise<void> {
  await locks?.request(lockOf(id), { mode: 'shared' }, () => {})
}
