/** How long statements take. Slow ones are kept by their text (marks, no values), at most `textsMax` of them. */
export interface SlowStatement {
  /** Without values, on one line, shortened. */
  readonly text: string
  /** How often it was slow; the two times cover only these runs. */
  readonly count: number
  readonly worst_ms: number
  readonly mean_ms: number
}

const SLOW_MS = 200
const TEXTS_MAX = 50
const CHARACTERS_MAX = 400

export class StatementTimes {
  readonly #slowMs: number
  readonly #textsMax: number
  readonly #slow = new Map<string, { count: number; worstMs: number; sumMs: number }>()
  #statements = 0
  #sumMs = 0
  #slowCount = 0

  constructor({ slowMs = SLOW_MS, textsMax = TEXTS_MAX }: { slowMs?: number; textsMax?: number } = {}) {
    this.#slowMs = slowMs
    this.#textsMax = textsMax
  }

  /** `sinceMs` is the value of performance.now() when the statement began. */
  took(text: string, sinceMs: number): void {
    const ms = performance.now() - sinceMs
    this.#statements++
    this.#sumMs += ms
    if (ms >= this.#slowMs) this.#keep(shown(text), ms)
  }

  figures() {
    return { statements: this.#statements, seconds: this.#sumMs / 1000, slow: this.#slowCount }
  }

  /** The slow statements since the start, slowest first. */
  slow(): SlowStatement[] {
    return [...this.#slow]
      .map(([text, { count, worstMs, sumMs }]) => ({
        text,
        count,
        worst_ms: Math.round(worstMs),
        mean_ms: Math.round(sumMs / count),
      }))
      .sort((one, other) => other.worst_ms - one.worst_ms)
  }

  #keep(text: string, ms: number): void {
    this.#slowCount++
    const known = this.#slow.get(text)
    if (known) {
      known.count++
      known.sumMs += ms
      known.worstMs = Math.max(known.worstMs, ms)
      return
    }
    this.#slow.set(text, { count: 1, worstMs: ms, sumMs: ms })
    if (this.#slow.size <= this.#textsMax) return
    let [mildest, leastMs] = ['', Number.POSITIVE_INFINITY]
    for (const [other, { worstMs }] of this.#slow) if (worstMs < leastMs) [mildest, leastMs] = [other, worstMs]
    this.#slow.delete(mildest)
  }
}

/** One text for inserts of any number of rows, without literal values. */
function shown(text: string): string {
  const line = text
    .replace(/'(?:[^']|'')*'/g, "'…'")
    .replace(/\((?:\$\d+,?)+\)(?:,\((?:\$\d+,?)+\))+/g, '(…), …')
    .replace(/\$\d+(?:, ?\$\d+){8,}/g, '$1, …')
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > CHARACTERS_MAX ? `${line.slice(0, CHARACTERS_MAX - 1)}…` : line
}
