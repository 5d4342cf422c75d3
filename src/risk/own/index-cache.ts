import type { OwnIndex } from './own-index.ts'

/** Compiled indexes by organisation, within a limit of bytes; the least recently used leaves first, to `onLeave`. */
export class IndexCache {
  readonly #bytesMax: number
  readonly #onLeave: (index: OwnIndex) => void
  /** The least recently used first. */
  readonly #kept = new Map<string, OwnIndex>()
  /** The last in the order. */
  #latest: string | undefined
  #bytes = 0

  constructor(bytesMax: number, onLeave: (index: OwnIndex) => void = () => {}) {
    this.#bytesMax = bytesMax
    this.#onLeave = onLeave
  }

  get bytes(): number {
    return this.#bytes
  }

  get(organisationId: string): OwnIndex | undefined {
    const index = this.#kept.get(organisationId)
    if (!index || organisationId === this.#latest) return index
    this.#latest = organisationId
    this.#kept.delete(organisationId)
    this.#kept.set(organisationId, index)
    return index
  }

  /** One index is kept in any case, however long it is. */
  set(organisationId: string, index: OwnIndex): void {
    this.delete(organisationId)
    this.#kept.set(organisationId, index)
    this.#latest = organisationId
    this.#bytes += index.memory.byteLength
    for (const id of this.#kept.keys()) {
      if (this.#bytes <= this.#bytesMax || id === organisationId) break
      this.delete(id)
    }
  }

  delete(organisationId: string): void {
    const index = this.#kept.get(organisationId)
    if (!index) return
    this.#bytes -= index.memory.byteLength
    this.#kept.delete(organisationId)
    this.#onLeave(index)
  }
}
