import { Problem } from '../errors.ts'
import type { Kind } from '../lib/kinds.ts'
import type { Texts } from './list.ts'
import { readTexts } from './request.ts'
import { bytesOf, type SharedBody } from './shared-bodies.ts'

/** Four of the longest bodies, or some seventy ordinary ones of 10,000 records; every thread keeps its own. */
const BYTES_MAX = 16 * 1024 * 1024

/**
 * The lists of bodies that are worked on in slices. Each is parsed once, also one that turns out to be wrong. When the
 * bodies together are longer than `bytesMax`, the newest are parsed for each slice: lists take turns, and to keep the
 * newest would drop each of the others right before its turn.
 */
export class ParsedLists {
  readonly #bytesMax: number
  readonly #kept = new Map<number, { readonly parsed: Texts | Problem; readonly bytes: number }>()
  #bytes = 0

  constructor(bytesMax = BYTES_MAX) {
    this.#bytesMax = bytesMax
  }

  /** Throws the Problem of a body that holds no list. */
  textsOf(kind: Kind, body: SharedBody): Texts {
    const parsed = this.#kept.get(body.id)?.parsed ?? this.#parse(kind, body)
    if (parsed instanceof Problem) throw parsed
    return parsed
  }

  /** The body is done with. */
  forget(id: number): void {
    this.#bytes -= this.#kept.get(id)?.bytes ?? 0
    this.#kept.delete(id)
  }

  #parse(kind: Kind, body: SharedBody): Texts | Problem {
    const parsed = parseBody(kind, body)
    if (this.#bytes + body.length <= this.#bytesMax) {
      this.#kept.set(body.id, { parsed, bytes: body.length })
      this.#bytes += body.length
    }
    return parsed
  }
}

function parseBody(kind: Kind, body: SharedBody): Texts | Problem {
  try {
    return readTexts(kind, bytesOf(body))
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}
