import { type Finding, hasTag, NOTHING, type Signal, tagged } from '../signal.ts'

export const domainAcademic = {
  code: 'domain.academic',
  description: 'A university or school',
  group: 'standing',
  detect: ({ own, above, suffix, platform }): readonly Finding[] => {
    const listed = tagged(hasTag(own, 'academic') ? own : above, 'academic')
    if (listed.length > 0) return listed
    // Second-level edu and ac registries admit schools alone.
    return platform === undefined && /^(edu|ac\.[a-z]{2}|edu\.[a-z]{2}|sch\.[a-z]{2}|k12\..*)$/.test(suffix)
      ? [{ source: 'rules', confidence: 0.8, sentence: `Registered under .${suffix}, open to schools alone` }]
      : NOTHING
  },
} satisfies Signal<'domain'>

export const domainGovernment = {
  code: 'domain.government',
  description: 'A public authority',
  group: 'standing',
  detect: ({ own, above, suffix, platform }): readonly Finding[] => {
    const listed = tagged(hasTag(own, 'government') ? own : above, 'government')
    if (listed.length > 0) return listed
    return platform === undefined &&
      /^(gov|mil|int|gov\.[a-z]{2}|gouv\.[a-z]{2}|gob\.[a-z]{2}|go\.(jp|kr|th|id|ke|tz|ug)|mil\.[a-z]{2})$/.test(suffix)
      ? [
          {
            source: 'rules',
            confidence: 0.8,
            sentence: `Registered under .${suffix}, open to public authorities alone`,
          },
        ]
      : NOTHING
  },
} satisfies Signal<'domain'>
