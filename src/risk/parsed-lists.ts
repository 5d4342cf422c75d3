import { Problem } from '../errors.ts'
import type { Kind } from '../lib/kinds.ts'
import type { Texts } from './list.ts'
import { readTexts } from './request.ts'
import { bytesOf, type SharedBody } from './shared-bodies.ts'

/**
 * The lists of bodies that are worked on in slices, each parsed once, also where that only showed what is wrong with it. Of
 * more than `bytesMax` the newest are not kept: slices come in turns, and keeping the newest would let all others fall
 * out right before they are needed again.
 */
export class ParsedLists {
  readonly #bytesMax: number
  readonly #kept = new Map<number, { readonly parsed: Texts | Problem; readonly bytes: number }>()
  #bytes = 0

  constructor(bytesMax: number) {
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
