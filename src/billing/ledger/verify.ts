/**
 * Verifies the ledger and the audit log: for every organisation the entries are numbered without a gap, every hash
 * follows from the one before, the anchors match the entries; every running balance follows from the one before, every
 * charge obeys the pricing rules, the last balance is the account's, and stored usage is the sum of its entries. Works while the server runs: anchors are read
 * first, then an account, and then only the entries up to the number it names.
 *
 * Archived charges are not read: the walk of a chain begins with the last archived entry (verify-archives.ts).
 *
 * With `sinceAnchor`, organisations that have not changed since that anchor are skipped, and the chains of the others
 * are walked from their last anchored entry on. Earlier entries and stored usage are not read.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { operatorIn } from '../../access/actor.ts'
import { changeIn, type SqlQueries } from '../../db/sql.ts'
import { conflict } from '../../errors.ts'
import { audit } from '../../identity/audit.ts'
import { hashedAuditFields, hashOlderAudit, readAuditChain } from '../../identity/audit-chain.ts'
import { ErasedEntries } from '../../identity/audit-erase.ts'
import type { Job } from '../../jobs/runner.ts'
import { listRuns } from '../../jobs/runs.ts'
import { HOUR_MS } from '../../lib/clock.ts'
import { usageProblem } from '../usage/usage.ts'
import { readEntries } from './accounts.ts'
import {
  type Anchor,
  type AnchorDependencies,
  type AnchorHead,
  chainHolders,
  hashOfHead,
  isAt,
  lastAnchor,
  positionOf,
  readAnchors,
  readHeads,
  readHeadsOf,
  readLastHeads,
} from './anchors.ts'
import { appendRestore, lastNumberOf, readAnchorsFile } from './anchors-file.ts'
import { archivedSeq } from './archives.ts'
import { type Anchored, type ChainEntry, type ChainHead, ChainWalk } from './chain-walk.ts'
import { type Account, type Entry, hashedFields } from './ledger.ts'
import { type Difference, type VerifyOptions, verifyAnchors } from './verify-anchors.ts'
import { archivedProblem, verifyArchives } from './verify-archives.ts'

/** About 15 ms of work: a job shares its thread with requests. */
const ENTRIES_PER_PAGE = 500
/** Only one difference per chain is reported; a longer list helps nobody. */
const DIFFERENCES_MAX = 100

export type LedgerReport = {
  /** The number of anchors whose signature was not verified because the secret is missing. */
  readonly uncheckedSignatures: number
} & (
  | {
      readonly clean: true
      readonly accounts: number
      readonly entries: number
      readonly auditEntries: number
      readonly anchors: number
      /** When the last anchor was made: older entries cannot have been rewritten. */
      readonly anchoredAtMs: number | null
      /** The number of archives, and the entries in them. */
      readonly archives: number
      readonly archivedEntries: number
    }
  | { readonly clean: false; readonly difference: Difference; readonly more: readonly Difference[] }
)

export async function verifyLedger(sql: SqlQueries, options: VerifyOptions = {}): Promise<LedgerReport> {
  const { sinceAnchor = 0, signal } = options
  const { anchors, differences } = await verifyAnchors(sql, options)
  const archived = await verifyArchives(sql, options)
  differences.push(...archived.differences)
  for (const log of LOGS) {
    const stray = await findStrayEntry(sql, log)
    if (stray) differences.push(stray)
  }
  const strays = new Set(differences.map(({ part, organisationId }) => `${part} ${organisationId}`))
  const open = await sql.query<{ id: string }>(
    'select id from erasure where done_at is null and cancelled_at is null and due_at > 0',
  )
  const underWay = new Set(open.map(({ id }) => id))
  const counted = { accounts: 0, entries: 0, auditEntries: 0 }
  for await (const organisationIds of chainHolders(sql)) {
    const { accounts, audits } = await readHeads(sql, organisationIds)
    const anchored = sinceAnchor > 0 ? await readLastHeads(sql, organisationIds, sinceAnchor) : undefined
    await nextTurn(undefined, { signal })
    for (const organisationId of organisationIds) {
      if (differences.length >= DIFFERENCES_MAX) break
      const account = accounts.get(organisationId)
      const now = positionOf(account, audits.get(organisationId))
      const before = anchored?.get(organisationId)
      if (before && isAt(before, now)) continue
      const isPart = before !== undefined && before.hash === hashOfHead(before)
      for (let inArchives = await archivedSeq(sql, organisationId); ; ) {
        const chain = { sql, organisationId, isPart, archivedSeq: inArchives, signal }
        const heads = await anchoredHeads(chain, anchors, before?.number ?? 0)
        const ofLedger = await verifyAccount(chain, account, anchoredIn(heads, 'Ledger'))
        const found = [
          // Usage is derived from the entries: where they are wrong, it says nothing more.
          ofLedger ?? (sinceAnchor > 0 ? undefined : await verifyUsage(sql, organisationId)),
          await verifyAudit(chain, { seq: now.auditSeq, hash: now.auditHash }, anchoredIn(heads, 'Audit'), underWay),
        ].filter((one) => one !== undefined)
        // Entries that were archived meanwhile look as if they were missing.
        const nowInArchives = found.length > 0 ? await archivedSeq(sql, organisationId) : inArchives
        if (nowInArchives === inArchives) {
          differences.push(...found.filter(({ part }) => !strays.has(`${part} ${organisationId}`)))
          break
        }
        inArchives = nowInArchives
      }
      counted.accounts += account ? 1 : 0
      counted.entries += now.ledgerSeq - (before?.ledgerSeq ?? 0)
      counted.auditEntries += now.auditSeq - (before?.auditSeq ?? 0)
    }
  }
  const [difference, ...more] = differences
  const uncheckedSignatures = options.ring ? 0 : anchors.size
  if (difference) return { clean: false, difference, more, uncheckedSignatures }
  return {
    clean: true,
    uncheckedSignatures,
    ...counted,
    anchors: anchors.size,
    anchoredAtMs: [...anchors.values()].at(-1)?.madeAtMs ?? null,
    archives: archived.archives.length,
    archivedEntries: archived.archives.reduce((sum, archive) => sum + archive.entries, 0),
  }
}

