import { domainToUnicode } from 'node:url'
import { hostParts, reservedName } from '../lib/domain.ts'
import { type Carried, carriedIpv4, type Ip, specialAddress } from '../lib/ip.ts'
import { type Density, type Evidence, type Snapshot, TAGS, type Tag } from '../snapshot/types.ts'
import type { DomainIndicator, EmailIndicator, IpIndicator } from './indicator.ts'
import { brandInFront } from './model/brand-in-front.ts'
import { type BrandMatch, isImitation } from './model/brands.ts'
import { isAccented, writtenOut } from './model/confusables.ts'
import { isMadeUp } from './model/dga.ts'
import type { Wording } from './model/lexical.ts'
import { isDigit } from './model/local-words.ts'
import { luresIn } from './model/lures.ts'
import type { Models } from './model/models.ts'
import { type NameShape, shapeOf } from './model/name.ts'
import { assignsNames, isBusinessPlatform, isCountrySuffix, isFurtherPlatform, isOperator } from './model/suffixes.ts'
import type { Lexicon } from './model/words.ts'
import { type DomainSubject, type EmailSubject, type IpSubject, NO_EVIDENCE } from './signal.ts'

/** Subjects: everything signals ask about an indicator, looked up once. */

export function describeDomain({ domain }: DomainIndicator, snapshot: Snapshot, models: Models): DomainSubject {
  const parts = hostParts(domain)
  const own = snapshot.domain(domain)
  const registrable = parts.registrable ?? domain
  let platform = parts.tenant === undefined ? undefined : parts.platform
  let tenant = platform === undefined ? registrable : (parts.tenant ?? registrable)
  let above = NO_EVIDENCE
  let onPlatform = NO_EVIDENCE

  // Names between this one and the registrable one, nearest first.
  let name = domain
  while (name.length > registrable.length) {
    name = name.slice(name.indexOf('.') + 1)
    const evidence = snapshot.domain(name)
    if (platform !== undefined && name.length <= platform.length) {
      if (evidence.length > 0) onPlatform = onPlatform.concat(evidence)
    } else if (isLentBy(name, evidence, labelBefore(domain, name))) {
      // Hosting for many, even where the public suffix list does not know it. What is known of names between here and
      // there is the customer's and stays in `above`.
      platform = name
      tenant = `${labelBefore(domain, name)}.${name}`
      onPlatform = onPlatform.concat(evidence)
    } else if (evidence.length > 0) above = above.concat(evidence)
  }

  const suffix = platform ?? parts.suffix
  const label = suffix.length < tenant.length ? tenant.slice(0, tenant.length - suffix.length - 1) : tenant
  const unicodeLabel = label.includes('xn--') ? unicodeOf(label) : undefined
  const shape = shapeOf(label, models.lexicon)
  const reserved = reservedName(parts)
  const isJudgedByName =
    parts.registrable !== undefined && reserved === undefined && !(platform !== undefined && assignsNames(platform))
  const vouchedFor = isVouchedFor(own) || isVouchedFor(above)
  const brand = !isJudgedByName
    ? undefined
    : vouchedFor
      ? official(label, suffix, models)
      : brandOf(label, suffix, unicodeLabel, models)
  const ending = platform === undefined ? suffix : ''
  const worded = wordedPart(label, shape, ending, brand, models)
  // The models know names written in ASCII. What an undecodable name looks like says nothing of who chose it.
  const isPlain = isJudgedByName && !label.includes('xn--')
  const madeUpLogOdds =
    !isPlain ||
    label.length < MADE_UP_LENGTH_MIN ||
    brand?.how === 'official' ||
    (platform !== undefined && isBusinessPlatform(platform))
      ? NOT_MADE_UP
      : models.generated.logOdds(label, shape)
  const looksMadeUp = isMadeUp(madeUpLogOdds, shape, suffix)
  const wording = isPlain
    ? assess(worded, worded === label ? shape : shapeOf(worded, models.lexicon), ending, madeUpLogOdds, label, models)
    : NO_WORDING
  const frontLength = domain.length - label.length - suffix.length - 2
  const front =
    vouchedFor || !isJudgedByName || frontLength < 1
      ? undefined
      : brandInFront(domain.slice(0, frontLength), label, models.brands)
  const imitates = isImitation(brand) || (front !== undefined && front.how !== 'name')
  return {
    kind: 'domain',
    domain,
    snapshot,
    models,
    parts,
    reserved,
    label,
    suffix,
    unicodeLabel,
    platform,
    own,
    above,
    onPlatform,
    shape,
    worded,
    brand,
    front,
    imitates,
    isJudgedByName,
    madeUpLogOdds,
    looksMadeUp,
    mayVouch: !imitates && !looksMadeUp,
    nameLogOdds:
      platform === undefined
        ? plainLogOdds(wording.name, label, shape, suffix, models)
        : isPlain
          ? tenantLogOdds(wording.name, label, shape, platform, models)
          : 0,
    // Strings of letters are registered in bulk where names are cheap, mostly to be sold: there an ending adds nothing.
    suffixLogOdds: platform !== undefined ? 0 : looksMadeUp ? Math.min(0, wording.suffix) : wording.suffix,
  }
}

