import { iso, isoDay } from '../lib/clock.ts'
import type { Kind } from '../lib/kinds.ts'
import type { Snapshot, SnapshotSource, SourceKind, SourceRole } from '../snapshot/types.ts'
import { VERSION } from '../version.ts'
import { BASE_SCORE } from './combine.ts'
import {
  type Background,
  type Coverage,
  type Evaluation,
  type IntelligenceInfo,
  type Known,
  type ListsConsulted,
  levelOf,
  type SignalReport,
} from './engine.ts'
import type { SignalCode } from './signals/all.ts'
import { OWN_SOURCE } from './signals/own.ts'
import type { Group } from './signals/signal.ts'
import { DECIDING } from './weights/groups.ts'

/** The sources behind an answer, and their knowledge: so that "low, nothing known" does not read like "known good". */

export function intelligenceOf({ info: { version, builtAtMs } }: Snapshot): IntelligenceInfo {
  return { version, built_at: iso(builtAtMs) }
}

/** The row kinds that a check of this kind reads: an email address also by its domain, an IP also by its network. */
const ROWS_OF: Record<Kind, readonly SourceKind[]> = {
  email: ['email', 'domain'],
  domain: ['domain'],
  ip: ['ip', 'asn'],
}
const LISTS: readonly SourceRole[] = ['threat', 'context', 'reassuring']
const THREATS: readonly SourceRole[] = ['threat']
const POPULARITY: readonly SourceRole[] = ['popularity']

export function backgroundOf(snapshot: Snapshot, kind: Kind): Background {
  const sources = snapshot.info.sources.filter((source) => isAbout(source, kind))
  const lists = sources.filter((source) => hasRole(source, LISTS))
  return {
    base_score: BASE_SCORE,
    coverage: {
      lists: { ...consulted(lists), threat_sources: lists.filter((source) => hasRole(source, THREATS)).length },
      model: { status: 'consulted', version: VERSION },
      popularity: kind === 'ip' ? NOT_APPLICABLE : consulted(sources.filter((source) => hasRole(source, POPULARITY))),
      live: { status: 'off' },
    },
    intelligence: intelligenceOf(snapshot),
  }
}

/** A file of an earlier release does not say what its sources list: each may then be about any kind. */
function isAbout({ kinds, rows }: SnapshotSource, kind: Kind): boolean {
  return rows > 0 && (kinds.length === 0 || kinds.some((one) => ROWS_OF[kind].includes(one)))
}

function hasRole({ roles }: SnapshotSource, wanted: readonly SourceRole[]): boolean {
  return roles.length === 0 ? wanted !== POPULARITY : roles.some((role) => wanted.includes(role))
}

function consulted(sources: readonly SnapshotSource[]): ListsConsulted {
  if (sources.length === 0) return { status: 'none', sources: 0, oldest: null, newest: null }
  const times = sources.map(({ asOfMs }) => asOfMs)
  const [oldest, newest] = [Math.min(...times), Math.max(...times)].map(iso) as [string, string]
  return { status: 'consulted', sources: sources.length, oldest, newest }
}

const NOT_APPLICABLE: ListsConsulted = { status: 'not_applicable', sources: 0, oldest: null, newest: null }

export function coverageOfOne(coverage: Coverage, kind: Kind, { known, summary }: Evaluation) {
  // A private address is recognised by its number alone.
  if (known === 'not_public' && kind === 'ip') {
    const model = { ...coverage.model, status: 'not_applicable' as const }
    return { ...coverage, lists: { ...NOT_APPLICABLE, threat_sources: 0 }, model, known, summary }
  }
  return { ...coverage, known, summary }
}

export interface Reason {
  readonly group: Group
  readonly report: SignalReport
}

/** Lists of these groups only describe an indicator; it is bad only if it is a throw-away mailbox. */
const BAD_CODES: ReadonlySet<string> = new Set(['email.disposable', 'domain.disposable', 'domain.resolves_to_listed'])
/** Many strangers share such an address: its fame says nothing about them. */
const NEUTRAL_CODES: ReadonlySet<string> = new Set(['ip.cdn'])

/** Sources of live look-ups: the registry, the DNS, the site's handshake. */
const FACT_SOURCES: ReadonlySet<string> = new Set(['rdap', 'dns', 'tls'])
/** The facts for the summary, the most telling first; the summary names two. */
const TELLING_FACTS = (
  'domain.unregistered email.cannot_receive domain.held domain.registered domain.parked domain.mail_setup ' +
  'ip.reverse_dns'
).split(' ')
const FACTS_TOLD = 2

