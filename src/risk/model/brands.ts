import { asciiSkeleton, SEEN, skeletonHash } from '../../lib/look.ts'
import {
  beginningAt,
  beginningsOver,
  fillBeginnings,
  HASH_START,
  HashTable,
  hashBetween,
  hashStep,
  lettersOn,
  NO_LETTERS,
  PREFIXES,
  readText,
  type SharedWords,
  TextMap,
} from '../../lib/text-index.ts'
import { type Brand, lureOf, parseBrands } from './brand.ts'
import { type Beside, besideOf, isInsideWord, isMadeOfLures, isMadeOfWords, readsOtherwise } from './brand-beside.ts'
import {
  DISGUISED_LENGTH_MIN,
  isDeceiving,
  isIndependent,
  isInflected,
  isNamesake,
  isOrdinary,
  mayBeRead,
} from './brand-honest.ts'
import {
  type BrandMatch,
  fameOf,
  isLure,
  isLured,
  isTelling,
  type Letters,
  rankOf,
  withCompany,
} from './brand-match.ts'
import { createBrandTypos, isLikelyError, isOneEditApart } from './brand-typos.ts'
import { differencesOf } from './confusables.ts'
import { headOn, headsOf, mayBegin } from './heads.ts'
import { isDigit } from './local-words.ts'
import { type Tables, tableOf } from './tables.ts'
import type { Lexicon } from './words.ts'

// The look-alike index. The cost of a look-up does not depend on the number of brands: household names are found
// anywhere in a name by a trie of their skeletons, probed with a running hash; typing errors by brand-typos.ts.

export type BrandIndex = Readonly<ReturnType<typeof createBrandIndex>>

// Suffixes that occur in a name as its last word: paypal-com.net.
const WRITTEN_SUFFIXES: ReadonlySet<string> = new Set(['com', 'net', 'org'])
// Two-letter suffixes that mean no country to most readers. `amazon-de` may mean Germany rather than the suffix.
const WORLDWIDE_ENDINGS: ReadonlySet<string> = new Set(['io', 'me', 'gg', 'so', 'ai', 'tv'])

const LABEL_LENGTH_MAX = 63
/** The minimum length of other brands that are found only between hyphens. */
const OTHER_LENGTH_MIN = 6
const TOKEN_LENGTH_MIN = 5
/** A name this long is not misspelt by chance, whatever is beside it. */
const LONG_LENGTH_MIN = 8
const DISGUISED_BESIDE_LENGTH_MIN = { best: 5, household: 6, other: 7 }
const DISGUISED_GLUED_LENGTH_MIN = 6
/** Shorter names occur inside other words by chance. */
const GLUED_LENGTH_MIN = 5
/** The maximum number of letters that are no word after a brand joined to them. */
const LETTERS_MAX = { long: 10, short: 4 }
/** More letters around a brand are separate words. */
const INSIDE_MAX = 6
const HYPHENATED_LENGTH_MIN = 6
/** Limits the work on a name made entirely of brands. */
const INSPECTED_MAX = 4

const { looks: LOOKS, begins: BEGINS, ends: ENDS } = SEEN

