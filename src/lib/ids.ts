import { randomBytes } from 'node:crypto'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Random source, passed in so that tests can repeat themselves. */
export type RandomBytes = (size: number) => Uint8Array

/** `length` unbiased base-62 characters (bytes above the largest multiple of 62 are thrown away). */
export function randomBase62(length: number, random: RandomBytes = randomBytes): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random(length * 2)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62]
    }
  }
  return text
}

/** Fixed-width base-62 of a non-negative integer, most significant digit first. */
export function toBase62(value: number, width: number): string {
  let rest = value
  let text = ''
  for (let i = 0; i < width; i++) {
    text = BASE62[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}

const COUNT_DIGITS = 8
/** Texts of two digits: an id ends with one, and the digits before them change once in 3844 ids. */
const PAIRS = Array.from({ length: 62 * 62 }, (_, i) => toBase62(i, 2))

/** 0, 1, 2… as eight digits after a start, which is kept until another one comes. */
function countedIds(): (start: string) => string {
  let count = 0
  let last: string | undefined
  let beginning = ''
  return (start) => {
    const pair = count % PAIRS.length
    if (pair === 0 || start !== last) {
      last = start
      beginning = start + toBase62((count - pair) / PAIRS.length, COUNT_DIGITS - 2)
    }
    count++
    return beginning + PAIRS[pair]
  }
}

/** The number behind base-62 digits, as `toBase62` writes them. */
export function fromBase62(digits: string): number {
  return [...digits].reduce((value, digit) => value * 62 + BASE62.indexOf(digit), 0)
}

export type IdPrefix =
  | 'org'
  | 'era'
  | 'key'
  | 'ent'
  | 'usr'
  | 'ses'
  | 'req'
  | 'cli'
  | 'inv'
  | 'top'
  | 'aud'
  | 'alr'
  | 'cko'
  | 'job'
  | 'bil'
  | 'pay'
  | 'owe'
  | 'nod'
  | 'msg'
  | 'own'
  | 'dec'
  | 'dom'
  | 'cpy'
  | 'imp'
  | 'evt'
  | 'whk'

/**
 * Ids in a series: a random part for this thread and a counter. Unique like the others and cheap enough for every
 * request, but not secret.
 */
export function idSeries(prefix: IdPrefix, random: RandomBytes = randomBytes): () => string {
  const start = `${prefix}_${randomBase62(12, random)}`
  const next = countedIds()
  return () => next(start)
}

const TIME_CHARACTERS = 8

/** Like idSeries, and the ids of one server or of several are in the order of time: they begin with the millisecond. */
export function timedIdSeries(prefix: IdPrefix, now: () => number, random: RandomBytes = randomBytes): () => string {
  const own = randomBase62(4, random)
  const next = countedIds()
  let lastMs = -1
  let start = ''
  return () => {
    const timeMs = now()
    if (timeMs !== lastMs) {
      lastMs = timeMs
      start = `${prefix}_${startOfTime(timeMs)}${own}`
    }
    return next(start)
  }
}

/** The part after the prefix that the ids of this millisecond share. */
export const startOfTime = (timeMs: number): string => toBase62(Math.max(0, timeMs), TIME_CHARACTERS)

/** The millisecond of an id of a timed series. */
export function timeOfId(id: string): number {
  const start = id.indexOf('_') + 1
  let timeMs = 0
  for (let i = start; i < start + TIME_CHARACTERS; i++) timeMs = timeMs * 62 + BASE62.indexOf(id[i] ?? '0')
  return timeMs
}

/** An id such as `org_0Fv3kQ2…`: its prefix names its kind, 119 random bits, safe in a path. */
export function newId(prefix: IdPrefix, random: RandomBytes = randomBytes): string {
  return `${prefix}_${randomBase62(20, random)}`
}
