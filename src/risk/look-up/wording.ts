import { type BrandMatch, isImitation } from '../model/brand-match.ts'
import { isMadeUp } from '../model/dga.ts'
import { isDigit } from '../model/local-words.ts'
import { luresIn } from '../model/lures.ts'
import type { Models } from '../model/models.ts'
import { type NameShape, shapeOf } from '../model/name.ts'
import { isBusinessPlatform, isCountrySuffix } from '../model/suffixes.ts'
import type { Lexicon } from '../model/words.ts'
import { NOT_MADE_UP, PLAIN_WORDING, TENANT_WORDING_MAX } from '../weights/wording.ts'

/** The models' opinion of a label: was it made up by a program, is it built like fraud, what does its suffix add. */
interface WordingReading {
  readonly worded: string
  readonly madeUpLogOdds: number
  readonly looksMadeUp: boolean
  readonly nameLogOdds: number
  readonly suffixLogOdds: number
}

// Shorter names are abbreviations as often as not.
const MADE_UP_LENGTH_MIN = 5
const WORDED_LENGTH_MIN = 3
const RISKY_SUFFIX_LOG_ODDS = 0.25

export function readWording(
  label: string,
  shape: NameShape,
  suffix: string,
  platform: string | undefined,
  isJudgedByName: boolean,
  brand: BrandMatch | undefined,
  models: Models,
): WordingReading {
  const ending = platform === undefined ? suffix : ''
  const worded = wordedPart(label, shape, ending, brand, models)
  // The models know names written in ASCII. The look of an undecodable name says nothing of who chose it.
  const isPlain = isJudgedByName && !label.includes('xn--')
  const isOnBusinessPlatform = platform !== undefined && isBusinessPlatform(platform)
  const madeUpLogOdds =
    !isPlain || label.length < MADE_UP_LENGTH_MIN || brand?.how === 'official' || isOnBusinessPlatform
      ? NOT_MADE_UP
      : models.generated.logOdds(label, shape)
  const looksMadeUp = isMadeUp(madeUpLogOdds, shape, suffix)
  let name = 0
  let bySuffix = 0
  if (isPlain) {
    const wordedShape = worded === label ? shape : shapeOf(worded, models.lexicon)
    const wording = models.lexical.assess(worded, wordedShape, ending, madeUpLogOdds, label)
    if (worded.length >= WORDED_LENGTH_MIN) name = wording.name
    bySuffix = wording.suffix
  }
  if (platform === undefined) name = plainLogOdds(name, label, shape, suffix, models.lexicon)
  else if (isOnBusinessPlatform) name = 0
  else if (isPlain) name = tenantLogOdds(name, label, shape, models.lexicon)
  return {
    worded,
    madeUpLogOdds,
    looksMadeUp,
    nameLogOdds: name,
    // Strings of letters are registered in bulk where names are cheap, mostly to be sold: there an ending adds nothing.
    suffixLogOdds: platform !== undefined ? 0 : looksMadeUp ? Math.min(0, bySuffix) : bySuffix,
  }
}

/**
 * The part of the label that the wording model reads. Fraud uses the names of brands so often that the model takes every
 * name with one for fraud; the brand signals answer whether somebody imitates the brand.
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

function plainLogOdds(logOdds: number, label: string, shape: NameShape, suffix: string, lexicon: Lexicon): number {
  if (logOdds <= 0) return logOdds
  const plain = isPlainWords(label, shape, PLAIN_WORDING.luresMax, lexicon) ? PLAIN_WORDING.share : 1
  return plain * (isCountrySuffix(suffix) ? PLAIN_WORDING.countryShare : 1) * logOdds
}

/**
 * The name of a customer's site. The model knows names that somebody paid for. On a platform people put plain words
 * together, which says nothing unless a lure is among them.
 */
function tenantLogOdds(logOdds: number, label: string, shape: NameShape, lexicon: Lexicon): number {
  const limited = Math.min(TENANT_WORDING_MAX, logOdds)
  return isPlainWords(label, shape, 0, lexicon) ? Math.min(limited, 0) : limited
}

const WORDS_COVER_MIN = 0.9
/** Words this short are not in the lexicon. */
const SHORT_WORD = 2
const NUMBER_LENGTH_MAX = 4
const HYPHEN = 0x2d

/** True where words make up the whole name, except a number at its end, and at most `luresMax` of them are lures. */
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