export function createBrandIndex(text: string, lexicon: Lexicon, tables: Tables = new Map()) {
  const brands = parseBrands(text)
  const byLabel = new TextMap(brands.map((brand) => [brand.label, brand] as const))
  const skeletons = new HashTable(tableOf(tables, 'looks of brands', () => fillLooks(brands, ({ label }) => label)))
  const inside = brands.filter(isFoundInside)
  const trie = beginningsOver(
    tableOf(tables, 'beginnings of household names', () =>
      fillBeginnings(
        inside.map(({ joined }) => [asciiSkeleton(joined), ENDS_HERE]),
        BEGUN,
      ),
    ),
  )
  const looks = new HashTable(
    tableOf(tables, 'looks of household names', () => fillLooks(inside, ({ joined }) => joined)),
  )
  const heads = headsOf(trie)
  const nearest = createBrandTypos(brands, tables)

  /** How `label` under `suffix` relates to a known brand; the most telling relation first. */
  function match(label: string, suffix: string): BrandMatch | undefined {
    if (label.length > LABEL_LENGTH_MAX) return undefined
    readText(label)
    const own = byLabel.get(label, PREFIXES[label.length])
    if (own) {
      if (own.suffixes.includes(suffix)) return { how: 'official', brand: own }
      return own.household || label.length >= OTHER_LENGTH_MIN ? { how: 'suffix_swap', brand: own } : undefined
    }
    const inside = matchHousehold(label)
    if (inside && isTelling(inside)) return inside
    return matchSkeleton(label, SEEN.hash) ?? matchTypo(label, suffix) ?? matchTokens(label, suffix) ?? inside
  }

  /** The most telling household name anywhere in the label. */
  function matchHousehold(label: string): BrandMatch | undefined {
    SEEN.of(label)
    const { count } = SEEN
    const { near, all } = trie
    let best: BrandMatch | undefined
    let bestRank = 0
    let inspected = 0
    let head = headOn(headOn(0, LOOKS[0] as number), LOOKS[1] as number)
    for (let start = 0; start < count && inspected < INSPECTED_MAX; start++) {
      head = headOn(head, start + 2 < count ? (LOOKS[start + 2] as number) : 0)
      if (!mayBegin(heads, head)) continue
      let hash = HASH_START
      let letters = NO_LETTERS
      for (let i = start; i < count; i++) {
        const look = LOOKS[i] as number
        hash = hashStep(hash, look)
        letters = lettersOn(letters, look)
        const node = beginningAt(near, all, hash, letters)
        if (node === 0) break
        if (node === BEGUN) continue
        const brand = inside[looks.get(hash) - 1]
        if (!brand) continue
        const begin = BEGINS[start] as number
        const end = ENDS[i] as number
        // Initials inside a word mean nothing, and there are many.
        if (brand.everyday && end - begin <= 3 && !isTokenAt(label, begin, end)) continue
        inspected++
        const found = inspect(label, brand, begin, end)
        if (!found) continue
        const rank = rankOf(found)
        if (rank > bestRank) {
          best = found
          bestRank = rank
        }
      }
    }
    return best
  }

  /** Returns a candidate if the letters that look like `brand` at [start, end) are meant as the brand. */
  function inspect(label: string, brand: Brand, start: number, end: number): BrandMatch | undefined {
    const slice = label.slice(start, end)
    const spelt = slice.includes('-') ? slice.replaceAll('-', '') : slice
    const isWhole = start === 0 && end === label.length
    const isToken = isTokenAt(label, start, end)
    if (spelt !== brand.joined) {
      // With hyphens it must be the brand's own spelling: `kuehne-nage1` is, `kuehn-enage1` is not.
      const written = slice === spelt ? brand.joined : brand.label
      if (asciiSkeleton(slice) !== asciiSkeleton(written)) return undefined
      return inspectDisguised(label, brand, written, start, end)
    }
    const isSplit = slice !== spelt && slice !== brand.label
    if (isWhole) {
      const isLong = brand.joined.length >= (brand.best ? 4 : HYPHENATED_LENGTH_MIN)
      return isLong && (brand.best || !brand.everyday) ? { how: 'hyphenation', brand } : undefined
    }
    if (isSplit && (!isToken || spelt.length < HYPHENATED_LENGTH_MIN)) return undefined
    if (!isToken && !mayBeGlued(label, brand, start, end)) return undefined
    const dotless = isEdgeBefore(label, start) ? inspectDotless(label, brand, end) : undefined
    if (dotless) return dotless
    const beside = besideAt(label, brand, start, end)
    if (!accepts(brand, beside, isToken, start === 0)) return undefined
    if (!isLured(beside.company) && (isSplit || isNamesake(label, brand))) return undefined
    const isInside =
      !isToken && start > 0 && (beside.company === 'word' || label.length - brand.label.length > INSIDE_MAX)
    return withCompany(brand, isInside && !isLured(beside.company) ? { ...beside, company: 'inside' } : beside)
  }

  /** True if a brand that touches other letters is not part of a longer word. */
  function mayBeGlued(label: string, brand: Brand, start: number, end: number): boolean {
    const before = label.slice(label.lastIndexOf('-', start - 1) + 1, start)
    const dash = label.indexOf('-', end)
    const after = label.slice(end, dash === -1 ? label.length : dash)
    const isClear = [before, after].every((piece) => piece === '' || isMadeOfLures(piece, brand.trade, lexicon))
    if (brand.label.length < GLUED_LENGTH_MIN && !(isClear && brand.best)) return false
    if (isClear && brand.label.length >= GLUED_LENGTH_MIN) return true
    // Letters in front that are no word belong to the brand: `bes` before the `tmobile` of `bestmobile`.
    if (before !== '' && brand.label.length < LONG_LENGTH_MIN + 1 && !isMadeOfWords(before, lexicon)) return false
    const from = start - before.length
    if (readsOtherwise(label.slice(from, end + after.length), start - from, end - from, lexicon)) return false
    return !isInsideWord(label, start, end, lexicon)
  }

  /** `paypal-com`, `trezor-io-start`: the address of the brand without its dot. */
  function inspectDotless(label: string, brand: Brand, end: number): BrandMatch | undefined {
    if (label.charCodeAt(end) !== 0x2d) return undefined
    const rest = label.slice(end + 1)
    const dash = rest.indexOf('-')
    const word = dash === -1 ? rest : rest.slice(0, dash)
    const isEnding = brand.suffixes.includes(word) && (word.length > 2 || WORLDWIDE_ENDINGS.has(word))
    const written = word === 'com' || isEnding || (dash !== -1 && brand.suffixes.includes(rest.replace('-', '.')))
    if (!written && !(WRITTEN_SUFFIXES.has(word) && brand.best && !brand.everyday)) return undefined
    if (brand.everyday && (dash !== -1 || !brand.suffixes.includes(word))) return undefined
    return { how: 'dotless', brand, word }
  }

  function inspectDisguised(label: string, brand: Brand, written: string, start: number, end: number) {
    const fame = fameOf(brand)
    const slice = label.slice(start, end)
    const isToken = isTokenAt(label, start, end)
    const differences = differencesOf(slice, written)
    if (isOrdinary(slice, lexicon) || !isDeceiving(slice, differences, brand)) return undefined
    const found = { how: 'homoglyph' as const, brand, differences }
    if (slice === label) return slice.length >= DISGUISED_LENGTH_MIN[fame] ? found : undefined
    if (slice.length < DISGUISED_BESIDE_LENGTH_MIN[fame]) return undefined
    if (!isToken && (slice.length < DISGUISED_GLUED_LENGTH_MIN || isInsideWord(label, start, end, lexicon)))
      return undefined
    const beside = besideAt(label, brand, start, end)
    const hasLure = isLure(beside.company)
    if (brand.everyday ? !hasLure : !isToken && !hasLure && beside.company !== 'number') return undefined
    return { ...found, ...beside }
  }

  function besideAt(label: string, brand: Brand, start: number, end: number): Beside {
    const pieces = `${label.slice(0, start)}-${label.slice(end)}`.split('-').filter((piece) => piece !== '')
    return besideOf(pieces, brand, lexicon)
  }

  function accepts(brand: Brand, { company, word }: Beside, isToken: boolean, atStart: boolean): boolean {
    if (brand.everyday) {
      if (!isLure(company)) return false
      // `guestline` and `coinledger` are independent names; `applesupport` is not.
      return isToken || (company !== 'amid' && (atStart || lureOf(word) === 'pressing'))
    }
    const { length } = brand.label
    if (length <= 3) return isLured(company) || (isToken && length === 3 && company === 'letters')
    if (company === 'letters' && !isToken) {
      return brand.best && atStart && length >= 6 && word.length <= (length >= 7 ? LETTERS_MAX.long : LETTERS_MAX.short)
    }
    return brand.best || (isToken ? length >= 5 : isLure(company) || length >= 7)
  }

  /** A label whose skeleton is that of a brand. Household names were found before. */
  function matchSkeleton(label: string, hash: number): BrandMatch | undefined {
    const brand = brands[skeletons.get(hash) - 1]
    if (!brand || brand.household || label.length < DISGUISED_LENGTH_MIN.other) return undefined
    if (brand.label === label || asciiSkeleton(label) !== asciiSkeleton(brand.label) || isOrdinary(label, lexicon))
      return undefined
    const differences = differencesOf(label, brand.label)
    return isDeceiving(label, differences, brand) ? { how: 'homoglyph', brand, differences } : undefined
  }

  function matchTypo(label: string, suffix: string): BrandMatch | undefined {
    const brand = nearest(label, suffix)
    if (!brand || lexicon.isWord(label) || isNamesake(label, brand)) return undefined
    // Two combined words may be an independent name, unless they resemble a famous one.
    const isFamous = brand.best && (!brand.everyday || brand.label.length >= 7) && isOneEditApart(label, brand.label)
    if (!isFamous && isOrdinary(label, lexicon)) return undefined
    if (!brand.best && isIndependent(label, brand.label, lexicon)) return undefined
    if (!brand.household && (isInflected(label, brand.label) || !isLikelyError(label, brand.label))) return undefined
    return { how: 'typo', brand }
  }

  /** Hyphenated names: a brand of any fame, or a misspelt one, between hyphens and beside a lure. */
  function matchTokens(label: string, suffix: string): BrandMatch | undefined {
    SEEN.of(label)
    if (!SEEN.hasHyphen) return undefined
    let end = 0
    for (let start = 0; start < label.length; start = end + 1) {
      end = label.indexOf('-', start)
      if (end < 0) end = label.length
      if (end - start < TOKEN_LENGTH_MIN) continue
      readText(label)
      const hash = hashBetween(PREFIXES, start, end)
      if (lexicon.isWordHash(hash)) continue
      const token = label.slice(start, end)
      if (lureOf(token, hash) !== undefined) continue
      const other = byLabel.get(token, hash)
      if (other) {
        if (other.everyday || token.length < OTHER_LENGTH_MIN) continue
        const beside = besideAt(label, other, start, end)
        if (isLure(beside.company)) return withCompany(other, beside)
        continue
      }
      const looksLike =
        token.length >= DISGUISED_BESIDE_LENGTH_MIN.other ? matchSkeleton(token, skeletonHash(token)) : undefined
      if (looksLike && !looksLike.brand.everyday) {
        return { ...looksLike, ...besideAt(label, looksLike.brand, start, end) }
      }
      const near = nearest(token, suffix)
      if (!near?.household || near.everyday || near.label.length < OTHER_LENGTH_MIN || isNamesake(token, near)) continue
      if (isOrdinary(token, lexicon)) continue
      const beside = besideAt(label, near, start, end)
      if (isLured(beside.company) || (near.best && near.label.length >= LONG_LENGTH_MIN)) {
        return { how: 'typo', brand: near, ...beside }
      }
    }
    return undefined
  }

  // `match` for a label with non-ASCII letters. `reading` is the label as the eye sees it. Honest words of many
  // languages have accents or are in another alphabet, so only a mixture of alphabets is always telling.
  function matchReading(reading: string, letters: Letters): BrandMatch | undefined {
    const own = byLabel.get(reading) ?? brands[skeletons.get(skeletonHash(reading)) - 1]
    const isRead = own !== undefined && asciiSkeleton(reading) === asciiSkeleton(own.label)
    if (isRead && mayBeRead(own, reading, letters)) return { how: 'homoglyph', brand: own }
    if (reading.length < 5 || !/^[a-z0-9-]+$/.test(reading) || byLabel.get(reading) !== undefined) return undefined
    const found = matchHousehold(reading)
    if (!found || (letters !== 'mixed' && found.brand.everyday)) return undefined
    const isCombined = found.how === 'combination' || found.how === 'dotless'
    return isCombined || (found.how === 'homoglyph' && letters !== 'accented') ? found : undefined
  }

  return {
    labels: {
      household: brands.filter(({ household }) => household).map(({ label }) => label),
      other: brands.filter(({ household }) => !household).map(({ label }) => label),
    },
    match,
    matchReading,
    named: (label: string) => byLabel.get(label),
    isOfficialSuffix: (label: string, suffix: string) => byLabel.get(label)?.suffixes.includes(suffix) ?? false,
    /** The label without the household names between its hyphens: `orchard-cider` of `apple-orchard-cider`. */
    without(label: string) {
      const isHousehold = (token: string, hash?: number) => byLabel.get(token, hash)?.household === true
      readText(label)
      for (let start = 0, end = 0; start < label.length; start = end + 1) {
        end = label.indexOf('-', start)
        if (end < 0) end = label.length
        const hash = hashBetween(PREFIXES, start, end)
        if (!byLabel.mayHold(hash) || !isHousehold(label.slice(start, end), hash)) continue
        const others = label.split('-').filter((token) => !isHousehold(token))
        return others.join('-')
      }
      return label
    },
  }
}

