import type { Command } from 'commander'
import { iso, isoDay } from '../lib/clock.ts'
import { normaliseHost } from '../lib/domain.ts'
import { formatIp, parseIp } from '../lib/ip.ts'
import { TEACHING_NAMES_MIN } from '../snapshot/listed-names.ts'
import { type OpenSnapshot, openSnapshot } from '../snapshot/read.ts'
import type { Evidence } from '../snapshot/types.ts'
import { type VerbContext, VerbError } from '../verb/context.ts'
import { sizeText, table } from '../verb/output.ts'
import { optional, required, verbsOf } from '../verb/verb.ts'
import { countsText, withFeeds } from './feeds-verbs.ts'
import { openBundled, publishedSnapshots, rollbackSnapshot, snapshotFile } from './publish.ts'
import { compileAndPublish, type FeedDependencies } from './refresh.ts'

export function registerIntelVerbs(program: Command, context: VerbContext): void {
  const intel = program.command('intel').description('the compiled snapshot')
  const add = verbsOf(intel, context, withFeeds)

  add('compile', 'compile all enabled feeds and publish the snapshot to every node', {}).runs(async (deps) => {
    const result = await compileAndPublish(deps)
    return { value: result, text: `Snapshot ${result.info.version} of ${result.feeds} feeds is current.` }
  })

  add('inspect', 'show the contents of a snapshot', {
    version: optional('[version]', 'a version or a file; default the current one'),
  }).runs(async (deps, { version }) => {
    const inspection = intelInspect(await openChosen(deps, version))
    return { value: inspection, text: formatInspection(inspection) }
  })

  add('diff', 'show the differences between two snapshots', {
    from: required('<from>', 'a version or a file'),
    to: optional('[to]', 'a version or a file; default the current one'),
  }).runs(async (deps, { from, to }) => {
    const diff = intelDiff(openNamed(deps.dataDir, from), await openChosen(deps, to))
    return { value: diff, text: formatDiff(diff) }
  })

  add('lookup', 'show everything in the current snapshot about an indicator', {
    indicator: required('<indicator>', 'an email address, a domain or an IP address'),
  }).runs(async (deps, { indicator }) => {
    const found = intelLookup(await openChosen(deps, undefined), indicator)
    return { value: found, text: formatLookup(found) }
  })

  add('rollback', 'go back to the previous snapshot', {}).runs(async (deps) => {
    const change = await intelRollback(deps)
    return { value: change, text: `Back from ${change.from} to ${change.to}.` }
  })
}

/** Until the first snapshot is published, the snapshot of the packages alone is used. */
async function openChosen({ sql, dataDir, clock }: FeedDependencies, version: string | undefined) {
  if (version !== undefined) return openNamed(dataDir, version)
  const [current] = await publishedSnapshots(sql)
  return current ? openNamed(dataDir, current.version) : openBundled(dataDir, clock, () => {})
}

export function intelInspect(snapshot: OpenSnapshot) {
  const { version, builtAtMs, counts, sources } = snapshot.info
  // 0 where the listed names are too few for the name model to learn from.
  const teachingNames = snapshot.listedNames.names
  return { version, builtAtMs, bytes: snapshot.bytes, counts, teachingNames, sources, dropped: snapshot.dropped }
}

export function openNamed(dataDir: string, name: string): OpenSnapshot {
  return openSnapshot(name.includes('/') || name.includes('.') ? name : snapshotFile(dataDir, name))
}

export function intelDiff(a: OpenSnapshot, b: OpenSnapshot) {
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
    // Sources whose rows differ.
    sources: ids
      .map((id) => ({ id, before: before.get(id) ?? 0, after: after.get(id) ?? 0 }))
      .filter((source) => source.before !== source.after),
  }
}

