import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { jobLock } from '../jobs/runner.ts'
import { normaliseHost } from '../lib/domain.ts'
import { formatIp, parseIp } from '../lib/ip.ts'
import type { Kind } from '../lib/kinds.ts'
import { textTable } from '../lib/text-table.ts'
import { iso, isoDay } from '../lib/time-text.ts'
import { TEACHING_NAMES_MIN } from '../snapshot/listed-names.ts'
import { type OpenSnapshot, openSnapshot } from '../snapshot/read.ts'
import type { AsnInfo, Density, Evidence, SnapshotSource } from '../snapshot/types.ts'
import { CatalogueInvalid, checkFeed, type Feed, readCatalogue } from './catalogue.ts'
import type { FeedOutcome } from './ingest.ts'
import { type FeedKeys, isOn, missingKey } from './keys.ts'
import { openBundled, publishedSnapshots, rollbackSnapshot, snapshotFile } from './publish.ts'
import { compileAndPublish, FEEDS_JOB, type FeedDependencies, syncFeeds } from './refresh.ts'
import { createFeedStore, type FeedState } from './store.ts'

/** What stands behind `assayd feeds …` and `assayd intel …`: each verb gives data, and a function shows it as text. */

/** Says to the operator what cannot be done and what can. */
export class VerbRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'VerbRefused'
  }
}

/** The folder that files of feeds are read from, remembered with each feed: one that is not there is refused before. */
function folderOf(from: string | undefined): string | undefined {
  if (from === undefined) return undefined
  const folder = resolve(from)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder
  throw new VerbRefused(
    `There is no folder ${folder}. Nothing was changed; say with --from where the files of the feeds are.`,
  )
}

/** Puts the catalogue's entries into the database: new ones are added, known ones updated. */
export async function loadCatalogue(
  { sql, clock }: Pick<FeedDependencies, 'sql' | 'clock'>,
  options: {
    readonly catalogue: string
    readonly from?: string | undefined
    /** Leaves feeds alone that were loaded from a folder: for a verb that only shows. */
    readonly keepLocal?: boolean
  },
): Promise<Feed[]> {
  const feeds = readCatalogue(options.catalogue)
  const baseDir = folderOf(options.from)
  await createFeedStore(sql).save(feeds, baseDir, clock.now(), { keepLocal: options.keepLocal ?? false })
  return feeds
}

export interface SyncOptions {
  readonly catalogue: string
  readonly from?: string | undefined
  /** Take copies that would be held back for having shrunk or grown too much. */
  readonly accept?: boolean | undefined
  /** Only these feeds; all enabled ones of the catalogue otherwise. */
  readonly only?: readonly string[] | undefined
  readonly onOutcome?: ((outcome: FeedOutcome) => void) | undefined
}

export async function feedsSync(dependencies: FeedDependencies, options: SyncOptions): Promise<FeedOutcome[]> {
  const catalogue = await loadCatalogue(dependencies, options)
  const states = await createFeedStore(dependencies.sql).list()
  const wanted = new Set(options.only ?? [])
  for (const id of wanted) {
    if (!states.some((state) => state.feed.id === id)) throw new VerbRefused(`There is no feed ${id}.`)
  }
  const named = new Set(catalogue.map((feed) => feed.id))
  const chosen = states.filter(({ feed, enabled }) =>
    wanted.size > 0 ? wanted.has(feed.id) : isOn({ feed, enabled }, dependencies.keys ?? {}) && named.has(feed.id),
  )
  const outcomes = await dependencies.sql.tryLock(jobLock(FEEDS_JOB), () =>
    syncFeeds(dependencies, chosen, {
      accept: options.accept ?? false,
      ...(options.onOutcome && { onOutcome: options.onOutcome }),
    }),
  )
  if (!outcomes) throw new VerbRefused('A server is refreshing the feeds right now; try again in a few minutes.')
  return outcomes
}

export function feedsList({ sql }: Pick<FeedDependencies, 'sql'>): Promise<FeedState[]> {
  return createFeedStore(sql).list()
}

