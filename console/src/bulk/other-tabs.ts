/** Tabs tell each other what changed, and only one of them sends a list at a time. */

export interface Message {
  readonly owner: string
  readonly id: string
  readonly what: 'changed' | 'removed' | 'pause'
}

const channel = new BroadcastChannel('assay-lists')

export function tellTabs(message: Message): void {
  channel.postMessage(message)
}

export function onMessage(listener: (message: Message) => void): void {
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => listener(data))
}

/**
 * Browsers have locks only on secure addresses. Without them two tabs may send the same batch, under the same key: the
 * server takes it once, and the other waits for its answer.
 */
const locks: LockManager | undefined = 'locks' in navigator ? navigator.locks : undefined
const lockOf = (id: string) => `assay-list ${id}`

/** False, and nothing is done, while another tab is at it. */
export async function alone(id: string, work: () => Promise<void>): Promise<boolean> {
  if (!locks) {
    await work()
    return true
  }
  return locks.request(lockOf(id), { ifAvailable: true }, async (lock) => {
    if (lock) await work()
    return lock !== null
  })
}

export async function isHeld(id: string): Promise<boolean> {
  const { held = [] } = (await locks?.query()) ?? {}
  return held.some(({ name }) => name === lockOf(id))
}

/** When the other tab has stopped, finished or gone. */
export async function whenFree(id: string): Promise<void> {
  await locks?.request(lockOf(id), { mode: 'shared' }, () => {})
}
