import type { Kind } from '../../lib/kinds.ts'
import { type Evidence, TAGS, type Tag } from '../../snapshot/types.ts'
import type { DomainSubject } from '../look-up/domain.ts'
import { tagged } from '../look-up/evidence.ts'
import type { EmailSubject, LiveSubjects, Subjects } from '../look-up/look-up.ts'

/**
 * Glossary of scoring. A *subject* is an indicator with everything looked up about it (look-up/). A *signal* finds
 * evidence of one sort on a subject (signals/). A *finding* is one piece of that evidence. Prices of findings are in
 * weights/; combine.ts adds them up.
 */

// One piece of evidence: a source's statement (snapshot Evidence is already a finding), or a result calculated here.
// `Variant` lists the cases of a signal that are priced differently. A case without a price does not compile.
export interface Finding<Variant extends string = never> {
  /** Id of the source; `model` or `rules` if calculated here, `own` by what the organisation knows, `rdap`, `dns` or `tls` if looked up. */
  readonly source: string
  readonly tag?: Tag | undefined
  readonly firstSeenMs?: number | undefined
  readonly lastSeenMs?: number | undefined
  /** 0–1: how sure the source is. For a model, its log-odds. For a count, the count. */
  readonly confidence: number
  readonly variant?: Variant | undefined
  /** The sentence for this finding, if it is more precise than the signal's description. Most scores are never explained. */
  readonly sentence?: string | (() => string)
  /** The name that this one may be mistaken for: the brand's real site. */
  readonly resembles?: string | undefined
}

/** Findings of one group overlap, so combine.ts limits the sum of a group. */
export type Group =
  | 'listing' // named by threat feeds
  | 'name' // imitated brand, or generated name
  | 'wording' // the form of its name, and its suffix
  | 'hosting' // its hosting
  | 'mailbox' // the sort of mailbox
  | 'person' // the claimed identity of the mailbox
  | 'anonymity' // whose traffic it may carry
  | 'network' // its surroundings
  | 'standing' // evidence in its favour
  | 'live' // live facts
  | 'own' // against it, by what the organisation itself knows
  | 'note' // shown, never priced

interface Described<K extends Kind> {
  /** Stable, never reused for another meaning. */
  readonly code: `${K}.${string}`
  /** A sentence a buyer understands. */
  readonly description: string
  readonly group: Group
  /** Set if it repeats statements of sources: without evidence it finds nothing. */
  readonly repeats?: true
}

export interface Signal<K extends Kind> extends Described<K> {
  detect(subject: Subjects[K]): readonly Finding<string>[]
}

/** An e-mail signal that does not read the part before the @: every mailbox of a host has the same findings. */
export interface EvidenceSignal extends Described<'email'> {
  detect(evidence: Pick<EmailSubject, 'host' | 'own'>): readonly Finding<string>[]
}

export interface LiveSignal<K extends Kind> extends Described<K> {
  detect(live: LiveSubjects[K]): readonly Finding<string>[]
}

/** Shared by all signals that found nothing: most signals on most indicators. */
export const NOTHING: readonly never[] = []

/** `jane` of `jane+shop`: the part after the plus sorts mail and does not name the mailbox. */
export function withoutPlus(local: string): string {
  const plus = local.indexOf('+')
  return plus > 0 ? local.slice(0, plus) : local
}

type Item = Pick<Evidence, 'source' | 'confidence'> & { readonly [K in keyof Evidence]?: Evidence[K] | undefined }

/** A finding whose sentence is built on request. */
export function explained<V extends string = never>(item: Item, sentence: () => string, variant?: V): Finding<V> {
  const { source, confidence, tag, firstSeenMs, lastSeenMs } = item
  return { source, confidence, variant, tag, firstSeenMs, lastSeenMs, sentence }
}

export function rule<Variant extends string = never>(sentence: string, variant?: Variant): readonly Finding<Variant>[] {
  return [{ source: 'rules', confidence: 1, variant, sentence }]
}

/** The one finding of a signal that reports a fact. */
export function factFinding<Variant extends string = never>(
  source: 'rdap' | 'dns' | 'tls',
  lastSeenMs: number | undefined,
  say: () => string,
  variant?: Variant,
): readonly Finding<Variant>[] {
  return [explained({ source, confidence: 1, lastSeenMs }, say, variant)]
}

/** The tags that condemn, taken from the one table of tags. */
export const THREATS: ReadonlySet<Tag> = new Set((Object.keys(TAGS) as Tag[]).filter((tag) => TAGS[tag] === 'threat'))
/** The tag `hijacked` condemns a network, and has its own signal for addresses. */
export const THREATS_OF_ADDRESSES: ReadonlySet<Tag> = new Set([...THREATS].filter((tag) => tag !== 'hijacked'))

const THREATS_IN_WORDS: Partial<Record<Tag, string>> = {
  c2: 'controlling malware',
  bec: 'business e-mail compromise',
  attack: 'attacks',
  hijacked: 'a hijacked network',
  suspicious: 'suspicious activity',
}

/** The end of the sentence "Listed for …". */
export function threatInWords(tag: Tag): string {
  return THREATS_IN_WORDS[tag] ?? tag
}

/** A signal that repeats a source's statement: the evidence with a tag, or one of several. */
export function tagSignal<K extends Kind, Name extends string>(
  code: `${K}.${Name}`,
  group: Group,
  tag: Tag | ReadonlySet<Tag>,
  description: string,
  where: (subject: Subjects[K]) => readonly Evidence[] = ({ own }) => own,
) {
  // Two functions, so that each is compiled for one sort of tag.
  const detect =
    typeof tag === 'string'
      ? (subject: Subjects[K]) => tagged(where(subject), tag)
      : (subject: Subjects[K]) => tagged(where(subject), tag)
  return { code, description, group, repeats: true as const, detect }
}

export function ownElseAbove({ own, above }: Pick<DomainSubject, 'own' | 'above'>): readonly Evidence[] {
  return own.length > 0 ? own : above
}

export function platformElseOwn({ own, onPlatform }: Pick<DomainSubject, 'own' | 'onPlatform'>): readonly Evidence[] {
  return onPlatform.length > 0 ? onPlatform : own
}