/**
 * Verifies the entries since the last anchor but one. After each day's anchor this covers the whole day, so that every
 * entry is verified once.
 */
export async function verifyRecent(sql: SqlQueries, options: VerifyOptions = {}): Promise<LedgerReport> {
  const last = await lastAnchor(sql)
  return verifyLedger(sql, { ...options, sinceAnchor: (last?.number ?? 0) - 1 })
}

/** Once a day, when the day's anchor was made. A difference is reported every hour until it is gone. */
export function createVerifyJob(deps: Pick<AnchorDependencies, 'sql' | 'ring'> & { anchorsFile: string }): Job {
  return {
    name: NAME,
    periodMs: HOUR_MS,
    async run(signal) {
      const last = await lastAnchor(deps.sql)
      const before = (await listRuns(deps.sql)).find(({ name }) => name === NAME)
      if (!last || (before?.succeeded_at ?? 0) > last.madeAtMs) return
      const report = await verifyRecent(deps.sql, { ...deps, signal })
      if (report.clean) return
      const { part, organisationId, seq, problem } = report.difference
      const where = [part, organisationId, seq].filter((one) => one !== undefined && one !== '').join(' ')
      throw new Error(`The ledger does not add up: ${where}: ${problem}. Run: assayd ledger verify`)
    },
  }
}

const NAME = 'ledger'

/** The chains of one organisation. `isPart`: to be walked from its first anchored entry on. */
interface ChainPlace {
  readonly sql: SqlQueries
  readonly organisationId: string
  readonly isPart: boolean
  readonly archivedSeq: number
  readonly signal: AbortSignal | undefined
}

type NamedHead = AnchorHead & { readonly madeAtMs: number }

/**
 * An organisation's heads from an anchor on, which may be older than the verified ones; an altered row proves nothing,
 * and is reported with its anchor.
 */
async function anchoredHeads(
  { sql, organisationId }: ChainPlace,
  anchors: ReadonlyMap<number, Anchor>,
  fromNumber: number,
): Promise<NamedHead[]> {
  if (anchors.size === 0) return []
  const heads = await readHeadsOf(sql, organisationId, fromNumber)
  const [first] = anchors.has(fromNumber) || fromNumber === 0 ? [] : await readAnchors(sql, fromNumber - 1, 1)
  return heads.flatMap((head) => {
    const anchor = anchors.get(head.number) ?? (first?.number === head.number ? first : undefined)
    return anchor && head.hash === hashOfHead(head) ? [{ ...head, madeAtMs: anchor.madeAtMs }] : []
  })
}

/** One of the two chains in the anchors. The first anchor of an organisation also counts its entries without a hash. */
function anchoredIn(heads: readonly NamedHead[], chain: 'Ledger' | 'Audit'): Anchored {
  const [seq, hash] = chain === 'Ledger' ? (['ledgerSeq', 'ledgerHash'] as const) : (['auditSeq', 'auditHash'] as const)
  const [older] = heads.flatMap(
    ({ [`older${chain}Count` as const]: count, [`older${chain}Hash` as const]: olderHash }) =>
      count !== null && olderHash !== null ? [{ count, hash: olderHash }] : [],
  )
  return { heads: heads.map((head) => ({ ...head, seq: head[seq], hash: head[hash] })), older }
}