/** Adds a feed, or changes one, from a catalogue entry. */
export async function feedsAdd(
  { sql, clock }: Pick<FeedDependencies, 'sql' | 'clock'>,
  entry: unknown,
  options: { readonly from?: string | undefined } = {},
): Promise<Feed> {
  const checked = checkFeed(entry)
  if ('problems' in checked) throw new CatalogueInvalid('entry', checked.problems)
  const baseDir = folderOf(options.from)
  await createFeedStore(sql).save([checked.feed], baseDir, clock.now())
  return checked.feed
}

export async function feedsSetEnabled(
  { sql, clock }: Pick<FeedDependencies, 'sql' | 'clock'>,
  id: string,
  enabled: boolean,
): Promise<FeedState> {
  const store = createFeedStore(sql)
  await store.setEnabled(id, enabled, clock.now())
  const state = await store.find(id)
  if (!state) throw new VerbRefused(`There is no feed ${id}; see assayd feeds list.`)
  return state
}

export const intelCompile = compileAndPublish

export interface Inspection {
  readonly version: string
  readonly builtAtMs: number
  readonly bytes: number
  readonly counts: OpenSnapshot['info']['counts']
  /** Listed names that the model of names learns from; 0 where they are too few. */
  readonly teachingNames: number
  readonly sources: readonly SnapshotSource[]
  readonly dropped: Readonly<Record<string, number>>
}

export function intelInspect(snapshot: OpenSnapshot): Inspection {
  const { version, builtAtMs, counts, sources } = snapshot.info
  const teachingNames = snapshot.listedNames.names
  return { version, builtAtMs, bytes: snapshot.bytes, counts, teachingNames, sources, dropped: snapshot.dropped }
}

/** Opens a published snapshot by version, or any file by its path. */
export function openNamed(dataDir: string, name: string): OpenSnapshot {
  return openSnapshot(name.includes('/') || name.includes('.') ? name : snapshotFile(dataDir, name))
}

/** The snapshot of the packages alone, which answers until the first is published. */
export function openBundledSnapshot({ dataDir, clock }: Pick<FeedDependencies, 'dataDir' | 'clock'>): OpenSnapshot {
  return openBundled(dataDir, clock, () => {})
}

export interface SnapshotDiff {
  readonly from: string
  readonly to: string
  readonly domains: TableDiff
  readonly emails: TableDiff
  readonly ipv4Ranges: { readonly before: number; readonly after: number }
  readonly ipv6Ranges: { readonly before: number; readonly after: number }
  /** Sources whose rows differ. */
  readonly sources: readonly { readonly id: string; readonly before: number; readonly after: number }[]
}

export interface TableDiff {
  readonly before: number
  readonly after: number
  readonly added: number
  readonly removed: number
}

export function intelDiff(a: OpenSnapshot, b: OpenSnapshot): SnapshotDiff {
  const rows = (snapshot: OpenSnapshot) => new Map(snapshot.info.sources.map(({ id, rows: count }) => [id, count]))
  const before = rows(a)
  const after = rows(b)
  const ids = [...new Set([...before.keys(), ...after.keys()])].sort()
  return {
    from: a.info.version,
    to: b.info.version,
    domains: diffTables(a.slots('domain'), b.slots('domain')),
    emails: diffTables(a.slots('email'), b.slots('email')),
    ipv4Ranges: { before: a.info.counts.ipv4, after: b.info.counts.ipv4 },
    ipv6Ranges: { before: a.info.counts.ipv6, after: b.info.counts.ipv6 },
    sources: ids
      .map((id) => ({ id, before: before.get(id) ?? 0, after: after.get(id) ?? 0 }))
      .filter((source) => source.before !== source.after),
  }
}

