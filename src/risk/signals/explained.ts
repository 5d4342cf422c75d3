import type { Evidence, Tag } from '../../snapshot/types.ts'
import type { Finding } from '../signal.ts'

/** A finding whose sentence is made when somebody asks for it: most scores are never explained. */
export class Explained implements Finding {
  readonly source: string
  readonly confidence: number
  readonly variant: string | undefined
  readonly tag: Tag | undefined
  readonly firstSeenMs: number | undefined
  readonly lastSeenMs: number | undefined
  readonly #say: () => string

  constructor(
    item: Pick<Evidence, 'source' | 'confidence'> & { readonly [K in keyof Evidence]?: Evidence[K] | undefined },
    say: () => string,
    variant?: string | undefined,
  ) {
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
