/**
 * Answers the look-ups of one turn of the event loop together, and those that come during a read by the next one: `readAll`
 * returns the values in the order of the keys.
 */
export function gatherLookUps<Key, Value>(
  readAll: (keys: readonly Key[]) => Promise<readonly Value[]>,
): (key: Key) => Promise<Value> {
  let waiting: { key: Key; resolve: (value: Value) => void; reject: (error: unknown) => void }[] = []
  let reading = false
  async function answer(): Promise<void> {
    const asked = waiting
    waiting = []
    reading = true
    try {
      const values = await readAll(asked.map(({ key }) => key))
      for (const [i, { resolve }] of asked.entries()) resolve(values[i]!)
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
    reading = false
    if (waiting.length > 0) setImmediate(answer)
  }
  return (key) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ key, resolve, reject }) === 1 && !reading) setImmediate(answer)
    })
}
