import { hashBetween, hashStep, PREFIXES, readText } from '../../lib/text-index.ts'

/** The hashes of the current label: written by typoParts, read immediately. */
export const PARTS = new Int32Array(3)

/**
 * Writes the hashes of three parts of a label, as those of a label of `length`: its beginning, its end, and both edges. A
 * label of `length` that is one edit away has one of them in common: the edit is behind the beginning, in front of the end,
 * or between the edges, which leave room for two letters that are exchanged. So three look-ups tell where an edit may be.
 */
export function typoParts(label: string, length = label.length): void {
  readText(label)
  const own = label.length
  const long = Math.floor((3 * length) / 5)
  const short = length - long - 1
  PARTS[0] = hashStep(PREFIXES[long] as number, 4 * length)
  PARTS[1] = hashStep(hashBetween(PREFIXES, own - long, own), 4 * length + 1)
  PARTS[2] = hashStep(hashStep(PREFIXES[short] as number, hashBetween(PREFIXES, own - short, own)), 4 * length + 2)
}