/** True if hyphens, digits or the ends of the label are on both sides. */
function isTokenAt(label: string, start: number, end: number): boolean {
  return isEdgeBefore(label, start) && isEdgeAfter(label, end)
}

/** True if only digits are between `at` and a hyphen or the start of the label. */
function isEdgeBefore(label: string, at: number): boolean {
  let i = at - 1
  while (i >= 0 && isDigit(label.charCodeAt(i))) i--
  return i < 0 || label.charCodeAt(i) === 0x2d
}

function isEdgeAfter(label: string, at: number): boolean {
  let i = at
  while (i < label.length && isDigit(label.charCodeAt(i))) i++
  return i === label.length || label.charCodeAt(i) === 0x2d
}

function famePoints({ best, household, everyday }: Brand): number {
  return (best ? 4 : household ? 2 : 0) + (everyday ? 0 : 1)
}

const BEGUN = 1
const ENDS_HERE = 2

const TRIE_LENGTH_MIN = { best: 2, household: 5 }

function isFoundInside({ joined, best, household }: Brand): boolean {
  return household && joined.length >= (best ? TRIE_LENGTH_MIN.best : TRIE_LENGTH_MIN.household)
}

/** The number, plus one, of the best-known brand by the hash of its skeleton. */
function fillLooks(brands: readonly Brand[], nameOf: (brand: Brand) => string): SharedWords {
  const entries = new Map<number, number>()
  brands.forEach((brand, i) => {
    const hash = skeletonHash(nameOf(brand))
    const present = brands[(entries.get(hash) ?? 0) - 1]
    if (!present || famePoints(brand) > famePoints(present)) entries.set(hash, i + 1)
  })
  return HashTable.fill([...entries])
}
