import type { Tag } from '../../snapshot/types.ts'
import { hasTag, tagged } from '../look-up/evidence.ts'
import type { DomainSubject } from '../look-up/subject.ts'
import { type Finding, NOTHING, type Signal } from './signal.ts'

/** Listed as such an institution, or registered under a suffix that only admits such institutions. */
function institution(tag: Tag, suffixes: RegExp, openTo: string) {
  return ({ own, above, suffix, platform, parts }: DomainSubject): readonly Finding[] => {
    const listed = tagged(hasTag(own, tag) ? own : above, tag)
    if (listed.length > 0) return listed
    if (platform !== undefined || !suffixes.test(suffix)) return NOTHING
    const sentence =
      parts.registrable === undefined
        ? `The suffix .${suffix} is open to ${openTo} alone`
        : `Registered under .${suffix}, open to ${openTo} alone`
    return [{ source: 'rules', confidence: 0.8, sentence }]
  }
}

export const domainAcademic = {
  code: 'domain.academic',
  description: 'A university or school',
  group: 'standing',
  detect: institution(
    'academic',
    /^(edu|ac\.[a-z]{2}|edu\.[a-z]{2}|sch\.[a-z]{2}|k12\..*)$/,
    'schools and universities',
  ),
} satisfies Signal<'domain'>

export const domainGovernment = {
  code: 'domain.government',
  description: 'A public authority',
  group: 'standing',
  detect: institution(
    'government',
    /^(gov|mil|int|gov\.[a-z]{2}|gouv\.[a-z]{2}|gob\.[a-z]{2}|go\.(jp|kr|th|id|ke|tz|ug)|mil\.[a-z]{2})$/,
    'public authorities',
  ),
} satisfies Signal<'domain'>
