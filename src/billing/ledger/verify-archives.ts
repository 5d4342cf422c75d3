/** Verifies the archives as far as the database knows them; `assayd archive verify` verifies their files. */
import type { SqlQueries } from '../../db/sql.ts'
import { hashOfHeads } from './anchors.ts'
import {
  type ArchiveHead,
  archivedCharges,
  archiveHeads,
  archives,
  hashOfArchive,
  hashOfArchiveHead,
  hashStays,
  isSigned,
  STAYS,
} from './archives.ts'
import { type Entry, entries } from './ledger.ts'
import type { Difference, VerifyOptions } from './verify-anchors.ts'

const ARCHIVES_MAX = 10_000
const ROWS_PER_PAGE = 500

/** Numbers, hashes and MACs; with `sinceAnchor`, the heads of organisations are not read. */
export async function verifyArchives(sql: SqlQueries, { ring, sinceAnchor = 0 }: VerifyOptions) {
  const differences: Difference[] = []
  const found = await archives.list(sql, {}, { order: 'number', limit: ARCHIVES_MAX })
  const told = (seq: number, problem: string | undefined) => {
    if (problem) differences.push({ part: 'archive', organisationId: undefined, seq, problem })
  }
  for (const [i, archive] of found.entries()) {
    const before = i === 0 ? undefined : found[i - 1]
    if (archive.number !== i + 1) told(archive.number, `archive ${i + 1} before it is missing`)
    else if (archive.hash !== hashOfArchive(before?.hash ?? '', archive)) {
      told(archive.number, 'it, or the archive before it, was changed')
    } else if (ring && !(await isSigned(ring, archive))) {
      told(archive.number, 'its MAC does not match: it was made without the server’s secret, or with another secret')
    } else if (sinceAnchor === 0) {
      const hashes: string[] = []
      for await (const page of headsOf(sql, archive.number)) hashes.push(...page.map(({ hash }) => hash))
      const same = hashes.length === archive.heads && hashOfHeads(hashes) === archive.headsHash
      told(archive.number, same ? undefined : 'its content for an organisation was changed')
    }
  }
  return { archives: found, differences }
}

export async function* headsOf(sql: SqlQueries, number: number): AsyncGenerator<ArchiveHead[]> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const clause = `number = $1 and organisation_id > $2 order by organisation_id limit ${ROWS_PER_PAGE}`
    const page: ArchiveHead[] = await archiveHeads.where(sql, clause, [number, after])
    if (page.length > 0) yield page
    after = page.length < ROWS_PER_PAGE ? undefined : page.at(-1)?.organisationId
  }
}

type Moved = Pick<Entry, 'includedDeltaPence' | 'prepaidDeltaPence' | 'overageDeltaPence'>
type Balances = readonly [included: number, prepaid: number, overage: number]
const moved = ([included, prepaid, overage]: Balances, by: Moved): Balances => [
  included + by.includedDeltaPence,
  prepaid + by.prepaidDeltaPence,
  overage + by.overageDeltaPence,
]

/**
 * The first archived part of an organisation's ledger that does not add up. The entries that stay must be the same as when
 * they were archived, and with the sums of the others they must lead from one balance to the next.
 */
export async function archivedProblem(
  sql: SqlQueries,
  organisationId: string,
): Promise<{ readonly seq: number; readonly problem: string } | undefined> {
  const heads = await archiveHeads.where(sql, 'organisation_id = $1 order by ledger_seq', [organisationId])
  let lastSeq = 0
  let balances: Balances = [0, 0, 0]
  for (const { hash, ...head } of heads) {
    const { seq } = head
    const wrong = (problem: string) => ({ seq, problem: `${problem} (archive ${head.number})` })
    // A record without its archive is covered by no MAC.
    if (!(await archives.find(sql, { number: head.number })))
      return wrong('entries are recorded as archived without an archive')
    const sums = await archivedCharges.where(sql, 'organisation_id = $1 and ledger_seq = $2', [organisationId, seq])
    if (head.afterSeq !== lastSeq || hashOfArchiveHead(head, sums) !== hash) {
      return wrong('the record of the archived entries was changed')
    }
    balances = sums.reduce(moved, balances)
    let staysHash = ''
    let last: Entry | undefined
    for await (const entry of entriesThatStay(sql, head)) {
      staysHash = hashStays(staysHash, entry)
      balances = moved(balances, entry)
      last = entry
    }
    if (staysHash !== head.staysHash || last?.seq !== seq || last.hash !== head.ledgerHash) {
      return wrong('an entry that stayed in the database was changed or removed after it was archived')
    }
    const after: Balances = [last.includedAfterPence, last.prepaidAfterPence, last.overageAfterPence]
    if (balances.join() !== after.join()) {
      return wrong(
        `the balances after it are ${after.join(', ')}, but entries and sums add up to ${balances.join(', ')}`,
      )
    }
    lastSeq = seq
  }
  return undefined
}

async function* entriesThatStay(
  sql: SqlQueries,
  { organisationId, afterSeq, seq }: Pick<ArchiveHead, 'organisationId' | 'afterSeq' | 'seq'>,
) {
  const clause = `organisation_id = $1 and seq > $2 and seq <= $3 and ${STAYS} order by seq limit ${ROWS_PER_PAGE}`
  for (let after = afterSeq; after < seq; ) {
    const page = await entries.where(sql, clause, [organisationId, after, seq])
    yield* page
    const last = page.at(-1)
    if (!last) return
    after = last.seq
  }
}
