import type { Evidence, Tag } from '../../snapshot/types.ts'
import type { Finding } from './signal.ts'

type Item = Pick<Evidence, 'source' | 'confidence'> & { readonly [K in keyof Evidence]?: Evidence[K] | undefined }

/** A finding whose sentence is built on request: most scores are never explained. */
export function explained(item: Item, say: () => string): Finding
export function explained<Variant extends string>(item: Item, say: () => string, variant: Variant): Finding<Variant>
export function explained(item: Item, say: () => string, variant?: string): Finding<string> {
  return new Explained(item, say, variant)
}

/** The one finding of a signal that reports a fact. */
export function factFinding(source: FactOrigin, seenMs: number | undefined, say: () => string): readonly Finding[] {
  return [explained({ source, confidence: 1, lastSeenMs: seenMs }, say)]
}
type FactOrigin = 'rdap' | 'dns' | 'tls'

class Explained implements Finding<string> {
  readonly source: string
  readonly confidence: number
  readonly variant: string | undefined
  readonly tag: Tag | undefined
  readonly firstSeenMs: number | undefined
  readonly lastSeenMs: number | undefined
  readonly #say: () => string

  constructor(item: Item, say: () => string, variant: string | undefined) {
    this.source = item.source
    this.confidence = item.confidence
    this.variant = variant
    this.tag = item.tag
    this.firstSeenMs = item.firstSeenMs
    this.lastSeenMs = item.lastSeenMs
    this.#say = say
  }

  get sentence(): string {
    return this.#say()
  }
}
