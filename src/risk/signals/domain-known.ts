import type { Tag } from '../../snapshot/types.ts'
import type { DomainSubject } from '../look-up/domain.ts'
import { hasTag, isFreeMail, NO_EVIDENCE, tagged } from '../look-up/evidence.ts'
import { BUSINESS_PLATFORMS, displaySuffix, FLEETING_PLATFORMS, PUBLISHING_PLATFORMS } from '../model/suffixes.ts'
import { type Finding, NOTHING, ownElseAbove, platformElseOwn, rule, type Signal, tagSignal } from './signal.ts'

const BEST_FIRST: readonly Tag[] = ['popular_1k', 'popular_10k', 'popular_100k', 'popular_1m']

export const domainPopular = {
  code: 'domain.popular',
  description: 'Among the most visited sites',
  group: 'standing',
  repeats: true,
  detect: ({ own, above, platform }): readonly Finding[] => {
    // On shared hosting only the customer's own fame counts, never the platform's.
    const evidence = platform === undefined ? [...own, ...above] : own
    for (const tag of BEST_FIRST) {
      const found = tagged(evidence, tag)
      if (found.length > 0) return found
    }
    return NOTHING
  },
} satisfies Signal<'domain'>

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

export const domainOfficialBrand = {
  code: 'domain.official_brand',
  description: 'The official site of a known brand',
  group: 'standing',
  detect: ({ brand, platform }): readonly Finding[] =>
    brand?.how === 'official' && platform === undefined ? rule(`The official site of ${brand.brand.label}`) : NOTHING,
} satisfies Signal<'domain'>

/** Signals from lists and suffixes: hosting, good reputation, and names that are not public. */
export const KNOWN_DOMAIN_SIGNALS = [
  {
    code: 'domain.dynamic_dns',
    description: 'Lives under a dynamic-DNS name anyone can take in a minute',
    group: 'hosting',
    repeats: true,
    detect: (subject): readonly Finding[] => {
      const found = tagged(platformElseOwn(subject), 'dynamic_dns')
      if (found.length === 0 || subject.onPlatform.length > 0) return found
      const sentence = 'A dynamic-DNS service: anyone can take a name under it in a minute'
      return found.map((item) => ({ ...item, sentence }))
    },
  },
  {
    code: 'domain.free_hosting',
    description: 'A customer site on a platform that hosts anyone',
    group: 'hosting',
    detect: ({ platform, own, onPlatform }): readonly Finding<'business' | 'publishing' | 'fleeting' | 'open'>[] => {
      if (platform !== undefined) {
        if (BUSINESS_PLATFORMS.has(platform))
          return rule(`A customer's part of ${platform}, which companies rent for their own use`, 'business')
        const site = `A customer site on ${platform}`
        if (PUBLISHING_PLATFORMS.has(platform)) return rule(`${site}, where anyone can publish`, 'publishing')
        if (FLEETING_PLATFORMS.has(platform))
          return rule(`${site}, where anyone can publish within a minute`, 'fleeting')
      }
      const listed = tagged(platformElseOwn({ own, onPlatform }), 'free_hosting')
      const sentence =
        platform === undefined ? 'A platform that hosts anyone' : `A customer site on ${platform}, which hosts anyone`
      if (listed.length > 0) return listed.map((item) => ({ ...item, sentence }))
      return platform === undefined || hasTag(onPlatform, 'dynamic_dns') ? NOTHING : rule(sentence)
    },
  },
  tagSignal(
    'domain.url_shortener',
    'hosting',
    'url_shortener',
    'A link shortener: the target of a link is not visible',
  ),
  tagSignal('domain.parked', 'hosting', 'parked', 'Parked: registered but not in use', ownElseAbove),
  tagSignal('domain.adware', 'hosting', 'adware', 'Serves advertising or tracking', ownElseAbove),
  domainPopular,
  tagSignal('domain.bank', 'standing', 'bank', 'The site of a known bank', ownElseAbove),
  domainAcademic,
  domainGovernment,
  tagSignal(
    'domain.known_good',
    'standing',
    'known_good',
    'On a list of names that must not be treated as threats',
    ({ own, above }) => (hasTag(own, 'known_good') ? own : above),
  ),
  domainOfficialBrand,
  {
    code: 'domain.mail_provider',
    description: 'A mailbox provider open to everyone',
    group: 'standing',
    repeats: true,
    detect: ({ own }): readonly Finding<'customer'>[] => {
      if (hasTag(own, 'disposable')) return NO_EVIDENCE
      const listed = tagged(own, 'mail_provider')
      if (listed.length > 0) return listed
      return isFreeMail(own) ? tagged(own, 'freemail').slice(0, 1) : NO_EVIDENCE
    },
  },
  {
    code: 'domain.public_suffix',
    description: 'A suffix under which others register names',
    group: 'note',
    detect: ({ domain, parts }): readonly Finding[] => {
      if (parts.registrable !== undefined || !parts.isRegistered) return NOTHING
      const sentence = `A suffix under which others register names (such as example.${displaySuffix(domain)}): the answer is about the suffix itself`
      return rule(sentence)
    },
  },
  {
    code: 'domain.not_public',
    description: 'Nothing to check: not a name on the public internet',
    group: 'note',
    detect: ({ reserved }): readonly Finding[] =>
      reserved === undefined ? NOTHING : rule(`Nothing to check: ${reserved}`),
  },
] as const satisfies readonly Signal<'domain'>[]
