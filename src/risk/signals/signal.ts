import type { Kind } from '../../lib/kinds.ts'
import type { Tag } from '../../snapshot/types.ts'
import type { EmailSubject, LiveSubjects, Subjects } from '../look-up/subject.ts'

/**
 * Glossary of scoring. A *subject* is an indicator with everything looked up about it (look-up/). A *signal* finds
 * evidence of one sort on a subject (signals/). A *finding* is one piece of that evidence. The price of a finding stands
 * in weights/; how prices add up, in combine.ts.
 */

/**
 * One piece of evidence: the word of a source (snapshot Evidence is a finding as it stands), or something worked out here.
 * `Variant` lists the cases of a signal that are priced differently. A case without a price does not compile.
 */
export interface Finding<Variant extends string = never> {
  /** Id of the source; `model` or `rules` where it was worked out here, `rdap`, `dns` or `tls` where it was looked up. */
  readonly source: string
  readonly tag?: Tag | undefined
  readonly firstSeenMs?: number | undefined
  readonly lastSeenMs?: number | undefined
  /** 0–1: how sure the source is. For a model, its log-odds. For a count, the count. */
  readonly confidence: number
  readonly variant?: Variant | undefined
  /** The sentence for this very finding, where it can say more than the signal's description. */
  readonly sentence?: string
  /** The name that this one may be taken for: where the brand really lives. */
  readonly resembles?: string | undefined
}

/** Findings of one group echo each other, so that combine.ts caps what a group can add. */
export type Group =
  | 'listing' // threat feeds name it
  | 'name' // whom its name imitates, or who made it up
  | 'wording' // how its name is built, and under which suffix
  | 'hosting' // where it lives
  | 'mailbox' // what sort of mailbox it is
  | 'person' // who the mailbox claims to be
  | 'anonymity' // whose traffic it may carry
  | 'network' // what surrounds it
  | 'standing' // what speaks for it
  | 'live' // what was looked up when the question came
  | 'note' // told, never priced

interface Described<K extends Kind> {
  /** Stable, never reused for another meaning. */
  readonly code: `${K}.${string}`
  /** A sentence a buyer understands. */
  readonly description: string
  readonly group: Group
  /** Set where it repeats what sources say: without evidence it finds nothing. */
  readonly repeats?: true
}

export interface Signal<K extends Kind> extends Described<K> {
  detect(subject: Subjects[K]): readonly Finding<string>[]
}

/** An e-mail signal that does not read the part before the @: every mailbox of a host has the same findings. */
export interface EvidenceSignal extends Described<'email'> {
  detect(evidence: Pick<EmailSubject, 'host' | 'own'>): readonly Finding<string>[]
}

/** A signal that needs facts looked up at the time of the question. */
export interface LiveSignal<K extends Kind> extends Described<K> {
  detect(live: LiveSubjects[K]): readonly Finding<string>[]
}

/** Shared by all signals that found nothing: most signals on most indicators. */
export const NOTHING: readonly never[] = []

/** `jane` of `jane+shop`: the part behind the plus sorts mail and does not name the mailbox. */
export function withoutPlus(local: string): string {
  const plus = local.indexOf('+')
  return plus > 0 ? local.slice(0, plus) : local
}
