import { systemEffects } from './effects.ts'
import { ValidationError } from './errors.ts'
import type { ChangedSince, Decision, Operations, Signal } from './generated/api.ts'
import { createKeyedHash } from './keyed-hash.ts'
import type { Kind } from './kinds.ts'
import { createSeen, type Seen } from './seen.ts'

/** Answers repeats without sending them. A record is found by its keyed hash, and takes 32 bits for any outcome. */

/** With explain, the reasons and decisions of this many distinct records are cached for repeats. */
const EXPLAINED_KEPT_MAX = 100_000

// Values of the table: two bits of state above 30 bits of payload.
const PENDING = 0
const ANSWERED = 1
const INVALID = 2
const FAILED = 3
const value = (state: number, payload: number) => ((state << 30) | payload) >>> 0
const RISKS: readonly Risk[] = ['low', 'medium', 'high']

/** The answer to the record is in the table when its turn comes. */
export const EARLIER = -1
/** A repeat of a record of the same batch, by its index there; the function is its own inverse. */
export const repeatOf = (place: number) => -4 - place

/** A batch, and the hash of each of its records: two words per record, computed once. */
type Batch = { readonly number: number; readonly batch: string[]; readonly hashes: number[] }

export class Repeats {
  readonly #kind: Kind
  readonly #hash
  readonly #seen: Seen = createSeen()
  readonly #explained = new Map<string, Omit<RecordResult, 'risk' | 'risk_score'>>()
  /** Refusals by number: there are few different refusals, even with many invalid records. */
  readonly #refusals: ValidationError[] = []
  readonly #refusalNumbers = new Map<string, number>()

  constructor(kind: Kind, key: Uint32Array) {
    this.#kind = kind
    this.#hash = createKeyedHash(key)
  }

  /** Adds a new record to the batch and returns its index; for a repeat it returns `repeatOf` or `EARLIER`. */
  add(text: string, { number, batch, hashes }: Batch): number {
    const hash = this.#hash
    hash.update(dedupeKey(this.#kind, text))
    const known = this.#seen.find(hash.high, hash.low)
    if (known !== undefined) {
      const isHere = known >>> 30 === PENDING && (known >>> 14) % 0x10000 === number % 0x10000
      return isHere ? repeatOf(known & 0x3fff) : EARLIER
    }
    const place = batch.push(text) - 1
    hashes.push(hash.high, hash.low)
    this.#seen.set(hash.high, hash.low, value(PENDING, ((number % 0x10000) << 14) | place))
    return place
  }

  remember({ batch, hashes }: Batch, outcomes: readonly (Outcome | undefined)[]): void {
    for (let place = 0; place < outcomes.length; place++) {
      const outcome = outcomes[place]
      this.#seen.set(hashes[2 * place]!, hashes[2 * place + 1]!, this.#valueOf(outcome))
      if (!outcome || 'invalid' in outcome) continue
      const { risk: _risk, risk_score: _score, ...explained } = outcome
      if (explained.signals?.length || explained.decision) {
        this.#keepExplained(dedupeKey(this.#kind, batch[place]!), explained)
      }
    }
  }

  /** The outcome of a record of an earlier batch; undefined when that batch failed. */
  earlier(record: string, explain: boolean): RecordResult | { readonly error: ValidationError } | undefined {
    const key = dedupeKey(this.#kind, record)
    this.#hash.update(key)
    const known = this.#seen.find(this.#hash.high, this.#hash.low)!
    const payload = known & 0x3fffffff
    if (known >>> 30 === INVALID) return { error: this.#refusals[payload]! }
    if (known >>> 30 !== ANSWERED) return undefined
    const explained = explain ? this.#explained.get(key) : undefined
    return { risk: RISKS[payload >>> 8]!, risk_score: payload & 0xff, ...explained }
  }

  refusal(invalid: { readonly code: string; readonly detail: string }): ValidationError {
    return this.#refusals[this.#refusalNumber(invalid)]!
  }

  #valueOf(outcome: Outcome | undefined): number {
    if (!outcome) return value(FAILED, 0)
    if ('invalid' in outcome) return value(INVALID, this.#refusalNumber(outcome.invalid))
    return value(ANSWERED, (RISKS.indexOf(outcome.risk) << 8) | outcome.risk_score)
  }

  #refusalNumber({ code, detail }: { readonly code: string; readonly detail: string }): number {
    const key = `${code}\n${detail}`
    const known = this.#refusalNumbers.get(key)
    if (known !== undefined) return known
    const number = this.#refusals.push(new ValidationError(code, detail, { status: 422 })) - 1
    this.#refusalNumbers.set(key, number)
    return number
  }

  #keepExplained(key: string, explained: Omit<RecordResult, 'risk' | 'risk_score'>): void {
    if (this.#explained.size >= EXPLAINED_KEPT_MAX) this.#explained.delete(this.#explained.keys().next().value!)
    this.#explained.set(key, explained)
  }
}

/**
 * Two records with the same key are certainly the same indicator for the server. The key is deliberately strict:
 * records that the server distinguishes never share a key. Some records that the server treats as one (two spellings of
 * an IPv6 address, an internationalised name and its xn-- form) have different keys; each is checked and billed.
 */
export function dedupeKey(kind: Kind, text: string): string {
  const trimmed = text.trim()
  if (kind === 'email') return trimmed.normalize('NFC').toLowerCase()
  if (kind === 'ip') return trimmed.toLowerCase()
  const name = trimmed.toLowerCase().normalize('NFC')
  return name.length > 1 && name.endsWith('.') ? name.slice(0, -1) : name
}

/** Detects repeated records, with the same rules and memory limit as `checkMany`. */
export function createDistinct(kind: Kind): { isNew(record: string): boolean } {
  const hash = createKeyedHash(systemEffects.randomWords(2))
  const seen = createSeen()
  return {
    isNew(record) {
      hash.update(dedupeKey(kind, record))
      if (seen.find(hash.high, hash.low) !== undefined) return false
      seen.set(hash.high, hash.low, 0)
      return true
    },
  }
}

export type Risk = Operations['POST /v1/payment-risk/bulk']['response']['results'][number]['risk']

export interface RecordResult {
  readonly risk: Risk
  readonly risk_score: number
  /** With `explain`. Left out on a repeat of a record that was seen more than 100,000 distinct records ago. */
  readonly signals?: readonly Signal[]
  /** With `explain`, if a decision rule of the organisation matches. Left out as above. */
  readonly decision?: Decision
  /** With `explain`, if the check is kept: its id on record. Left out as above. */
  readonly check_id?: string
  /** With `explain`, if the check is kept and the indicator was checked before. Left out as above. */
  readonly changed_since?: ChangedSince
}

/** The outcome of one distinct record: an answer, or the reason why the record is invalid. */
export type Outcome = RecordResult | { readonly invalid: { readonly code: string; readonly detail: string } }
