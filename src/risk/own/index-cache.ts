import type { OwnIndex } from './own-index.ts'

/** Compiled indexes by organisation, within a limit of bytes; the least recently used leaves first. */
export class IndexCache {
  readonly #bytesMax: number
  /** The least recently used first. */
  readonly #kept = new Map<string, OwnIndex>()
  /** The last in the order. */
  #latest: string | undefined
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
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
    this.#bytes -= this.#kept.get(organisationId)?.memory.byteLength ?? 0
    this.#kept.delete(organisationId)
  }
}
