import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TextOfCheck } from '../db/kept-checks.ts'
import type { SqlQueries } from '../db/sql.ts'
import { dayWords, iso } from '../lib/clock.ts'
import { timeOfId } from '../lib/ids.ts'
import type { Kind } from '../lib/kinds.ts'
import { type Level, levelOf, type SignalReport } from '../risk/engine.ts'
import { indicatorText, isProblem, parseIndicator } from '../risk/indicator.ts'
import type { AnswerNow, ChangedSince } from '../risk/keeper.ts'
import { openTextsOf } from './check-log.ts'
import { type FormerCheck, findLastChecks } from './checks.ts'
import { splitResults } from './lists.ts'
import type { IndicatorDigest } from './sealed.ts'

/** More would hide the important ones; signals come strongest first. */
const CHANGES_MAX = 10

/** How the answer differs from the last one about the same indicator. */
export function changedSince(
  { id, level: risk, score: risk_score }: FormerCheck,
  text: TextOfCheck | undefined,
  now: AnswerNow,
): ChangedSince {
  const level = levelOf(now.score)
  const before = text && signalsIn(text)
  const changes = [
    ...(level === risk ? [] : [`${level} now`]),
    ...(before ? differences(before, now.signals) : []),
  ].slice(0, CHANGES_MAX)
  const askedAtMs = timeOfId(id)
  return {
    check_id: id,
    asked_at: iso(askedAtMs),
    risk,
    risk_score,
    changes: changes.map((change) => `${risk} on ${dayWords(askedAtMs)}; ${change}`),
  }
}

/** Undefined where nobody asked for reasons. Such an answer is kept without its braces. */
const signalsIn = ({ answer }: TextOfCheck) =>
  answer.startsWith('{') ? (JSON.parse(answer) as { signals?: readonly SignalReport[] }).signals : undefined

/** Signals without an effect say nothing about the risk. */
function differences(before: readonly SignalReport[], now: readonly SignalReport[]): string[] {
  const codes = (signals: readonly SignalReport[]) => new Set(signals.map(({ code }) => code))
  const others = (signals: readonly SignalReport[], known: ReadonlySet<string>) =>
    signals.filter(({ code, effect }) => effect !== 0 && !known.has(code))
  return [
    ...others(now, codes(before)).map(({ description }) => `since then: ${description}`),
    ...others(before, codes(now)).map(({ description }) => `no longer: ${description}`),
  ]
}

/** Some milliseconds of the serving thread, where every one of them has changed. */
const RECORDS_AT_ONCE = 64
const RESULT = /^\{"\w+":("(?:[^"\\]|\\.)*"),"risk":"(\w+)","risk_score":(\d+)/

/**
 * Adds `changed_since` to the results of a list (JSON, with commas between them). Reasons are compared where the level is
 * another: a new version of the intelligence moves most scores a little.
 */
export async function withChanges(
  {
    sql,
    keys,
    digest,
  }: { readonly sql: SqlQueries; readonly keys: readonly string[]; readonly digest: IndicatorDigest },
  { organisationId, kind, results }: { readonly organisationId: string; readonly kind: Kind; readonly results: string },
): Promise<string> {
  const records = splitResults(kind, results)
  const changed: string[] = []
  for (let from = 0; from < records.length; from += RECORDS_AT_ONCE) {
    const some = records.slice(from, from + RECORDS_AT_ONCE).map((text) => {
      const [, submitted = '""', level, score] = RESULT.exec(text) ?? []
      const indicator = parseIndicator(kind, JSON.parse(submitted) as string)
      if (isProblem(indicator)) throw new Error(`a list was answered with an invalid ${kind}`)
      const wanted = { organisationId, digest: digest(kind, indicatorText(indicator)) }
      return { text, wanted, level: level as Level, score: Number(score) }
    })
    const formers = await findLastChecks(
      sql,
      some.map(({ wanted }) => wanted),
    )
    const toOpen = formers.flatMap((former, i) => (former && former.level !== some[i]!.level ? [former.id] : []))
    const texts = await openTextsOf(sql, keys, organisationId, toOpen)
    for (const [i, { text, score }] of some.entries()) {
      const former = formers[i]
      const opened = former && texts(former.id)
      const { signals } = (opened ? JSON.parse(text) : { signals: [] }) as Pick<AnswerNow, 'signals'>
      const since = former && changedSince(former, opened, { score, signals })
      changed.push(since ? `${text.slice(0, -1)},"changed_since":${JSON.stringify(since)}}` : text)
    }
    await nextTurn()
  }
  return changed.join(',')
}
