import type { Operation } from './document.ts'
import type { Random } from './random.ts'
import { type Answer, type Draft, render } from './wire.ts'
import type { Tenant, World } from './world.ts'

/** One thing to send, and what is known beforehand about the answer. */
export interface Attack {
  /** In a few words, for whoever reads a failure. */
  readonly about: string
  readonly bytes: readonly Buffer[]
  /** The methods of the requests in the bytes, in order. */
  readonly methods: readonly string[]
  /** The operation that the first request certainly addresses: then only documented answers are right. */
  readonly target: Operation | OAuthEndpoint | undefined
  /** Whose credential it carries: this tenant's own things may stand in the answer. */
  readonly caller?: Tenant | undefined
  /** False when the two sides may disagree where a request ends: then the server may also close the connection. */
  readonly clear: boolean
  /** The request that the bytes were made from, so that a failure can be made smaller. */
  readonly draft?: Draft
  /** Rules for the answers to this request, beside those for all. */
  readonly judge?: (answers: readonly Answer[]) => readonly string[]
  /** Takes up what was made, so that later requests find it. */
  readonly learn?: (answer: Answer) => void
}

export interface OAuthEndpoint {
  readonly oauth: string
}

export interface Family {
  readonly name: string
  /** How many of its requests there are for one of a family with weight 1. */
  readonly weight: number
  make(random: Random, world: World): Attack
}

export function attackOf(
  draft: Draft,
  rest: Pick<Attack, 'about' | 'target'> & Partial<Omit<Attack, 'bytes' | 'methods' | 'draft'>>,
): Attack {
  return { bytes: [render(draft)], methods: [draft.method], clear: true, draft, ...rest }
}

export const isOperation = (target: Attack['target']): target is Operation => target !== undefined && 'method' in target

/** An answer with this status is the only right one. */
export const demand =
  (what: string, fine: (answer: Answer) => boolean) =>
  ([first]: readonly Answer[]): readonly string[] =>
    first === undefined || fine(first) ? [] : [`${what}, not ${first.status}`]
