import type { Kind } from '../../lib/kinds.ts'
import { type Evidence, TAGS, type Tag } from '../../snapshot/types.ts'
import { tagged } from '../look-up/evidence.ts'
import type { DomainSubject, Subjects } from '../look-up/subject.ts'
import type { Group } from './signal.ts'

/** The tags that condemn, taken from the one table of tags. */
export const THREATS: ReadonlySet<Tag> = new Set((Object.keys(TAGS) as Tag[]).filter((tag) => TAGS[tag] === 'threat'))
/** The tag `hijacked` condemns a network, and has its own signal for addresses. */
export const THREATS_OF_ADDRESSES: ReadonlySet<Tag> = new Set([...THREATS].filter((tag) => tag !== 'hijacked'))

/** A signal that repeats a source's statement: the evidence with a tag, or one of several. */
export function tagSignal<K extends Kind, Name extends string>(
  code: `${K}.${Name}`,
  group: Group,
  tag: Tag | ReadonlySet<Tag>,
  description: string,
  where: (subject: Subjects[K]) => readonly Evidence[] = ({ own }) => own,
) {
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
