import { domainToUnicode } from 'node:url'
import { hostParts, reservedName } from '../../lib/domain.ts'
import type { Evidence, Snapshot } from '../../snapshot/types.ts'
import { PAYMENTS } from '../model/brand.ts'
import { brandInFront } from '../model/brand-in-front.ts'
import { type BrandMatch, isImitation, type Letters } from '../model/brand-match.ts'
import { isAccented, writtenOut } from '../model/confusables.ts'
import { matchKnown, matchKnownReading, withMistakenSuffix } from '../model/known-names.ts'
import type { Models } from '../model/load.ts'
import { demandIn, isInstitution } from '../model/lure-languages.ts'
import { luresIn } from '../model/lures.ts'
import { subjectIn } from '../model/mail-subjects.ts'
import { misreadingOf } from '../model/misread.ts'
import { isEncoded, type NameShape, shapeOf } from '../model/name.ts'
import { assignsNames, FURTHER_PLATFORMS, isCountrySuffix, isOperator } from '../model/suffixes.ts'
import { demandOfFirm } from '../model/unknown-firm.ts'
import { wordSet } from '../model/word-lists.ts'
import { hasTag, NO_EVIDENCE } from './evidence.ts'
import { isOfNames, isTrial, readWording } from './wording.ts'

/** A domain with all data that the signals need, looked up once. */
export type DomainSubject = Readonly<ReturnType<typeof lookUpDomain>>

export function lookUpDomain(domain: string, snapshot: Snapshot, models: Models) {
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
      // Shared hosting, even if the public suffix list does not contain it. Names below it belong to the customer, so
      // their evidence stays in `above`.
      platform = name
      tenant = `${labelBefore(domain, name)}.${name}`
      onPlatform = onPlatform.concat(evidence)
    } else if (evidence.length > 0) above = above.concat(evidence)
  }

  const suffix = platform ?? parts.suffix
  const label = suffix.length < tenant.length ? tenant.slice(0, tenant.length - suffix.length - 1) : tenant
  const shape = shapeOf(label, models.lexicon)
  const unicodeLabel = isEncoded(label, shape) ? unicodeOf(label) : undefined
  const reserved = reservedName(parts)
  const isJudgedByName =
    parts.registrable !== undefined && reserved === undefined && !(platform !== undefined && assignsNames(platform))
  const isVouched = isVouchedFor(own) || isVouchedFor(above)
  let brand: BrandMatch | undefined
  if (isJudgedByName && !isVouched) brand = brandOf(label, shape, suffix, unicodeLabel, snapshot, models)
  else if (isJudgedByName) {
    const named = models.brands.named(label)
    if (named?.suffixes.includes(suffix)) brand = { how: 'official', brand: named }
  }
  if (brand !== undefined && (isInstitution(registrable) || isByChance(brand, label, platform, models)))
    brand = undefined
  // `netflix-clone-react` says itself that it is none: it needs a second look, and no more.
  if (brand?.how === 'beside' && platform !== undefined && isTrial(label, models.lexicon))
    brand = { ...brand, company: 'own' }
  const mayBeRead =
    !isVouched && isJudgedByName && unicodeLabel === undefined && (brand === undefined || brand.how === 'contains')
  const misreading = mayBeRead ? misreadingOf(label, shape.digits > 0, models.lexicon) : undefined
  const isOwnName = isVouched || !isJudgedByName || brand?.how === 'official'
  const isFree = !isOwnName && platform === undefined && !isCountrySuffix(suffix)
  const demand = isOwnName
    ? undefined
    : (demandOf(label, unicodeLabel, registrable, models) ??
      (isFree && shape.hyphens > 0 ? subjectIn(label) : undefined) ??
      (isFree && brand === undefined ? demandOfFirm(label, models.lexicon) : undefined))
  const wording = readWording(label, shape, suffix, platform, isJudgedByName, brand, models)
  const frontLength = domain.length - label.length - suffix.length - 2
  const front =
    isVouched || !isJudgedByName || frontLength < 1
      ? undefined
      : brandInFront(domain.slice(0, frontLength), label, models.brands)
  const imitates = isImitation(brand) || (front !== undefined && front.how !== 'name')
  return {
    domain,
    snapshot,
    models,
    parts,
    /** Why nobody can register such a name, in words. */
    reserved,
    /** The chosen name: `example` of www.example.co.uk, `alice` of alice.github.io. */
    label,
    /** The suffix or platform of the chosen name: `co.uk`, `github.io`. */
    suffix,
    /** The label in its own script, for an internationalised name. */
    unicodeLabel,
    /** Set if the name belongs to one customer of a platform shared by many. */
    platform,
    own,
    /** Evidence on names above it that belong to the same owner. */
    above,
    onPlatform,
    shape,
    worded: wording.worded,
    brand,
    front,
    demand,
    misreading,
    /** The name, or a label in front of it, imitates a brand: such a name looks ordinary by design. */
    imitates,
    /** False for a registry's suffix, a reserved name, and a name that a platform assigned: nobody chose those. */
    isJudgedByName,
    madeUpLogOdds: wording.madeUpLogOdds,
    looksMadeUp: wording.looksMadeUp,
    // An ordinary name or a trusted suffix may count in its favour. Several words that fraud uses are no ordinary name.
    mayVouch:
      !imitates &&
      misreading === undefined &&
      !wording.looksMadeUp &&
      demand === undefined &&
      luresIn(label, models.lexicon).count < LURES_OF_FRAUD,
    nameLogOdds: wording.nameLogOdds,
    suffixLogOdds: wording.suffixLogOdds,
  }
}

const LURES_OF_FRAUD = 2

/** One letter from a name of a person or a place this short is chance. */
const OWN_NAME_LENGTH_MAX = 5
/** Shorter names of sites are also words of some language. */
const AMID_LENGTH_MIN = 8