/** Both tables are in ascending key order, so one pass finds the added and the removed keys. */
function diffTables(a: Uint32Array, b: Uint32Array) {
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

export function intelLookup(snapshot: OpenSnapshot, text: string) {
  const indicator = text.trim().toLowerCase()
  const { version } = snapshot.info
  const ip = parseIp(indicator)
  if (ip) {
    const name = formatIp(ip)
    const evidence = snapshot.ip(ip)
    const found = evidence.length > 0 ? [{ name, evidence }] : []
    const network = { asn: snapshot.asn(ip), density: snapshot.density(ip) }
    return { kind: 'ip', indicator: name, version, found, ...network }
  }
  const at = indicator.lastIndexOf('@')
  const host = normaliseHost(indicator.slice(at + 1))
  if (!('name' in host)) throw new VerbError(`${text} is neither an email address, a domain nor an IP address.`)
  // The indicator itself, and the names above it that are listed.
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

export async function intelRollback({ sql, clock }: Pick<FeedDependencies, 'sql' | 'clock'>) {
  const change = await rollbackSnapshot(sql, clock)
  if (change) return change
  const published = await publishedSnapshots(sql)
  if (published.length > 0) throw new VerbError('There is no earlier snapshot to go back to.')
  throw new VerbError('No snapshot has been published; nodes answer from the bundled one.')
}

export function formatInspection(inspection: ReturnType<typeof intelInspect>): string {
  const { version, builtAtMs, bytes, counts, teachingNames, sources, dropped } = inspection
  const left = countsText(Object.fromEntries(Object.entries(dropped).filter(([, count]) => count > 0)))
  return [
    `version  ${version}`,
    `built    ${iso(builtAtMs)}`,
    `size     ${sizeText(bytes)}`,
    `contains ${counts.domains} domains, ${counts.emails} emails, ${counts.ipv4} IPv4 and ${counts.ipv6} IPv6 ranges`,
    teachingNames > 0
      ? `trains   the name model with ${teachingNames} listed names`
      : `trains   nothing: the name model needs at least ${TEACHING_NAMES_MIN} listed names`,
    `left out ${left || 'nothing'}`,
    '',
    table(sources, 'It has no source.', {
      source: (source) => source.id,
      rows: (source) => source.rows,
      'as of': (source) => isoDay(source.asOfMs),
      licence: (source) => source.licence,
    }),
  ].join('\n')
}

export function formatDiff(diff: ReturnType<typeof intelDiff>): string {
  const line = (name: string, { before, after, added, removed }: ReturnType<typeof diffTables>) =>
    `${name.padEnd(8)} ${before} → ${after} (+${added} −${removed})`
  return [
    `${diff.from} → ${diff.to}`,
    line('domains', diff.domains),
    line('emails', diff.emails),
    `IPv4     ${diff.ipv4Ranges.before} → ${diff.ipv4Ranges.after} ranges`,
    `IPv6     ${diff.ipv6Ranges.before} → ${diff.ipv6Ranges.after} ranges`,
    '',
    table(diff.sources, 'No source differs.', {
      source: ({ id }) => id,
      before: ({ before }) => before,
      after: ({ after }) => after,
    }),
  ].join('\n')
}

export function formatLookup({
  kind,
  indicator,
  version,
  found,
  asn,
  density,
}: ReturnType<typeof intelLookup>): string {
  const lines = [`${kind} ${indicator} in ${version}`]
  if (found.length === 0) lines.push('not listed')
  for (const { name, evidence } of found) {
    lines.push(
      '',
      name,
      table(evidence, '', {
        '  source': (item) => `  ${item.source}`,
        tag: (item) => item.tag,
        'first seen': (item) => item.firstSeenMs && isoDay(item.firstSeenMs),
        'last seen': (item) => isoDay(item.lastSeenMs),
        confidence: (item) => item.confidence.toFixed(2),
      }),
    )
  }
  if (asn) {
    const country = asn.country === undefined ? '' : ` (${asn.country})`
    lines.push('', `AS${asn.number} ${asn.name}${country}${asn.evidence.map(({ tag }) => ` [${tag}]`).join('')}`)
  }
  if (density) lines.push(`near ${density.near} listed, ${density.asnPer10k.toFixed(1)} per 10,000 in the AS`)
  return lines.join('\n')
}
