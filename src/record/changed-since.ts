import type { KeptCheck } from '../db/kept-checks.ts'
import { iso } from '../lib/time-text.ts'
import type { SignalReport } from '../risk/engine.ts'
import type { AnswerNow, ChangedSince } from '../risk/keeper.ts'
import type { OpenCheck } from './check-log.ts'

/** More would hide the important ones; signals come strongest first. */
const CHANGES_MAX = 10

/** How the answer differs from the last one about the same indicator. */
export function changedSince({ check, text }: OpenCheck<KeptCheck>, { level, signals }: AnswerNow): ChangedSince {
  const { id, created_at, level: risk, score } = check
  const on = `${risk} on ${dayInWords(created_at)}`
  const former = text && (JSON.parse(text.answer) as { readonly signals?: readonly SignalReport[] }).signals
  return {
    check_id: id,
    asked_at: iso(created_at),
    risk,
    risk_score: score,
    changes: [
      ...(level === risk ? [] : [`${on}; ${level} now`]),
      ...(former ? differences(on, former, signals) : []),
    ].slice(0, CHANGES_MAX),
  }
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