/** The sources' knowledge in words, after what the organisation itself knows. */
export function knowledgeOf(reasons: readonly Reason[], score: number, kind: Kind, coverage: Coverage) {
  const own = reasons.filter(({ report }) => report.source === OWN_SOURCE)
  if (own.length === 0) return sourcesKnow(reasons, score, kind, coverage)
  const others = reasons.filter(({ report }) => report.source !== OWN_SOURCE)
  const { known, summary } = sourcesKnow(others, score, kind, coverage)
  const rest = summary.replace(/^Nothing is known/, 'Nothing else is known')
  const decision = own.find(({ report }) => DECIDING.has(report.code as SignalCode))
  const words = own.map(({ report }) => ended(report.description)).join(' ')
  const told = `${words}${decision ? ' This decides.' : ''} ${rest}`
  if (decision) return said(decision.report.effect > 0 ? 'bad' : 'good', told)
  const isGood = own.some(({ group }) => group === 'standing')
  if (!isGood || known === 'not_public') return said(known, told)
  return said(known === 'bad' || known === 'mixed' ? 'mixed' : 'good', told)
}

function sourcesKnow(reasons: readonly Reason[], score: number, kind: Kind, coverage: Coverage) {
  let good: SignalReport | undefined
  let bad: SignalReport | undefined
  let neutral: SignalReport | undefined
  let notPublic: SignalReport | undefined
  const facts = new Map<string, SignalReport>()
  // The standing of a provider says nothing about the strangers who have mailboxes there.
  const isStrangers = kind === 'email' && reasons.some(({ group, report }) => group === 'mailbox' && !isFact(report))
  for (const { group, report } of reasons) {
    if (report.code.endsWith('.not_public')) notPublic ??= report
    else if (NEUTRAL_CODES.has(report.code)) neutral ??= report
    else if (group === 'standing') good = isStrangers ? undefined : (good ?? report)
    else if (isFact(report)) facts.set(report.code, report)
    else if (isOurs(report)) continue
    else if (group === 'listing' || (BAD_CODES.has(report.code) && report.effect > 0)) bad ??= report
    else neutral ??= report
  }
  const isLow = levelOf(score) === 'low'
  if (notPublic && isLow && !bad) return said('not_public', `Nothing to check: ${reasonIn(notPublic.description)}.`)
  const told = TELLING_FACTS.flatMap((code) => facts.get(code)?.description ?? []).slice(0, FACTS_TOLD)
  const seen = told.map((description) => ` ${ended(description)}`).join('')
  if (good && bad)
    return said('mixed', `Known for and against. ${ended(bad.description)} ${ended(good.description)}${seen}`)
  if (bad && isLow) {
    return said('mixed', `A list names it, but too weakly to raise the level. ${ended(bad.description)}${seen}`)
  }
  if (bad) return said('bad', `Known bad. ${ended(bad.description)}${seen}`)
  const from = `${LOOKS[kind]}${facts.size > 0 ? ' and what was looked up' : ''}`
  // A list that makes the score was just told.
  const strongest = reasons.find(({ report }) => report.effect > 0)?.report
  const isByList = strongest !== undefined && !isOurs(strongest) && !isFact(strongest)
  const looks = isLow || isByList ? '' : ` The score comes from ${from}.`
  if (good && isLow) return said('good', `Known good. ${ended(good.description)}${seen}`)
  if (good) return said('mixed', `${STANDS[kind]} ${ended(good.description)}${seen}${looks}`)
  if (neutral) return said('neutral', `${ended(neutral.description)}${seen} ${unaccused(coverage.lists)}${looks}`)
  const lists = silenceOf(coverage.lists)
  const Lists = `${lists.charAt(0).toUpperCase()}${lists.slice(1)}.`
  if (seen !== '') return said('neutral', `${Lists}${seen}${looks}`)
  return isLow
    ? said('nothing', `Nothing is known about it: ${lists}.`)
    : said('nothing', `${Lists} The score comes only from ${from}.`)
}

const STANDS: Record<Kind, string> = {
  email: 'Its domain is known good.',
  domain: 'Lists speak for it.',
  ip: 'Lists speak for its network.',
}

function isOurs({ source }: SignalReport): boolean {
  return source === 'model' || source === 'rules'
}

function isFact({ source }: SignalReport): boolean {
  return FACT_SOURCES.has(source)
}

/** Names of registrars may end with the full stop of an abbreviation. */
function ended(sentence: string): string {
  return sentence.endsWith('.') ? sentence : `${sentence}.`
}

function reasonIn(description: string): string {
  return description.replace(/^Nothing to check: /, '')
}

const LOOKS: Record<Kind, string> = { email: 'how it is written', domain: 'its name', ip: 'its network' }

function silenceOf({ sources, threat_sources: ofThreats, newest }: Coverage['lists']): string {
  if (newest === null) return 'no list is loaded'
  const threats = ofThreats === 0 || ofThreats === sources ? '' : `${ofThreats} of threats; `
  const words = `${threats}newest ${isoDay(Date.parse(newest))}`
  const silent =
    sources === 1 ? `the only list (${words}) does not name it` : `${sources} lists (${words}) do not name it`
  return ofThreats === 0 ? `${silent}, and no threat list is loaded` : silent
}

/** For an indicator that lists name without accusing it. */
function unaccused({ threat_sources: ofThreats }: Coverage['lists']): string {
  if (ofThreats === 0) return 'No threat list is loaded.'
  return ofThreats === 1 ? 'The only threat list does not name it.' : `None of ${ofThreats} threat lists names it.`
}

function said(known: Known, summary: string) {
  return { known, summary }
}