/** Both tables are in ascending order of key, so one walk tells what came and what went. */
function diffTables(a: Uint32Array, b: Uint32Array): TableDiff {
  const counts = { before: 0, after: 0, added: 0, removed: 0 }
  const next = (slots: Uint32Array, from: number) => {
    let at = from
    while (at < slots.length && slots[at + 2] === 0) at += 3
    return at
  }
  let i = next(a, 0)
  let j = next(b, 0)
  while (i < a.length || j < b.length) {
    const order = i >= a.length ? 1 : j >= b.length ? -1 : a[i]! - b[j]! || a[i + 1]! - b[j + 1]!
    if (order < 0) counts.removed++
    if (order > 0) counts.added++
    if (order <= 0) {
      counts.before++
      i = next(a, i + 3)
    }
    if (order >= 0) {
      counts.after++
      j = next(b, j + 3)
    }
  }
  return counts
}

export interface LookupResult {
  readonly kind: Kind
  readonly indicator: string
  readonly version: string
  /** The indicator itself, and the names above it that are listed. */
  readonly found: readonly { readonly name: string; readonly evidence: readonly Evidence[] }[]
  readonly asn: AsnInfo | undefined
  readonly density: Density | undefined
}

export function intelLookup(snapshot: OpenSnapshot, text: string): LookupResult {
  const indicator = text.trim().toLowerCase()
  const { version } = snapshot.info
  const ip = parseIp(indicator)
  if (ip) {
    const name = formatIp(ip)
    const evidence = snapshot.ip(ip)
    const found = evidence.length > 0 ? [{ name, evidence }] : []
    return { kind: 'ip', indicator: name, version, found, asn: snapshot.asn(ip), density: snapshot.density(ip) }
  }
  const at = indicator.lastIndexOf('@')
  const host = normaliseHost(indicator.slice(at + 1))
  if (!('name' in host)) {
    throw new VerbRefused(`${text} is neither an email address, a domain nor an IP address.`)
  }
  const found: { name: string; evidence: readonly Evidence[] }[] = []
  const address = at < 0 ? undefined : `${indicator.slice(0, at)}@${host.name}`
  if (address !== undefined) found.push({ name: address, evidence: snapshot.email(address) })
  for (let name = host.name; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    found.push({ name, evidence: snapshot.domain(name) })
  }
  return {
    kind: address === undefined ? 'domain' : 'email',
    indicator: address ?? host.name,
    version,
    found: found.filter(({ evidence }) => evidence.length > 0),
    asn: undefined,
    density: undefined,
  }
}

export async function intelRollback({ sql, clock }: Pick<FeedDependencies, 'sql' | 'clock'>): Promise<{
  from: string
  to: string
}> {
  const change = await rollbackSnapshot(sql, clock)
  if (change) return change
  const published = await publishedSnapshots(sql)
  throw new VerbRefused(
    published.length === 0
      ? 'No snapshot has been published; nodes answer from the bundled one.'
      : 'There is no earlier snapshot to go back to.',
  )
}

// Text for the operator's terminal.

/** `off: needs …` where only the key is missing. */
function switchText(state: FeedState, keys: FeedKeys): string {
  if (isOn(state, keys)) return 'on'
  return state.enabled ? `off: needs ${missingKey(state.feed, keys)}` : 'off'
}

export function formatFeeds(states: readonly FeedState[], keys: FeedKeys = {}): string {
  return textTable(
    ['feed', 'on', 'tags', 'licence', 'commercial', 'every', 'name', 'note'],
    states.map((state) => {
      const { feed } = state
      return [
        feed.id,
        switchText(state, keys),
        feed.tags.join(','),
        feed.licence,
        feed.commercial_use ? 'yes' : 'no',
        `${feed.refresh_hours} h`,
        feed.name,
        feed.note ?? '',
      ]
    }),
  )
}

