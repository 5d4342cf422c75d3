/** The external effects of the client. They are passed in, so that tests can control time and randomness. */
export interface Effects {
  readonly fetch: typeof globalThis.fetch
  readonly now: () => number
  /** 0 ≤ x < 1, for the jitter of waiting times. */
  readonly random: () => number
  /** Resolves after the time, or rejects with the reason of the signal. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** Unpredictable words, for idempotency keys and the key of the hash table. */
  readonly randomWords: (count: number) => Uint32Array
}

export const systemEffects: Effects = {
  // Read at every call: a page or a test may replace fetch later.
  fetch: (input, init) => globalThis.fetch(input, init),
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const onAbort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }, ms)
      signal?.addEventListener('abort', onAbort, { once: true })
    }),
  // Not randomUUID: browsers offer it only to pages served over https.
  randomWords: (count) => globalThis.crypto.getRandomValues(new Uint32Array(count)),
}

export function randomId(effects: Effects): string {
  return Array.from(effects.randomWords(4), (word) => word.toString(16).padStart(8, '0')).join('')
}
