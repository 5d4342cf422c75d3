/**
 * Statements over many rows come in a few sizes only (powers of two), so that each engine prepares a handful of texts
 * once instead of a new text for every number of rows.
 */
const CHUNK_ROWS_MAX = 64

/** Powers of two that add up to `count`, largest first, none above 64. */
export function chunkSizes(count: number): number[] {
  const sizes: number[] = []
  let left = count
  for (let size = CHUNK_ROWS_MAX; size >= 1; size /= 2) {
    while (left >= size) {
      sizes.push(size)
      left -= size
    }
  }
  return sizes
}

/** For `in (…)`: the values, the last one repeated up to a power of two, and their marks numbered from `first`. */
export function paddedList(values: readonly string[], first: number): { marks: string; values: string[] } {
  const padded = [...values]
  const last = values.at(-1)
  if (last === undefined) throw new RangeError('a list of values must not be empty')
  while (!Number.isInteger(Math.log2(padded.length))) padded.push(last)
  return { marks: padded.map((_, i) => `$${first + i}`).join(','), values: padded }
}