// Shorter names are abbreviations as often as not.
const MADE_UP_LENGTH_MIN = 5
const NOT_MADE_UP = -10

const NO_WORDING: Wording = { name: 0, suffix: 0 }

const WORDED_LENGTH_MIN = 3
const RISKY_SUFFIX_LOG_ODDS = 0.25

function assess(
  worded: string,
  shape: NameShape,
  suffix: string,
  madeUp: number,
  whole: string,
  { lexical }: Models,
): Wording {
  const wording = lexical.assess(worded, shape, suffix, madeUp, whole)
  return worded.length < WORDED_LENGTH_MIN ? { ...wording, name: 0 } : wording
}

/**
 * The part of the label that is judged by how it is built. Names of brands are in so many names of fraud that the model
 * takes every name with one for fraud. Whether somebody imitates the brand is another question, and is answered elsewhere.
 */
function wordedPart(
  label: string,
  shape: NameShape,
  ending: string,
  match: BrandMatch | undefined,
  models: Models,
): string {
  if (match === undefined) {
    const others = models.brands.without(label)
    return others.length < WORDED_LENGTH_MIN ? label : others
  }
  if (match.how !== 'beside' && match.how !== 'affix' && match.how !== 'contains') return label
  // Fans and partners seldom choose a platform, or an ending that fraud prefers.
  const isOddPlace =
    ending === '' || models.lexical.assess(label, shape, ending, NOT_MADE_UP).suffix > RISKY_SUFFIX_LOG_ODDS
  if (isOddPlace && isImitation(match)) return label
  return label.replace(match.brand, '').replace(/^-+|-+$/g, '')
}

const WORDS_COVER_MIN = 0.9
/** Words this short are not in the lexicon. */
const SHORT_WORD = 2

// Small firms call themselves by plain words, and the model knows more of those from fraud than from small firms.
const PLAIN_WORDS_SHARE = 0.45
const PLAIN_LURES_MAX = 1

// Hardly a country publishes its new names: what honest ones there look like is known too little to accuse whole.
const COUNTRY_SHARE = 0.6

function plainLogOdds(logOdds: number, label: string, shape: NameShape, suffix: string, { lexicon }: Models): number {
  if (logOdds <= 0) return logOdds
  const plain = isPlainWords(label, shape, PLAIN_LURES_MAX, lexicon) ? PLAIN_WORDS_SHARE : 1
  return plain * (isCountrySuffix(suffix) ? COUNTRY_SHARE : 1) * logOdds
}

// Never high without another signal: developers give their trials every sort of name.
const TENANT_LOG_ODDS_MAX = 1.4

/**
 * What the name of a customer's site says. The model knows names that somebody paid for. On a platform people put plain
 * words together, which says nothing unless a lure is among them, and companies have names of every sort.
 */
function tenantLogOdds(
  logOdds: number,
  label: string,
  shape: NameShape,
  platform: string,
  { lexicon }: Models,
): number {
  if (isBusinessPlatform(platform)) return 0
  const here = Math.min(TENANT_LOG_ODDS_MAX, logOdds)
  return isPlainWords(label, shape, 0, lexicon) ? Math.min(here, 0) : here
}

const NUMBER_LENGTH_MAX = 4

/** Whether words make up the whole name, but for a year or a number at its end, and at most so many of them are lures. */
function isPlainWords(label: string, shape: NameShape, luresMax: number, lexicon: Lexicon): boolean {
  if (shape.covered === 0 || shape.digits > NUMBER_LENGTH_MAX) return false
  let end = label.length
  for (let digits = shape.digits; digits > 0; digits--) if (!isDigit(label.charCodeAt(--end))) return false
  if (end < label.length && label.charCodeAt(end - 1) === HYPHEN) end--
  let covered = shape.covered
  let letters = 0
  let piece = 0
  for (let i = 0; i <= end; i++) {
    if (i < end && label.charCodeAt(i) !== HYPHEN) piece++
    else {
      if (piece <= SHORT_WORD) covered += piece
      letters += piece
      piece = 0
    }
  }
  return covered >= WORDS_COVER_MIN * letters && luresIn(label, lexicon).count <= luresMax
}

