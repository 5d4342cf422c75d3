import { expect, test } from 'vitest'
import { DAY_MS } from '../../lib/clock.ts'
import type { Facts } from '../../live/facts.ts'
import { scoreOf } from '../combine.ts'
import { readFacts } from '../look-up/fact-reading.ts'
import { createFactTables, type FactTables, type FactTablesFile, sumOf } from './fact-tables.ts'
import { factWorths, type WithoutFacts } from './facts.ts'

/** Policy holds whatever the fit says: here with tables that say nothing, or everything. */

const NOW_MS = Date.UTC(2026, 10, 15)
const LEVEL_EDGE = { medium: 29.5, high: 69.5 }
/** The least log-odds of a level. */
const edgeOf = (points: number) => {
  let logOdds = -3
  while (scoreOf(logOdds) < points) logOdds += 0.01
  return logOdds
}
const MEDIUM = edgeOf(LEVEL_EDGE.medium)
const HIGH = edgeOf(LEVEL_EDGE.high)

const tables = (tables: FactTablesFile['tables']) => createFactTables({ tables, recentTrust: 1 })
const SILENT = tables({})
const REASSURING = tables({ age: new Array(8).fill(-4) })
const ALARMING = tables({ age: new Array(8).fill(9) })

const ORDINARY: WithoutFacts = {
  logOdds: -4.5,

  imitates: false,
  lures: false,
  resembles: false,
  stands: false,
  listed: false,
  claimed: false,
}
const LOOKALIKE = { ...ORDINARY, logOdds: 1, imitates: true }
const WORDED = { ...ORDINARY, logOdds: 0.5 }

function total(
  known: WithoutFacts,
  ageDays: number,
  model: FactTables | 'fitted' = SILENT,
  { isIdle = false, takesMail = true } = {},
): number {
  const facts: Facts = {
    registration: {
      found: true,
      registeredMs: NOW_MS - ageDays * DAY_MS,
      statuses: [],
      server: 'rdap.example',
      seenMs: NOW_MS,
    },
    zone: {
      exists: true,
      mx: takesMail ? ['mx.example'] : [],
      nullMx: !takesMail,
      ns: ['ns.example'],
      spf: 'absent',
      dmarc: 'absent',
      wildcard: false,
      seenMs: NOW_MS,
    },
  }
  const circumstances = { isMailbox: false, dmarc: undefined, isIdle }
  const tables = model === 'fitted' ? undefined : model
  return known.logOdds + sumOf(factWorths(readFacts(facts, NOW_MS, false), known, circumstances, tables))
}

test('under 30 days an ordinary name is medium and no more, and a look-alike or a lure high', () => {
  for (const model of [SILENT, REASSURING, ALARMING]) {
    expect(total(ORDINARY, 29, model)).toBeGreaterThan(MEDIUM)
    expect(total(ORDINARY, 29, model)).toBeLessThan(HIGH)
    expect(total({ ...ORDINARY, imitates: true }, 29, model)).toBeGreaterThan(HIGH)
    expect(total({ ...ORDINARY, lures: true }, 29, model)).toBeGreaterThan(HIGH)
    expect(total({ ...ORDINARY, resembles: true }, 29, model)).toBeGreaterThan(HIGH)
  }
  expect(total(ORDINARY, 33)).toBeLessThan(MEDIUM)
})

test('youth alone does not make a well-known or a listed name medium', () => {
  for (const known of [
    { ...ORDINARY, stands: true },
    { ...ORDINARY, listed: true },
  ])
    expect(total(known, 3)).toBe(known.logOdds)
})

test('over five years with working mail wording is not medium; an imitation, a listing and a claim stay what they are', () => {
  expect(total(WORDED, 1826)).toBeLessThan(MEDIUM)
  expect(total(WORDED, 1824)).toBe(WORDED.logOdds)
  expect(total(WORDED, 1826, SILENT, { takesMail: false })).toBe(WORDED.logOdds)
  expect(total(WORDED, 1826, SILENT, { isIdle: true })).toBe(WORDED.logOdds)
  for (const more of [{ imitates: true }, { listed: true }, { claimed: true }, { logOdds: 2 }]) {
    const known = { ...WORDED, ...more }
    expect(total(known, 1826), JSON.stringify(more)).toBe(known.logOdds)
  }
})

test('an old look-alike falls by one level at most, and hardly at all while nobody uses it', () => {
  expect(total(LOOKALIKE, 6000, REASSURING)).toBeGreaterThan(MEDIUM)
  expect(total(LOOKALIKE, 6000, REASSURING)).toBeLessThan(HIGH)
  expect(total({ ...LOOKALIKE, logOdds: 1.25 }, 6000, REASSURING, { isIdle: true })).toBeGreaterThan(HIGH)
})

test('nothing is taken off for an age of less than half a year, and everything from two years on', () => {
  expect(REASSURING.assess(readAge(179), 0).registered).toBeCloseTo(0)
  expect(REASSURING.assess(readAge(365), 0).registered).toBeCloseTo(-1.02, 1)
  expect(REASSURING.assess(readAge(731), 0).registered).toBe(-4)
})

test('youth is a curve: with any facts an older name has no more, and a day changes little', () => {
  const names = [ORDINARY, WORDED, LOOKALIKE, { ...ORDINARY, lures: true }, { ...WORDED, logOdds: -1 }]
  for (const known of names) {
    for (const model of [SILENT, 'fitted'] as const) {
      for (const more of [{}, { takesMail: false }, { isIdle: true }]) {
        let before = total(known, 0, model, more)
        // Five years with working mail are a fact of their own.
        for (let age = 0; age < 1825; age += Math.max(0.5, age / 100)) {
          const now = total(known, age, model, more)
          expect(now, `${age} days`).toBeLessThanOrEqual(before + 1e-9)
          expect(before - now, `${age} days`).toBeLessThan(0.5)
          before = now
        }
      }
    }
  }
})

test('a younger name is worth as much as an older one at least, whatever single bins say', () => {
  const odd = tables({ age: [-1, -2, -3, -1, 2, -1, 3, 1] })
  const worths = [10, 60, 100, 200, 400, 900, 2000, 5000].map((age) => odd.assess(readAge(age), 0).registered)
  expect(worths).toEqual([3, 3, 3, 3, 3, 3, 3, 1])
})

function readAge(ageDays: number) {
  const registration = {
    found: true,
    registeredMs: NOW_MS - ageDays * DAY_MS,
    statuses: [],
    server: 'r',
    seenMs: NOW_MS,
  }
  return readFacts({ registration }, NOW_MS, false)
}
