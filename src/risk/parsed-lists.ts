import { Problem } from '../errors.ts'
import type { Kind } from '../lib/kinds.ts'
import type { ListRecord } from './list.ts'
import { readRecords } from './request.ts'

/** The body of a bulk request in memory shared by all threads. */
export interface SharedBody {
  readonly id: number
  readonly memory: SharedArrayBuffer
  readonly length: number
}

/** Memory beyond this is left to V8, which frees it late because it does not count shared memory. */
const FREE_BYTES_MAX = 64 * 1024 * 1024
const SMALLEST = 64 * 1024

export class SharedBodies {
  readonly #free: SharedArrayBuffer[] = []
  #freeBytes = 0
  #nextId = 1

  /** Copies a body into shared memory, until it is given back. */
  take(body: Buffer): SharedBody {
    const size = Math.max(SMALLEST, 2 ** Math.ceil(Math.log2(body.length)))
    const at = this.#free.findIndex(({ byteLength }) => byteLength === size)
    const [found] = at < 0 ? [] : this.#free.splice(at, 1)
    if (found) this.#freeBytes -= size
    const memory = found ?? new SharedArrayBuffer(size)
    Buffer.from(memory).set(body)
    return { id: this.#nextId++, memory, length: body.length }
  }

  /** Call once, when no thread reads the memory any more. */
  giveBack({ memory }: SharedBody): void {
    this.#free.push(memory)
    this.#freeBytes += memory.byteLength
    // The oldest is freed first: its size may no longer be needed.
    while (this.#freeBytes > FREE_BYTES_MAX) this.#freeBytes -= this.#free.shift()?.byteLength ?? 0
  }
}

export const bytesOf = ({ memory, length }: SharedBody): Buffer => Buffer.from(memory, 0, length)

// One of the longest bodies, or some twenty ordinary ones of 10,000 records, as many as may be queued. Every thread has
// its own cache, and a parsed record takes several times its bytes.
const BYTES_MAX = 4 * 1024 * 1024

/**
 * Caches the parsed lists of bodies that are processed in slices, task after task. Each is parsed once, also an invalid
 * one. When the bodies together exceed `bytesMax`, the newest are parsed for each slice: lists take turns, and caching
 * the newest would remove each of the others right before its turn.
 */
export class ParsedLists {
  readonly #bytesMax: number
  readonly #kept = new Map<number, { readonly parsed: readonly ListRecord[] | Problem; readonly bytes: number }>()
  #bytes = 0

  constructor(bytesMax = BYTES_MAX) {
    this.#bytesMax = bytesMax
  }

  /** Throws the Problem of a body that contains no list. */
  recordsOf(kind: Kind, body: SharedBody): readonly ListRecord[] {
    const parsed = this.#kept.get(body.id)?.parsed ?? this.#parse(kind, body)
    if (parsed instanceof Problem) throw parsed
    return parsed
  }

  /** Call when the body is no longer needed. */
  forget(id: number): void {
    this.#bytes -= this.#kept.get(id)?.bytes ?? 0
    this.#kept.delete(id)
  }

  #parse(kind: Kind, body: SharedBody): readonly ListRecord[] | Problem {
    const parsed = parseBody(kind, body)
    if (this.#bytes + body.length <= this.#bytesMax) {
      this.#kept.set(body.id, { parsed, bytes: body.length })
      this.#bytes += body.length
    }
    return parsed
  }
}

function parseBody(kind: Kind, body: SharedBody): readonly ListRecord[] | Problem {
  try {
    return readRecords(kind, bytesOf(body))
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}