function isByChance(match: BrandMatch, label: string, platform: string | undefined, models: Models): boolean {
  const { how, company, brand, word = '' } = match
  // Of most names somebody has a site: one that few know, amid other words, is one of these words. On platforms fraud
  // adds words without end.
  const isShort = !brand.household && brand.label.length < AMID_LENGTH_MIN
  // `dachser-boleto-atualizado`, not `boleto-facil-sistema`.
  const isInvoiced = PAYMENTS.words.get(word) === true && label.startsWith(`${brand.label}-`)
  const isAmongWords = how === 'combination' && company === 'amid' && !isInvoiced
  if (isShort && isAmongWords && platform === undefined) return true
  // The brand interia in carpinteria, xiaomi in Xiaoming Zhang, and google beside the town of Goole.
  const mayBeName = how === 'typo' ? label.length <= OWN_NAME_LENGTH_MAX : how === 'contains' || company === 'letters'
  return (mayBeName && isOfNames(label, models)) || isTradeOf(match, label, models)
}

/** The trades of accountants and of their programs, and the words that such a firm adds. Each list is in many languages. */
const MONEY_TRADES = wordSet('trades of money')
const ADDED_TO_TRADES = wordSet('added to a trade')

/** `buchhaltung-meissner`, `fatturazione-semplice`: a trade, then the name of its owner or its merit, is a firm's own name. */
function isTradeOf({ brand, word = '' }: BrandMatch, label: string, { properNames, lexicon }: Models): boolean {
  if (brand.household || !MONEY_TRADES.has(word) || label !== `${word}-${brand.label}`) return false
  return ADDED_TO_TRADES.has(brand.label) || properNames.makeUp(brand.label, lexicon)
}

const KNOWN_GOOD_CONFIDENCE_MIN = 0.9

// An imitation with so many visitors, or listed by an authority, would be noticed.
const VOUCHING: ReadonlySet<string> = new Set(
  'popular_1k popular_10k popular_100k popular_1m bank government academic'.split(' '),
)

/** A name with such evidence imitates nobody: paypalobjects.com belongs to PayPal. */
export function isVouchedFor(evidence: readonly Evidence[]): boolean {
  for (let i = 0; i < evidence.length; i++) {
    const { tag, confidence } = evidence[i] as Evidence
    if (VOUCHING.has(tag) || (tag === 'known_good' && confidence >= KNOWN_GOOD_CONFIDENCE_MIN)) return true
  }
  return false
}

function labelBefore(domain: string, parent: string): string {
  const end = domain.length - parent.length - 1
  return domain.slice(domain.lastIndexOf('.', end - 1) + 1, end)
}

/** True if `name` gives names to strangers and `customer` is one of those, by a feed or by our own table. */
function isLentBy(name: string, evidence: readonly Evidence[], customer: string): boolean {
  const isShared = hasTag(evidence, 'free_hosting') || hasTag(evidence, 'dynamic_dns')
  return (isShared || FURTHER_PLATFORMS.has(name)) && !isOperator(customer)
}

/** The label in its own script; undefined if the punycode does not decode. */
function unicodeOf(label: string): string | undefined {
  const text = domainToUnicode(label)
  return text === '' || text.includes('xn--') ? undefined : text
}

function demandOf(label: string, unicodeLabel: string | undefined, registrable: string, { toAscii }: Models) {
  if (unicodeLabel === undefined) return demandIn(label, registrable)
  if (!isAccented(unicodeLabel)) return undefined
  return demandIn(toAscii(unicodeLabel), registrable) ?? demandIn(toAscii(writtenOut(unicodeLabel)), registrable)
}

export function lettersOf(unicodeLabel: string): Letters {
  return isAccented(unicodeLabel) ? 'accented' : /[a-z]/.test(unicodeLabel) ? 'mixed' : 'foreign'
}

function brandOf(
  label: string,
  shape: NameShape,
  suffix: string,
  unicodeLabel: string | undefined,
  { knownNames }: Snapshot,
  { brands, toAscii, lexicon }: Models,
) {
  if (unicodeLabel === undefined) {
    const mistaken = withMistakenSuffix(label, suffix, knownNames, lexicon)
    if (mistaken !== undefined) return mistaken
    const brand = brands.match(label, suffix)
    if (brand !== undefined && isSettled(brand)) return brand
    const known = matchKnown(label, knownNames, lexicon, shape, brands.named)
    // `siemens-energy-invoices`: the known name is longer than the brand in it.
    // `brembo-coordinate-bancarie`: two words are one of payments.
    if (brand?.how === 'combination' && !brand.brand.everyday) return known?.company === 'payment' ? known : brand
    return brand?.how === 'typo' && known?.how !== 'homoglyph' ? brand : (known ?? brand)
  }
  const letters = lettersOf(unicodeLabel)
  // `münchen.de` is `muenchen.de` in its own letters.
  if (letters === 'accented' && brands.isOfficialSuffix(writtenOut(unicodeLabel), suffix)) return undefined
  const reading = toAscii(unicodeLabel)
  return brands.matchReading(reading, letters) ?? matchKnownReading(reading, letters, suffix, knownNames)
}

/** True if no other known name can be more telling than this brand. */
function isSettled({ how, brand, company }: BrandMatch): boolean {
  if (how === 'combination') return !brand.everyday && !MAY_BE_PAYMENT.has(company)
  return how !== 'typo' && how !== 'contains' && how !== 'beside' && how !== 'affix'
}

/** Words that may be parts of a word of payments, or of a longer known name. */
const MAY_BE_PAYMENT: ReadonlySet<BrandMatch['company']> = new Set(['amid', 'business', 'department', 'business_amid'])
