import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_MS } from '../src/lib/clock.ts'
import { hostParts } from '../src/lib/domain.ts'
import type { Certificate, Facts, Host, Registration, Zone } from '../src/live/facts.ts'
import { LEVEL_FLOORS } from '../src/risk/engine.ts'
import { isProblem, parseIndicator } from '../src/risk/indicator.ts'
import type { Scorer, ScorerOptions } from '../src/risk/score.ts'
import type { Limit } from './evaluate-sets.ts'
import { auc } from './fit-data.ts'

/**
 * Observed facts: hosts with what the DNS, the registry and a handshake said about them when somebody looked. The rows
 * become facts as the observers would give them, and go through the real scorer.
 */

export interface Observed {
  readonly host: string
  readonly registrable: string
  readonly bad: boolean
  readonly ageDays: number | undefined
  readonly facts: Facts
}

/** When the facts are taken to have been seen: the sets give ages, not dates. */
export const OBSERVED_AT_MS = Date.UTC(2026, 5, 1)

type Row = Readonly<Record<string, string | undefined>>

export function readObservations(data: string): Observed[] {
  return readRows(join(data, 'live/observations.csv')).map((row) => {
    const host = row.domain ?? ''
    const registrable = hostParts(host).registrable ?? host
    return {
      host,
      registrable,
      bad: row.label !== 'benign',
      ageDays: numberOf(row.age_days),
      facts: factsOf(row, host === registrable),
    }
  })
}

/** Ages of 2020, by whois; nothing else is known about these hosts. */
export function readAges(data: string): Observed[] {
  return readRows(join(data, 'live/ages_2020.csv')).map((row) => {
    const host = row.host ?? ''
    const age = numberOf(row.age_days)
    const ageDays = age === undefined || age < 0 ? undefined : age
    return {
      host,
      registrable: hostParts(host).registrable ?? host,
      bad: row.label !== 'benign',
      ageDays,
      facts: seen({ registration: registrationOf(ageDays, undefined) }),
    }
  })
}

function readRows(file: string): Row[] {
  if (!existsSync(file)) return []
  const [head = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
  const names = head.split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [names[i], cell])))
}

/**
 * The facts of one row. Mail and name servers were looked up at the host itself, so that they are known of the zone only
 * where the host is the registrable name.
 */
function factsOf(row: Row, isZone: boolean): Facts {
  const count = (name: string) => Number(row[name] ?? 0)
  const zone: Zone = {
    exists: true,
    mx: names(count('mx'), 'mx'),
    nullMx: false,
    ns: names(count('ns'), 'ns'),
    spf: count('spf') > 0 ? 'softfail' : 'absent',
    dmarc: 'absent',
    wildcard: false,
  }
  const host: Host = {
    exists: true,
    addresses: [
      ...Array.from({ length: count('a') }, (_, i) => `192.0.2.${i + 1}`),
      ...Array.from({ length: count('aaaa') }, (_, i) => `2001:db8::${(i + 1).toString(16)}`),
    ],
    aliases: names(count('cname'), 'alias'),
    dangling: false,
  }
  const validDays = numberOf(row.cert_valid_days)
  const certificate: Certificate =
    count('tls') === 0
      ? { answered: false }
      : validDays === undefined || validDays < 0
        ? { answered: true }
        : { answered: true, notBeforeMs: OBSERVED_AT_MS, notAfterMs: OBSERVED_AT_MS + validDays * DAY_MS }
  return seen({
    registration: registrationOf(numberOf(row.age_days), numberOf(row.registration_days), row.dnssec === '1'),
    zone: isZone ? zone : undefined,
    host,
    certificate,
  })
}

function registrationOf(
  ageDays: number | undefined,
  periodDays: number | undefined,
  signed = false,
): Registration | undefined {
  if (ageDays === undefined) return undefined
  const registeredMs = OBSERVED_AT_MS - ageDays * DAY_MS
  return {
    found: true,
    registeredMs,
    ...(periodDays === undefined ? {} : { expiresMs: registeredMs + periodDays * DAY_MS }),
    statuses: [],
    signed,
    server: 'rdap.example',
  }
}

function seen(facts: { readonly [S in keyof Facts]: Omit<NonNullable<Facts[S]>, 'seenMs'> | undefined }): Facts {
  return Object.fromEntries(
    Object.entries(facts).flatMap(([sort, fact]) =>
      fact === undefined ? [] : [[sort, { ...fact, seenMs: OBSERVED_AT_MS }]],
    ),
  )
}

function names(count: number, what: string): string[] {
  return Array.from({ length: count }, (_, i) => `${what}${i + 1}.example.net`)
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined || text === '' ? undefined : Number(text)
}

/** Without the handshake, which a fresh installation does not make. */
function byDefault({ certificate: _, ...facts }: Facts): Facts {
  return facts
}