/** Each log, and the table and column that hold its last number for every organisation. */
const LOGS = [
  {
    part: 'ledger',
    table: 'ledger_entry',
    heads: 'billing_account',
    headSeq: 'entry_seq',
    stray: 'the entry is counted by no account',
  },
  {
    part: 'audit',
    table: 'audit_entry',
    heads: 'audit_chain',
    headSeq: 'seq',
    stray: 'the entry is counted by no head: it was added manually, or the head was changed',
  },
] as const

/**
 * Finds an entry beyond the head. Each statement reads heads and entries at one moment, so a charge in between does not
 * matter; it reads one index position per organisation, so a long ledger does not matter either.
 */
async function findStrayEntry(sql: SqlQueries, { part, table, heads, headSeq, stray }: (typeof LOGS)[number]) {
  const beyond = await sql.query<{ organisation_id: string; seq: number }>(
    `select organisation_id, ${headSeq} as seq from ${heads} a
     where (select max(e.seq) from ${table} e where e.organisation_id = a.organisation_id) > a.${headSeq}
     order by organisation_id limit 1`,
  )
  const orphaned = await sql.query<{ organisation_id: string; seq: number }>(
    `with recursive holder (id) as (
       select min(organisation_id) from ${table}
       union all
       select (select min(e.organisation_id) from ${table} e where e.organisation_id > holder.id)
       from holder where holder.id is not null
     )
     select id as organisation_id, 0 as seq from holder
     where id is not null and not exists (select 1 from ${heads} a where a.organisation_id = holder.id) limit 1`,
  )
  const first = beyond[0] ?? orphaned[0]
  if (!first) return undefined
  const { organisation_id: organisationId, seq: afterSeq } = first
  const [entry] = await sql.query<{ id: string; seq: number | null }>(
    `select id, seq from ${table} where organisation_id = $1 and (seq > $2 or seq is null) order by seq limit 1`,
    [organisationId, afterSeq],
  )
  return { part, organisationId, seq: entry?.seq ?? undefined, entryId: entry?.id, problem: stray }
}

/** Walks the entries of one chain up to its head, page by page; returns the first mismatch. */
async function verifyChain<E extends { readonly id: string }>(
  part: 'ledger' | 'audit',
  { organisationId, isPart, archivedSeq, signal }: ChainPlace,
  head: ChainHead,
  anchored: Anchored,
  read: (page: { organisationId: string; afterSeq: number; limit: number }) => Promise<E[]>,
  linkOf: (entry: E) => ChainEntry,
  more: {
    readonly start?: (entry: E) => void
    readonly entry?: (entry: E) => string | undefined
    readonly end?: () => string | undefined
  } = {},
): Promise<Difference | undefined> {
  // Begin with the anchored entry itself: the hash of the one before it is proved by the anchored hash.
  const beforeSeq = Math.max(part === 'ledger' ? archivedSeq : 0, isPart ? (anchored.heads[0]?.seq ?? 0) - 1 : 0)
  const [before] = beforeSeq === 0 ? [] : await read({ organisationId, afterSeq: beforeSeq - 1, limit: 1 })
  if (before) more.start?.(before)
  const walk = new ChainWalk(anchored, before && { seq: beforeSeq, hash: linkOf(before).hash })
  const told = (problem: string | undefined, seq?: number, entryId?: string): Difference | undefined =>
    problem === undefined ? undefined : { part, organisationId, seq, entryId, problem }
  const startsAt = anchored.heads.find(({ seq }) => seq === beforeSeq)
  if (before && startsAt && startsAt.hash !== linkOf(before).hash) {
    return told(`it differs from anchor ${startsAt.number}: it was rewritten`, beforeSeq, before.id)
  }
  while (walk.seq < head.seq) {
    const limit = Math.min(ENTRIES_PER_PAGE, head.seq - walk.seq)
    const page = await read({ organisationId, afterSeq: walk.seq, limit })
    await nextTurn(undefined, { signal })
    for (const entry of page) {
      const link = linkOf(entry)
      if (link.seq > head.seq) break
      const difference = told(walk.step(link) ?? more.entry?.(entry), link.seq, entry.id)
      if (difference) return difference
    }
    const counting = part === 'audit' ? 'head' : 'account'
    if (page.length < limit) return told(`${walk.cutOff(head)}: the ${counting} counts ${head.seq}`, walk.seq + 1)
  }
  return told(walk.end(head) ?? more.end?.())
}

