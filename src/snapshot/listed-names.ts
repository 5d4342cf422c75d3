import { hash64Into } from '../lib/hashing.ts'
import {
  FORM_BUCKETS,
  FORM_KEYS,
  formBuckets,
  GRAMS_MAX,
  LONG_GRAMS_MAX,
  longGrams,
  nameGrams,
} from '../lib/name-grams.ts'
import type { ListedNames, Tag } from './types.ts'

/**
 * How often each stretch of letters occurs in the names that sources list for fraud, and how often names of each form
 * are listed under a suffix. The wording model compares them with honest names (risk/model/lexical.ts), and so learns
 * from the current lists.
 *
 * Numbers are whole and names are chosen by their hash: the order of rows does not matter.
 */

/** Buckets of hashed stretches of letters, followed by those of the long stretches. */
export const LISTED_BUCKETS = 2 ** 18
export const LISTED_LONG_BUCKETS = 2 ** 19

/** Names chosen to deceive; an attacking or merely suspicious host has its name for other reasons. */
const CHOSEN_TO_DECEIVE: ReadonlySet<Tag> = new Set<Tag>(['phishing', 'malware', 'c2', 'scam', 'bec'])

/** The maximum of names per source: an archive of half a million must not outweigh the current list. */
const PER_SOURCE_MAX = 20_000
/** A list whose entries age faster than this shows current fraud, and counts whole. */
const CURRENT_HALF_LIFE_DAYS = 60
/** Fewer names are too few to learn from. */
export const TEACHING_NAMES_MIN = 5_000
/** Counts are in hundredths of a name. */
export const WEIGHT_STEPS = 100

/** A name as registered, or as chosen on a platform. */
interface ListedName {
  readonly registrable: string
  /** Without the suffix. */
  readonly label: string
  readonly isOnPlatform: boolean
}

interface Chosen extends ListedName {
  readonly order: number
  readonly weight: number
}

interface ListingSource {
  readonly number: number
  readonly halfLifeDays?: number | undefined
}

export class ListedNamesCounter {
  readonly #bySource = new Map<number, Map<string, Chosen>>()
  readonly #key = new Uint32Array(2)

  /** Confidence is 0 to 1, aged. */
  add(source: ListingSource, tag: Tag, name: ListedName, confidence: number): void {
    if (!CHOSEN_TO_DECEIVE.has(tag) || name.label.includes('xn--')) return
    const current = Math.min(1, CURRENT_HALF_LIFE_DAYS / (source.halfLifeDays ?? Number.POSITIVE_INFINITY))
    const weight = Math.round(WEIGHT_STEPS * confidence * current)
    if (weight === 0) return
    let names = this.#bySource.get(source.number)
    if (!names) {
      names = new Map()
      this.#bySource.set(source.number, names)
    }
    const known = names.get(name.registrable)
    if (known !== undefined && known.weight >= weight) return
    hash64Into(name.registrable, this.#key)
    names.set(name.registrable, { ...name, order: this.#key[1] as number, weight })
    if (names.size >= 2 * PER_SOURCE_MAX) this.#bySource.set(source.number, firstOf(names))
  }

  /** The counts. Names that are protected (`isProtected`) are left out: a list's mistake is no example of fraud. */
  count(isProtected: (registrable: string) => boolean): ListedNames {
    const chosen = new Map<string, Chosen>()
    for (const names of this.#bySource.values()) {
      for (const [registrable, name] of firstOf(names)) {
        const known = chosen.get(registrable)
        if ((known === undefined || known.weight < name.weight) && !isProtected(registrable)) {
          chosen.set(registrable, name)
        }
      }
    }
    if (chosen.size < TEACHING_NAMES_MIN) {
      return { names: 0, weight: 0, grams: new Uint32Array(0), forms: new Uint32Array(0) }
    }
    const grams = new Uint32Array(LISTED_BUCKETS + LISTED_LONG_BUCKETS)
    const forms = new Uint32Array(FORM_BUCKETS)
    const found = new Uint32Array(GRAMS_MAX)
    const foundLong = new Uint32Array(LONG_GRAMS_MAX)
    const buckets = new Uint32Array(FORM_KEYS)
    let total = 0
    for (const { registrable, label, weight, isOnPlatform } of chosen.values()) {
      total += weight
      const size = nameGrams(label, found)
      for (let i = 0; i < size; i++) {
        const at = (found[i] as number) & (LISTED_BUCKETS - 1)
        grams[at] = (grams[at] as number) + weight
      }
      const longSize = longGrams(label, foundLong)
      for (let i = 0; i < longSize; i++) {
        const at = LISTED_BUCKETS + ((foundLong[i] as number) & (LISTED_LONG_BUCKETS - 1))
        grams[at] = (grams[at] as number) + weight
      }
      // A name on a platform has no chosen suffix.
      if (isOnPlatform) continue
      formBuckets(label, registrable.slice(label.length + 1), buckets)
      for (const at of buckets) forms[at] = (forms[at] as number) + weight
    }
    return { names: chosen.size, weight: total / WEIGHT_STEPS, grams, forms }
  }
}

/** The names with the smallest hashes: a sample that does not depend on their order. */
function firstOf(names: ReadonlyMap<string, Chosen>): Map<string, Chosen> {
  if (names.size <= PER_SOURCE_MAX) return new Map(names)
  const sorted = [...names].sort(([a, one], [b, other]) => one.order - other.order || (a < b ? -1 : 1))
  return new Map(sorted.slice(0, PER_SOURCE_MAX))
}