export function registrationAlone({ registration }: Facts): Facts {
  return registration ? { registration } : {}
}

/** One registrable name in three is judged on, and never fitted on. */
export function isJudged(registrable: string): boolean {
  let hash = 11
  for (let i = 0; i < registrable.length; i++) hash = (Math.imul(hash, 31) + registrable.charCodeAt(i)) | 0
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return ((hash ^ (hash >>> 13)) >>> 0) % 3 === 0
}

export interface Shares {
  readonly auc: number
  readonly badHigh: number
  readonly goodHigh: number
  readonly badMedium: number
  readonly goodMedium: number
}

/** One set of hosts, scored without facts and with them. */
export interface LiveFigures {
  readonly name: string
  readonly bad: number
  readonly good: number
  readonly without: Shares
  readonly with: Shares
  readonly bands: readonly AgeBand[]
}

export interface AgeBand {
  readonly name: string
  readonly bad: number
  readonly good: number
  readonly without: Pick<Shares, 'badHigh' | 'badMedium' | 'goodMedium'>
  readonly with: Pick<Shares, 'badHigh' | 'badMedium' | 'goodMedium'>
}

const BANDS: readonly (readonly [name: string, fromDays: number])[] = [
  ['under 30 days', 0],
  ['30 to 180 days', 30],
  ['180 days to a year', 180],
  ['1 to 2 years', 365],
  ['2 to 5 years', 730],
  ['over 5 years', 1825],
]

interface Scored {
  readonly bad: boolean
  readonly ageDays: number | undefined
  readonly without: number
  readonly with: number
}

/** Scores each host as the service does; `seen` says which of its facts are looked at. */
export function measureLive(
  name: string,
  observed: readonly Observed[],
  scorer: Scorer,
  seen: (facts: Facts) => Facts = byDefault,
): LiveFigures {
  const rows = observed.flatMap(({ host, bad, ageDays, facts }): Scored[] => {
    const indicator = parseIndicator('domain', host)
    if (isProblem(indicator)) return []
    const score = (options: Omit<ScorerOptions, 'explain'>) =>
      scorer.evaluate('domain', [indicator], { explain: false, ...options })[0]?.score ?? 0
    return [{ bad, ageDays, without: score({}), with: score({ facts: [seen(facts)], nowMs: OBSERVED_AT_MS }) }]
  })
  const bands = BANDS.flatMap(([band, from], i) => {
    const to = BANDS[i + 1]?.[1] ?? Number.POSITIVE_INFINITY
    const chosen = rows.filter(({ ageDays }) => ageDays !== undefined && ageDays >= from && ageDays < to)
    return chosen.length === 0 ? [] : [{ name: band, ...counted(chosen) }]
  })
  return { name, ...counted(rows), bands }
}

function counted(rows: readonly Scored[]): Omit<LiveFigures, 'name' | 'bands'> {
  const bad = rows.filter((row) => row.bad)
  const good = rows.filter((row) => !row.bad)
  const shares = (which: 'without' | 'with'): Shares => {
    const of = (chosen: readonly Scored[]) => chosen.map((row) => row[which])
    return {
      auc: auc(of(bad), of(good)),
      badHigh: reaching(of(bad), LEVEL_FLOORS.high),
      goodHigh: reaching(of(good), LEVEL_FLOORS.high),
      badMedium: reaching(of(bad), LEVEL_FLOORS.medium),
      goodMedium: reaching(of(good), LEVEL_FLOORS.medium),
    }
  }
  return { bad: bad.length, good: good.length, without: shares('without'), with: shares('with') }
}

function reaching(scores: readonly number[], floor: number): number {
  return scores.filter((score) => score >= floor).length / scores.length
}

/** The limits for facts, on rows they were not fitted on. */
export function liveLimits({ without, with: live }: LiveFigures): Limit[] {
  const plain = (value: number) => value.toFixed(3)
  const times = (value: number) => `${value.toFixed(2)} times`
  const percent = (value: number) => `${(100 * value).toFixed(2)} %`
  const more = live.auc - without.auc
  const high = live.badHigh / without.badHigh
  const medium = live.goodMedium / without.goodMedium
  return [
    { measure: 'AUC more than without facts', limit: 'at least 0.030', measured: plain(more), kept: more >= 0.03 },
    { measure: 'bad hosts that are high', limit: 'at least 1.60 times', measured: times(high), kept: high >= 1.6 },
    {
      measure: 'honest hosts that are high',
      limit: 'at most 1.00 %',
      measured: percent(live.goodHigh),
      kept: live.goodHigh <= 0.01,
    },
    {
      measure: 'honest hosts that are medium or high',
      limit: 'at most 0.75 times',
      measured: times(medium),
      kept: medium <= 0.75,
    },
  ]
}