export function formatStatus(states: readonly FeedState[], nowMs: number, keys: FeedKeys = {}): string {
  return textTable(
    ['feed', 'on', 'rows', 'age', 'next', 'junk', 'trouble'],
    states.map((state) => [
      state.feed.id,
      switchText(state, keys),
      state.rows === undefined ? '-' : String(state.rows),
      state.fetchedAtMs === undefined ? 'never' : duration(nowMs - state.fetchedAtMs),
      isOn(state, keys) ? duration(state.nextDueAtMs - nowMs) : '-',
      String(Object.values(state.junk).reduce((sum, count) => sum + count, 0)),
      state.held
        ? `held back: ${state.held.rows} rows after ${state.held.previous_rows}; take it with feeds sync --accept`
        : (state.lastError ?? ''),
    ]),
  )
}

export function formatOutcomes(outcomes: readonly FeedOutcome[]): string {
  return textTable(
    ['feed', 'outcome', 'rows', 'junk', ''],
    outcomes.map(({ id, status, rows, junk, detail }) => [
      id,
      status,
      rows === undefined ? '-' : String(rows),
      Object.entries(junk)
        .map(([reason, count]) => `${reason} ${count}`)
        .join(', '),
      detail ?? '',
    ]),
  )
}

export function formatInspection(inspection: Inspection): string {
  const { version, builtAtMs, bytes, counts, teachingNames, sources, dropped } = inspection
  const left = Object.entries(dropped)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(', ')
  return [
    `version  ${version}`,
    `built    ${iso(builtAtMs)}`,
    `size     ${(bytes / 1e6).toFixed(1)} MB`,
    `holds    ${counts.domains} domains, ${counts.emails} emails, ${counts.ipv4} IPv4 and ${counts.ipv6} IPv6 ranges`,
    teachingNames > 0
      ? `teaches  the model of names by ${teachingNames} listed names`
      : `teaches  nothing: the model of names learns from ${TEACHING_NAMES_MIN} listed names or more`,
    `left out ${left === '' ? 'nothing' : left}`,
    '',
    textTable(
      ['source', 'rows', 'as of', 'licence'],
      sources.map((source) => [source.id, String(source.rows), isoDay(source.asOfMs), source.licence]),
    ),
  ].join('\n')
}

export function formatDiff(diff: SnapshotDiff): string {
  const line = (name: string, { before, after, added, removed }: TableDiff) =>
    `${name.padEnd(8)} ${before} → ${after} (+${added} −${removed})`
  return [
    `${diff.from} → ${diff.to}`,
    line('domains', diff.domains),
    line('emails', diff.emails),
    `IPv4     ${diff.ipv4Ranges.before} → ${diff.ipv4Ranges.after} ranges`,
    `IPv6     ${diff.ipv6Ranges.before} → ${diff.ipv6Ranges.after} ranges`,
    '',
    textTable(
      ['source', 'before', 'after'],
      diff.sources.map(({ id, before, after }) => [id, String(before), String(after)]),
    ),
  ].join('\n')
}

export function formatLookup({ kind, indicator, version, found, asn, density }: LookupResult): string {
  const lines = [`${kind} ${indicator} in ${version}`]
  if (found.length === 0) lines.push('not listed')
  for (const { name, evidence } of found) {
    lines.push(
      '',
      name,
      textTable(
        ['  source', 'tag', 'first seen', 'last seen', 'confidence'],
        evidence.map((item) => [
          `  ${item.source}`,
          item.tag,
          item.firstSeenMs === undefined ? '-' : isoDay(item.firstSeenMs),
          isoDay(item.lastSeenMs),
          item.confidence.toFixed(2),
        ]),
      ),
    )
  }
  if (asn)
    lines.push(
      '',
      `AS${asn.number} ${asn.name}${asn.country === undefined ? '' : ` (${asn.country})`}${asn.evidence.map(({ tag }) => ` [${tag}]`).join('')}`,
    )
  if (density) lines.push(`near ${density.near} listed, ${density.asnPer10k.toFixed(1)} per 10,000 in the AS`)
  return lines.join('\n')
}

function duration(ms: number): string {
  if (ms <= 0) return 'now'
  const minutes = Math.round(ms / 60_000)
  if (minutes < 120) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 72 ? `${hours} h` : `${Math.round(hours / 24)} d`
}