async function verifyAudit(
  chain: ChainPlace,
  head: ChainHead,
  { heads, older: anchored }: Anchored,
  underWay: ReadonlySet<string>,
): Promise<Difference | undefined> {
  const { sql, organisationId } = chain
  const erased = new ErasedEntries()
  if (!chain.isPart) {
    const older = await hashOlderAudit(sql, organisationId, { see: (entry) => erased.see(entry) })
    const isAnchored = !anchored || older.hash === anchored.hash
    const problem = isAnchored ? undefined : olderAuditProblem(older.count, anchored.count)
    if (problem) return { part: 'audit', organisationId, seq: undefined, problem }
  }
  // Entries older than the hash chain have no number either: they were checked above.
  return verifyChain(
    'audit',
    chain,
    head,
    { heads, older: undefined },
    (page) => readAuditChain(sql, page),
    (entry) => ({
      seq: entry.seq ?? 0,
      hash: entry.hash ?? '',
      fieldsAt: (seq) => hashedAuditFields(entry, seq),
      erased: entry.erased_by !== null,
    }),
    { entry: (entry) => erased.see(entry), end: () => erased.problem(underWay, chain.isPart) },
  )
}

function olderAuditProblem(found: number, anchored: number): string {
  const about = 'of the entries older than the hashes'
  if (found < anchored) return `${anchored - found} ${about} are missing`
  if (found > anchored) return `${found - anchored} entries without a hash were added manually`
  return `one ${about} was changed after they were anchored`
}

async function verifyUsage(sql: SqlQueries, organisationId: string): Promise<Difference | undefined> {
  const problem = await usageProblem(sql, organisationId)
  return problem === undefined ? undefined : { part: 'usage', organisationId, seq: undefined, problem }
}

export type Running = Record<'included' | 'prepaid' | 'overage' | 'includedUsed' | 'freeUnitsUsed', number> & {
  period: string
}

async function verifyAccount(chain: ChainPlace, account: Account | undefined, anchored: Anchored) {
  const { sql, organisationId, isPart } = chain
  const archived = isPart ? undefined : await archivedProblem(sql, organisationId)
  if (archived) return { part: 'ledger' as const, organisationId, ...archived }
  const running = noBalances()
  return verifyChain(
    'ledger',
    chain,
    { seq: account?.entrySeq ?? 0, hash: account?.entryHash ?? null },
    isPart || chain.archivedSeq > 0 ? { ...anchored, older: undefined } : anchored,
    (page) => readEntries(sql, page),
    (entry) => ({ ...entry, fieldsAt: (seq) => hashedFields(seq === entry.seq ? entry : { ...entry, seq }) }),
    {
      start: (entry) => Object.assign(running, balancesAfter(entry)),
      entry: (entry) => entryProblem(running, entry),
      end: () => account && accountProblem(running, account),
    },
  )
}

export function noBalances(): Running {
  return { included: 0, prepaid: 0, overage: 0, includedUsed: 0, freeUnitsUsed: 0, period: '' }
}

/** The use of the month is the sum of its entries, so it is unknown in the middle of a month. */
export function balancesAfter(entry: Entry): Running {
  return {
    included: entry.includedAfterPence,
    prepaid: entry.prepaidAfterPence,
    overage: entry.overageAfterPence,
    includedUsed: Number.NaN,
    freeUnitsUsed: Number.NaN,
    period: entry.period,
  }
}

/** Checks one entry against the previous balances, and advances them. */
export function entryProblem(running: Running, entry: Entry): string | undefined {
  if (entry.period < running.period) return `the period ${entry.period} comes after ${running.period}`
  if (entry.period !== running.period) {
    running.period = entry.period
    running.includedUsed = 0
    running.freeUnitsUsed = 0
  }
  running.included += entry.includedDeltaPence
  running.prepaid += entry.prepaidDeltaPence
  running.overage += entry.overageDeltaPence
  running.freeUnitsUsed += entry.freeUnits
  if (entry.kind === 'charge' || entry.kind === 'refund') running.includedUsed -= entry.includedDeltaPence
  return (
    balanceProblem('included credit', running.included, entry.includedAfterPence) ??
    balanceProblem('prepaid credit', running.prepaid, entry.prepaidAfterPence) ??
    balanceProblem('overage', running.overage, entry.overageAfterPence) ??
    kindProblem(entry)
  )
}

function balanceProblem(name: string, expected: number, found: number): string | undefined {
  if (expected !== found) return `the ${name} after the entry is ${found}, but the entries add up to ${expected}`
  if (found < 0) return `the ${name} is negative: ${found}`
  return undefined
}

