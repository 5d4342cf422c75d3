import type { KeptCheck, TextOfCheck } from '../db/kept-checks.ts'
import { iso } from '../lib/time-text.ts'
import { levelOf, type SignalReport } from '../risk/engine.ts'
import type { AnswerNow, ChangedSince } from '../risk/keeper.ts'

/** More would hide the important ones; signals come strongest first. */
const CHANGES_MAX = 10

/** How the answer differs from the last one about the same indicator. */
export function changedSince(
  former: KeptCheck,
  text: TextOfCheck | undefined,
  { score, signals }: AnswerNow,
): ChangedSince {
  const { id, created_at, level: risk, score: risk_score } = former
  const on = `${risk} on ${dayInWords(created_at)}`
  const level = levelOf(score)
  const before = text && (JSON.parse(text.answer) as Former).signals
  const changes = [
    ...(level === risk ? [] : [`${on}; ${level} now`]),
    ...(before ? differences(on, before, signals) : []),
  ]
  return { check_id: id, asked_at: iso(created_at), risk, risk_score, changes: changes.slice(0, CHANGES_MAX) }
}

interface Former {
  /** Absent where nobody asked for reasons. */
  readonly signals?: readonly SignalReport[]
}

/** Signals without an effect say nothing about the risk. */
function differences(on: string, before: readonly SignalReport[], now: readonly SignalReport[]): string[] {
  const codes = (signals: readonly SignalReport[]) => new Set(signals.map(({ code }) => code))
  const others = (signals: readonly SignalReport[], known: ReadonlySet<string>) =>
    signals.filter(({ code, effect }) => effect !== 0 && !known.has(code))
  return [
    ...others(now, codes(before)).map(({ description }) => `${on}; since then: ${description}`),
    ...others(before, codes(now)).map(({ description }) => `${on}; no longer: ${description}`),
  ]
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** `3 May 2026`. */
const dayInWords = (timeMs: number): string => DAY.format(timeMs)
