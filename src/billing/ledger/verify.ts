/**
 * Verifies the ledger and the audit log: for every organisation the entries are numbered without a gap, every hash
 * follows from the one before, the anchors match the entries; every running balance follows from the one before, every
 * charge obeys the pricing rules, and the last balance is the account's. Works while the server runs: anchors are read
 * first, then an account, and then only the entries up to the number it names.
 */
import type { SqlQueries } from '../../db/sql.ts'
import { auditHeads, hashedAuditFields, hashOlderAudit, readAuditChain } from '../../identity/audit-chain.ts'
import { accountsById, accounts as accountTable, readEntries } from './accounts.ts'
import { type Anchor, type AnchorHead, chainHolders, hashOfHead, pageOf, readHeadsOf, WITHIN_PAGE } from './anchors.ts'
import { type Anchored, type ChainHead, ChainWalk } from './chain-walk.ts'
import type { Difference } from './difference.ts'
import { type Account, type Entry, hashedFields } from './ledger.ts'
import { type VerifyOptions, verifyAnchors } from './verify-anchors.ts'

const ENTRIES_PER_PAGE = 2000
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
    }
  | { readonly clean: false; readonly difference: Difference; readonly more: readonly Difference[] }
)

export async function verifyLedger(sql: SqlQueries, options: VerifyOptions = {}): Promise<LedgerReport> {
  const { anchors, differences } = await verifyAnchors(sql, options)
  for (const log of [LEDGER, AUDIT]) {
    const stray = await findStrayEntry(sql, log)
    if (stray) differences.push(stray)
  }
  const strays = new Set(differences.map(({ part, organisationId }) => `${part} ${organisationId}`))
  const counted = { accounts: 0, entries: 0, auditEntries: 0 }
  for await (const organisationIds of chainHolders(sql)) {
    const { accounts, audits } = await readHeads(sql, organisationIds)
    for (const organisationId of organisationIds) {
      if (differences.length >= DIFFERENCES_MAX) break
      const account = accounts.get(organisationId)
      const auditHead = audits.get(organisationId) ?? NO_HEAD
      const heads = await anchoredHeads(sql, organisationId, anchors)
      for (const difference of [
        await verifyAccount(sql, organisationId, account, anchoredLedger(heads)),
        await verifyAudit(sql, organisationId, auditHead, anchoredAudit(heads)),
      ]) {
        if (difference && !strays.has(`${difference.part} ${organisationId}`)) differences.push(difference)
      }
      counted.accounts += account ? 1 : 0
      counted.entries += account?.entrySeq ?? 0
      counted.auditEntries += auditHead.seq
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
  }
}

const NO_HEAD: ChainHead = { seq: 0, hash: null }

async function readHeads(sql: SqlQueries, organisationIds: readonly string[]) {
  const page = pageOf(organisationIds)
  const [accounts, audits] = await Promise.all([
    sql.query(`select ${accountTable.columns()} from billing_account where ${WITHIN_PAGE}`, page),
    sql.query(`select ${auditHeads.columns()} from audit_chain where ${WITHIN_PAGE}`, page),
  ])
  const heads = audits.map(auditHeads.fromRow)
  return { accounts: accountsById(accounts), audits: new Map(heads.map((head) => [head.organisation_id, head])) }
}

type NamedHead = AnchorHead & { readonly madeAtMs: number }

/** An organisation's heads in the anchors; an altered row proves nothing, and is reported with its anchor. */
async function anchoredHeads(
  sql: SqlQueries,
  organisationId: string,
  anchors: ReadonlyMap<number, Anchor>,
): Promise<NamedHead[]> {
  if (anchors.size === 0) return []
  const heads = await readHeadsOf(sql, organisationId)
  return heads.flatMap((head) => {
    const anchor = anchors.get(head.number)
    return anchor && head.hash === hashOfHead(head) ? [{ ...head, madeAtMs: anchor.madeAtMs }] : []
  })
}

function anchoredLedger(heads: readonly NamedHead[]): Anchored {
  return {
    heads: heads.map((head) => ({ ...head, seq: head.ledgerSeq, hash: head.ledgerHash })),
    older: olderOf(heads, ({ olderLedgerCount: count, olderLedgerHash: hash }) => ({ count, hash })),
  }
}

function anchoredAudit(heads: readonly NamedHead[]): Anchored {
  return {
    heads: heads.map((head) => ({ ...head, seq: head.auditSeq, hash: head.auditHash })),
    older: olderOf(heads, ({ olderAuditCount: count, olderAuditHash: hash }) => ({ count, hash })),
  }
}

function olderOf(
  heads: readonly NamedHead[],
  of: (head: NamedHead) => { readonly count: number | null; readonly hash: string | null },
): Anchored['older'] {
  for (const { count, hash } of heads.map(of)) if (count !== null && hash !== null) return { count, hash }
  return undefined
}

interface Log {
  readonly part: 'ledger' | 'audit'
  readonly table: string
  /** The table and column that hold the last number of each organisation. */
  readonly heads: string
  readonly headSeq: string
  readonly stray: string
}

const LEDGER: Log = {
  part: 'ledger',
  table: 'ledger_entry',
  heads: 'billing_account',
  headSeq: 'entry_seq',
  stray: 'the entry is counted by no account',
}
const AUDIT: Log = {
  part: 'audit',
  table: 'audit_entry',
  heads: 'audit_chain',
  headSeq: 'seq',
  stray: 'the entry is counted by no head: it was added by hand, or the head was changed',
}

/**
 * Finds an entry beyond the head. Each statement reads heads and entries at one moment, so a charge in between does not
 * matter; it reads one index position per organisation, so a long ledger does not matter either.
 */
async function findStrayEntry(
  sql: SqlQueries,
  { part, table, heads, headSeq, stray }: Log,
): Promise<Difference | undefined> {
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

async function verifyAudit(
  sql: SqlQueries,
  organisationId: string,
  head: ChainHead,
  anchored: Anchored,
): Promise<Difference | undefined> {
  const told = (problem: string, seq?: number, entryId?: string): Difference => ({
    part: 'audit',
    organisationId,
    seq,
    entryId,
    problem,
  })
  if (anchored.older) {
    const older = await hashOlderAudit(sql, organisationId)
    if (older.hash !== anchored.older.hash) return told(olderAuditProblem(older.count, anchored.older.count))
  }
  // Entries older than the hash chain have no number either: they were checked above.
  const walk = new ChainWalk({ heads: anchored.heads, older: undefined })
  while (walk.seq < head.seq) {
    const limit = Math.min(ENTRIES_PER_PAGE, head.seq - walk.seq)
    const page = await readAuditChain(sql, { organisationId, afterSeq: walk.seq, limit })
    for (const entry of page) {
      const seq = entry.seq ?? 0
      if (seq > head.seq) break
      const fieldsAt = (at: number) => hashedAuditFields(entry, at)
      const problem = walk.step({ seq, hash: entry.hash ?? '', fieldsAt })
      if (problem) return told(problem, seq, entry.id)
    }
    if (page.length < limit) return told(`${walk.cutOff(head)}: the head counts ${head.seq}`, walk.seq + 1)
  }
  const problem = walk.end(head)
  return problem ? told(problem) : undefined
}

function olderAuditProblem(found: number, anchored: number): string {
  const about = 'of the entries from before there were hashes'
  if (found < anchored) return `${anchored - found} ${about} are missing`
  if (found > anchored) return `${found - anchored} entries without a hash were added by hand`
  return `one ${about} was changed after they were anchored`
}

interface Running {
  includedPence: number
  prepaidPence: number
  overagePence: number
  includedUsedPence: number
  freeUnitsUsed: number
  period: string
}

async function verifyAccount(
  sql: SqlQueries,
  organisationId: string,
  account: Account | undefined,
  anchored: Anchored,
): Promise<Difference | undefined> {
  const told = (problem: string, seq?: number, entryId?: string): Difference => ({
    part: 'ledger',
    organisationId,
    seq,
    entryId,
    problem,
  })
  const running: Running = {
    includedPence: 0,
    prepaidPence: 0,
    overagePence: 0,
    includedUsedPence: 0,
    freeUnitsUsed: 0,
    period: '',
  }
  const walk = new ChainWalk(anchored)
  const head = { seq: account?.entrySeq ?? 0, hash: account?.entryHash ?? null }
  while (walk.seq < head.seq) {
    const limit = Math.min(ENTRIES_PER_PAGE, head.seq - walk.seq)
    const page = await readEntries(sql, { organisationId, afterSeq: walk.seq, limit })
    for (const entry of page) {
      if (entry.seq > head.seq) break
      const fieldsAt = (seq: number) => hashedFields(seq === entry.seq ? entry : { ...entry, seq })
      const problem = walk.step({ seq: entry.seq, hash: entry.hash, fieldsAt }) ?? entryProblem(running, entry)
      if (problem) return told(problem, entry.seq, entry.id)
    }
    if (page.length < limit) return told(`${walk.cutOff(head)}: the account counts ${head.seq}`, walk.seq + 1)
  }
  const problem = walk.end(head) ?? (account && accountProblem(running, account))
  return problem ? told(problem) : undefined
}

/** Checks one entry against the previous balances, and advances them. */
function entryProblem(running: Running, entry: Entry): string | undefined {
  if (entry.period < running.period) return `the period ${entry.period} comes after ${running.period}`
  if (entry.period !== running.period) {
    running.period = entry.period
    running.includedUsedPence = 0
    running.freeUnitsUsed = 0
  }
  running.includedPence += entry.includedDeltaPence
  running.prepaidPence += entry.prepaidDeltaPence
  running.overagePence += entry.overageDeltaPence
  running.freeUnitsUsed += entry.freeUnits
  if (entry.kind === 'charge' || entry.kind === 'refund') running.includedUsedPence -= entry.includedDeltaPence
  return (
    balanceProblem('included credit', running.includedPence, entry.includedAfterPence) ??
    balanceProblem('prepaid credit', running.prepaidPence, entry.prepaidAfterPence) ??
    balanceProblem('overage', running.overagePence, entry.overageAfterPence) ??
    KIND_PROBLEMS[entry.kind](entry)
  )
}

function balanceProblem(name: string, expected: number, found: number): string | undefined {
  if (expected !== found) return `the ${name} after the entry is ${found}, the entries add up to ${expected}`
  if (found < 0) return `the ${name} is negative: ${found}`
  return undefined
}

const moved = (entry: Entry) => [entry.includedDeltaPence, entry.prepaidDeltaPence, entry.overageDeltaPence]

const KIND_PROBLEMS: Record<Entry['kind'], (entry: Entry) => string | undefined> = {
  charge(entry) {
    const [included = 0, prepaid = 0, overage = 0] = moved(entry)
    if (entry.family === null || entry.units < 1) return 'a charge names its family and at least one unit'
    if (entry.freeUnits !== 0) {
      if (entry.freeUnits !== entry.units) return `${entry.freeUnits} of ${entry.units} units are free, not all or none`
      return included !== 0 || prepaid !== 0 || overage !== 0 ? 'a free request moved money' : undefined
    }
    if (included > 0 || prepaid > 0 || overage < 0) return 'a charge moved money the wrong way'
    const total = entry.unitPricePence * entry.units
    if (overage - included - prepaid !== total)
      return `the parts add up to ${overage - included - prepaid}, not ${total}`
    if (prepaid < 0 && entry.includedAfterPence > 0) return 'prepaid credit was used before included credit'
    const creditLeft = entry.includedAfterPence + entry.prepaidAfterPence
    return overage > 0 && creditLeft > 0 ? `overage was owed while ${creditLeft} of credit was left` : undefined
  },
  refund(entry) {
    const [included = 0, prepaid = 0, overage = 0] = moved(entry)
    return included < 0 || prepaid < 0 || overage > 0 || entry.freeUnits > 0
      ? 'a refund moved money the wrong way'
      : undefined
  },
  grant(entry) {
    const [included = 0, prepaid = 0, overage = 0] = moved(entry)
    return included <= 0 || prepaid !== 0 || overage !== 0 ? 'a grant adds included credit and nothing else' : undefined
  },
  expire(entry) {
    const [included = 0, prepaid = 0, overage = 0] = moved(entry)
    if (included >= 0 || prepaid !== 0 || overage !== 0) return 'an expiry takes included credit and nothing else'
    return entry.includedAfterPence === 0 ? undefined : 'an expiry left included credit behind'
  },
  credit(entry) {
    const [included = 0, prepaid = 0, overage = 0] = moved(entry)
    return prepaid <= 0 || included !== 0 || overage !== 0 ? 'a credit adds prepaid credit and nothing else' : undefined
  },
  settle(entry) {
    const [included = 0, prepaid = 0, overage = 0] = moved(entry)
    return included !== 0 || prepaid !== 0 || overage === 0
      ? 'a settlement, or taking one back, moves overage and nothing else'
      : undefined
  },
  reversal(entry) {
    const [included = 0, prepaid = 0, overage = 0] = moved(entry)
    return included !== 0 || prepaid > 0 || overage < 0
      ? 'a payment that went back takes prepaid credit or adds overage, and nothing else'
      : undefined
  },
  plan(entry) {
    const [, prepaid = 0, overage = 0] = moved(entry)
    return prepaid !== 0 || overage !== 0 ? 'a change of plan moves included credit only' : undefined
  },
}

function accountProblem(running: Running, account: Account): string | undefined {
  // A month may begin without an entry (a plan with no included credit): then none of it is used yet.
  const samePeriod = running.period === account.period
  const expected: [string, number, number][] = [
    ['included_pence', account.includedPence, running.includedPence],
    ['prepaid_pence', account.prepaidPence, running.prepaidPence],
    ['overage_pence', account.overagePence, running.overagePence],
    ['included_used_pence', account.includedUsedPence, samePeriod ? running.includedUsedPence : 0],
    ['free_units_used', account.freeUnitsUsed, samePeriod ? running.freeUnitsUsed : 0],
  ]
  for (const [column, found, sum] of expected) {
    if (found !== sum) return `the account's ${column} is ${found}, its entries add up to ${sum}`
  }
  return running.period > account.period ? `the account is behind its entries: ${account.period}` : undefined
}