/** The signs that the movements of included credit, prepaid credit and overage may have, by the kind of the entry. */
const MOVES: Record<Entry['kind'], readonly [signs: string, problem: string]> = {
  charge: ['≤≤≥', 'a charge moved money the wrong way'],
  refund: ['≥≥≤', 'a refund moved money the wrong way'],
  grant: ['>==', 'a grant adds included credit and nothing else'],
  expire: ['<==', 'an expiry takes included credit and nothing else'],
  credit: ['=>=', 'a credit adds prepaid credit and nothing else'],
  settle: ['==≠', 'a settlement, or taking one back, moves overage and nothing else'],
  reversal: ['=≤≥', 'a returned payment takes prepaid credit or adds overage, and nothing else'],
  plan: ['*==', 'a change of plan moves included credit only'],
}
const SIGNS: Record<string, number[]> = {
  '<': [-1],
  '=': [0],
  '>': [1],
  '≤': [-1, 0],
  '≥': [0, 1],
  '≠': [-1, 1],
  '*': [-1, 0, 1],
}

function kindProblem(entry: Entry): string | undefined {
  const moved = [entry.includedDeltaPence, entry.prepaidDeltaPence, entry.overageDeltaPence]
  if (entry.kind === 'charge' && (entry.family === null || entry.units < 1)) {
    return 'a charge names its family and at least one unit'
  }
  if (entry.kind === 'charge' && entry.freeUnits !== 0) {
    if (entry.freeUnits !== entry.units) return `${entry.freeUnits} of ${entry.units} units are free, not all or none`
    return moved.some((pence) => pence !== 0) ? 'a free request moved money' : undefined
  }
  const [signs, problem] = MOVES[entry.kind]
  const fits = moved.every((pence, i) => SIGNS[signs[i]!]!.includes(Math.sign(pence)))
  if (!fits || (entry.kind === 'refund' && entry.freeUnits > 0)) return problem
  if (entry.kind === 'expire' && entry.includedAfterPence !== 0) return 'an expiry left included credit behind'
  return entry.kind === 'charge' ? chargeProblem(entry) : undefined
}

function chargeProblem(entry: Entry): string | undefined {
  const { includedDeltaPence: included, prepaidDeltaPence: prepaid, overageDeltaPence: overage } = entry
  const total = entry.unitPricePence * entry.units
  if (overage - included - prepaid !== total) return `the parts add up to ${overage - included - prepaid}, not ${total}`
  if (prepaid < 0 && entry.includedAfterPence > 0) return 'prepaid credit was used before included credit'
  const creditLeft = entry.includedAfterPence + entry.prepaidAfterPence
  return overage > 0 && creditLeft > 0 ? `overage was owed while ${creditLeft} of credit was left` : undefined
}

function accountProblem(running: Running, account: Account): string | undefined {
  // A month may begin without an entry (a plan with no included credit): then none of it is used yet.
  const samePeriod = running.period === account.period
  const expected: [string, number, number][] = [
    ['included_pence', account.includedPence, running.included],
    ['prepaid_pence', account.prepaidPence, running.prepaid],
    ['overage_pence', account.overagePence, running.overage],
    ['included_used_pence', account.includedUsedPence, samePeriod ? running.includedUsed : 0],
    ['free_units_used', account.freeUnitsUsed, samePeriod ? running.freeUnitsUsed : 0],
  ]
  for (const [column, found, sum] of expected) {
    if (found !== sum && !Number.isNaN(sum)) return `the account's ${column} is ${found}, its entries add up to ${sum}`
  }
  return running.period > account.period ? `the account is behind its entries: ${account.period}` : undefined
}

/**
 * The operator confirms that the database was restored from a backup: from then on it is compared with anchors.log
 * again. With any other difference, returns the report and writes nothing.
 */
export async function acceptRestore(deps: AnchorDependencies & { anchorsFile: string }): Promise<LedgerReport> {
  const { sql, clock, anchorsFile } = deps
  const report = await verifyLedger(sql, deps)
  if (report.clean) throw conflict('The database matches anchors.log: there is no restore to accept.')
  if ([report.difference, ...report.more].some(({ part }) => part !== 'restore')) return report
  const last = await lastAnchor(sql)
  const detail = { anchor: last?.number ?? 0, known: lastNumberOf(readAnchorsFile(anchorsFile)) }
  await changeIn(sql, clock, (tx) => audit(tx, operatorIn(''), 'ledger.restore', null, detail))
  appendRestore(anchorsFile, last, clock.now())
  return verifyLedger(sql, deps)
}