const HYPHEN = 0x2d

const KNOWN_GOOD_CONFIDENCE_MIN = 0.9

// Many people would notice an imitation that so many visit, or that an authority lists.
const VOUCHING: ReadonlySet<Tag> = new Set([
  'popular_1k',
  'popular_10k',
  'popular_100k',
  'popular_1m',
  'bank',
  'government',
  'academic',
])

/** A name vouched for imitates nobody: paypalobjects.com is PayPal's. */
function isVouchedFor(evidence: readonly Evidence[]): boolean {
  for (let i = 0; i < evidence.length; i++) {
    const { tag, confidence } = evidence[i] as Evidence
    if (VOUCHING.has(tag) || (tag === 'known_good' && confidence >= KNOWN_GOOD_CONFIDENCE_MIN)) return true
  }
  return false
}

/** The label directly in front of `parent` in `domain`. */
function labelBefore(domain: string, parent: string): string {
  const end = domain.length - parent.length - 1
  return domain.slice(domain.lastIndexOf('.', end - 1) + 1, end)
}

function official(label: string, suffix: string, { brands }: Models): BrandMatch | undefined {
  return brands.isOfficialSuffix(label, suffix) ? brands.named(label) : undefined
}

/** Whether `name` lends names to strangers and `customer` is one of those, by what a feed or our own table knows. */
function isLentBy(name: string, evidence: readonly Evidence[], customer: string): boolean {
  return (isFurtherPlatform(name) || evidence.some(isSharedGround)) && !isOperator(customer)
}

function isSharedGround({ tag }: Evidence): boolean {
  return tag === 'free_hosting' || tag === 'dynamic_dns'
}

/** The label in its own script; undefined when the punycode does not decode. */
function unicodeOf(label: string): string | undefined {
  const text = domainToUnicode(label)
  return text === '' || text.includes('xn--') ? undefined : text
}

function brandOf(
  label: string,
  suffix: string,
  unicodeLabel: string | undefined,
  models: Models,
): BrandMatch | undefined {
  if (unicodeLabel === undefined) return models.brands.match(label, suffix)
  const letters = isAccented(unicodeLabel) ? 'accented' : /[a-z]/.test(unicodeLabel) ? 'mixed' : 'foreign'
  // `münchen.de` is `muenchen.de` in its own letters.
  if (letters === 'accented' && models.brands.isOfficialSuffix(writtenOut(unicodeLabel), suffix)) return undefined
  return models.brands.matchReading(models.confusables.toAscii(unicodeLabel), letters)
}

export function describeEmail(
  { address, local }: EmailIndicator,
  host: DomainSubject,
  snapshot: Snapshot,
  models: Models,
): EmailSubject {
  return { kind: 'email', address, local, host, snapshot, models, own: snapshot.email(address) }
}

const NO_DENSITY: Density = { near: 0, around: 0, asnPer10k: 0, asnAnnounced: 0 }

export function describeIp({ ip }: IpIndicator, snapshot: Snapshot): IpSubject {
  const carried = carriedIpv4(ip)
  if (carried?.binding) {
    // Such an address has no network of its own: what it carries is what reaches it. A feed may still name it whole.
    const inside = specialAddress(carried.ip)
    if (inside !== undefined) return notPublic(ip, carried, snapshot, inside)
    const own = joined(snapshot.ip(carried.ip), snapshot.ip(ip))
    const density = snapshot.density(carried.ip)
    return { kind: 'ip', ip, carried, snapshot, own, asn: snapshot.asn(carried.ip), density, special: undefined }
  }
  const special = specialAddress(ip)
  if (special !== undefined) return notPublic(ip, carried, snapshot, special)
  let own = snapshot.ip(ip)
  // The holder of the prefix wrote this IPv4 address there: it may accuse, and never vouches.
  if (carried && specialAddress(carried.ip) === undefined)
    own = joined(
      own,
      snapshot.ip(carried.ip).filter(({ tag }) => TAGS[tag] !== 'reassuring'),
    )
  return { kind: 'ip', ip, carried, snapshot, own, asn: snapshot.asn(ip), density: snapshot.density(ip), special }
}

/** An address that is not public has no neighbours, no owner and no history, whatever a feed says. */
function notPublic(ip: Ip, carried: Carried | undefined, snapshot: Snapshot, special: string): IpSubject {
  return { kind: 'ip', ip, carried, snapshot, own: NO_EVIDENCE, asn: undefined, density: NO_DENSITY, special }
}

function joined(a: readonly Evidence[], b: readonly Evidence[]): readonly Evidence[] {
  return b.length === 0 ? a : a.length === 0 ? b : a.concat(b)
}
