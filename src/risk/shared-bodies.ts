/** The body of a bulk request in memory shared by all threads. */
export interface SharedBody {
  readonly id: number
  readonly memory: SharedArrayBuffer
  readonly length: number
}

/** Memory beyond this is left to V8, which frees it late because it does not count shared memory. */
const FREE_BYTES_MAX = 64 * 1024 * 1024
const SMALLEST = 64 * 1024

/** Reuses the same memory. */
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
