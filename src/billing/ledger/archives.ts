/**
 * Archives: months of the ledger whose charges are in a file (src/archive) and no longer in the database.
 *  1. Archives are numbered from 1 without a gap, each of a later month. The hash of an archive covers its rows and the
 *     hash of the archive before it; its MAC is computed from the hash, as that of an anchor.
 *  2. Only charges with a hash are removed. Every other entry stays, and so does the last entry of each organisation in an
 *     archive: references stay unique, and the balance at the end of a month is known.
 *  3. The sums of removed charges stay. They and the entries that stay add up to the balances.
 *  4. Removing takes many short steps. A charge that an archive has is never counted as an entry, removed or not.
 */
import type { SealedColumn } from '../../db/reseal.ts'
import type { SqlQueries } from '../../db/sql.ts'
import { defineTable, type EntityOf, integer, named, orNull, text } from '../../db/table.ts'
import { link } from '../../lib/hash-chain.ts'
import type { Family } from '../../lib/kinds.ts'
import type { Ring } from '../../lib/seal.ts'
import { type Entry, hashedFields } from './ledger.ts'

const PURPOSE = 'archive'

export const archives = defineTable({
  name: 'archive',
  key: ['number'],
  columns: {
    number: integer(),
    month: text(),
    madeAtMs: named('made_at', integer()),
    file: text(),
    bytes: integer(),
    entries: integer(),
    /** SHA-256 of the lines of the file, in hex. */
    content: text(),
    heads: integer(),
    headsHash: named('heads_hash', text()),
    hash: text(),
    mac: text(),
    removedAtMs: named('removed_at', orNull(integer())),
  },
})
export type Archive = EntityOf<typeof archives>

export const archiveHeads = defineTable({
  name: 'archive_head',
  key: ['organisationId', 'seq'],
  columns: {
    organisationId: named('organisation_id', text()),
    number: integer(),
    afterSeq: named('after_seq', integer()),
    seq: named('ledger_seq', integer()),
    ledgerHash: named('ledger_hash', text()),
    staysHash: named('stays_hash', text()),
    hash: text(),
  },
})
export type ArchiveHead = EntityOf<typeof archiveHeads>

/** In this order in the hash. */
const SUM_COLUMNS = {
  organisationId: named('organisation_id', text()),
  seq: named('ledger_seq', integer()),
  month: text(),
  family: text<Family>(),
  unitPricePence: named('unit_price_pence', integer()),
  requests: integer(),
  units: integer(),
  freeUnits: named('free_units', integer()),
  includedDeltaPence: named('included_delta_pence', integer()),
  prepaidDeltaPence: named('prepaid_delta_pence', integer()),
  overageDeltaPence: named('overage_delta_pence', integer()),
}
export const archivedCharges = defineTable({
  name: 'archived_charge',
  key: ['organisationId', 'seq', 'month', 'family', 'unitPricePence'],
  columns: SUM_COLUMNS,
})
/** Removed charges of one month, family and price. */
export type ArchivedCharge = EntityOf<typeof archivedCharges>

/** Rule 2: the entry stays in the database; `lastSeq`: the last of its organisation in the archive. */
export const stays = ({ kind, hash, seq }: Entry, lastSeq: number) =>
  kind !== 'charge' || hash === null || seq === lastSeq

const ARCHIVED_SEQ = '(select coalesce(max(ledger_seq), 0) from archive_head where organisation_id = $1)'

/** As above, for entries of the organisation `$1`. */
export const STAYS = `(seq >= ${ARCHIVED_SEQ} or kind <> 'charge' or hash is null
  or seq in (select ledger_seq from archive_head where organisation_id = $1))`

/** The movements of the organisation `$1` after the entry `after` up to `until`. An archived charge is part of a sum. */
export const posted = (after = '$2', until = '$3') => `(
  select kind, period, family, unit_price_pence, 1 as entries, units, free_units,
    included_delta_pence, prepaid_delta_pence, overage_delta_pence
  from ledger_entry where organisation_id = $1 and seq > ${after} and seq <= ${until} and ${STAYS}
  union all
  select 'charge' as kind, month as period, family, unit_price_pence, requests as entries, units, free_units,
    included_delta_pence, prepaid_delta_pence, overage_delta_pence
  from archived_charge where organisation_id = $1 and ledger_seq > ${after} and ledger_seq <= ${until}
) as posted`

/** The number of an organisation's last archived entry; 0: none is archived. */
export async function archivedSeq(sql: SqlQueries, organisationId: string): Promise<number> {
  const [row] = await sql.query<{ seq: number }>(`select ${ARCHIVED_SEQ} as seq`, [organisationId])
  return row?.seq ?? 0
}

/** Rule 2: removes charges of a recorded archive after the entry `afterSeq`, and looks at `rows` entries. */
export async function removeCharges(
  sql: SqlQueries,
  { organisationId, seq }: Pick<ArchiveHead, 'organisationId' | 'seq'>,
  { afterSeq, rows }: { readonly afterSeq: number; readonly rows: number },
): Promise<void> {
  await sql.query(
    `delete from ledger_entry where organisation_id = $1 and seq > $2 and seq <= $3 and seq < $4
     and kind = 'charge' and hash is not null`,
    [organisationId, afterSeq, afterSeq + rows, seq],
  )
}

/** The last month that an archive has. */
export async function lastArchive(sql: SqlQueries): Promise<Archive | undefined> {
  return (await archives.list(sql, {}, { order: 'number desc', limit: 1 }))[0]
}

/** Adds a charge to the sums by month, family and price. `seq`: the last entry of the organisation in the archive. */
export function addCharge(sums: Map<string, ArchivedCharge>, seq: number, charge: Entry): void {
  const { organisationId, period: month, family, unitPricePence } = charge
  const name = `${month} ${family} ${unitPricePence}`
  const sum = sums.get(name)
  sums.set(name, {
    ...{ organisationId, seq, month, family: family as Family, unitPricePence },
    requests: (sum?.requests ?? 0) + 1,
    units: (sum?.units ?? 0) + charge.units,
    freeUnits: (sum?.freeUnits ?? 0) + charge.freeUnits,
    includedDeltaPence: (sum?.includedDeltaPence ?? 0) + charge.includedDeltaPence,
    prepaidDeltaPence: (sum?.prepaidDeltaPence ?? 0) + charge.prepaidDeltaPence,
    overageDeltaPence: (sum?.overageDeltaPence ?? 0) + charge.overageDeltaPence,
  })
}

export const hashStays = (before: string, entry: Entry) => link(before, [...hashedFields(entry), entry.hash])

const SUM_NAMES = Object.keys(SUM_COLUMNS) as (keyof ArchivedCharge)[]

export function hashOfArchiveHead(head: Omit<ArchiveHead, 'hash'>, sums: readonly ArchivedCharge[]): string {
  const { organisationId, number, afterSeq, seq, ledgerHash, staysHash } = head
  const ofSums = sums
    .map((sum) =>
      link(
        '',
        SUM_NAMES.map((name) => sum[name]),
      ),
    )
    .sort()
  return link('', [organisationId, number, afterSeq, seq, ledgerHash, staysHash, ...ofSums])
}

export function hashOfArchive(previousHash: string, archive: Omit<Archive, 'hash' | 'mac' | 'removedAtMs'>): string {
  const { number, month, madeAtMs, file, bytes, entries: count, content, heads, headsHash } = archive
  return link(previousHash, [number, month, madeAtMs, file, bytes, count, content, heads, headsHash])
}

type ArchiveRing = Pick<Ring, 'mac' | 'isMac' | 'know'>
export const macOf = (ring: Pick<ArchiveRing, 'mac'>, hash: string): string => ring.mac(PURPOSE, hash)

export async function isSigned(ring: ArchiveRing, { hash, mac }: Pick<Archive, 'hash' | 'mac'>): Promise<boolean> {
  await ring.know(mac)
  return ring.isMac(PURPOSE, hash, mac)
}

/** Signed again when the keys are rotated. */
export const SIGNED_ARCHIVES: SealedColumn = {
  about: 'archives of the ledger',
  table: 'archive',
  key: ['number'],
  column: 'mac',
  reads: ['hash'],
  async reseal(row, ring) {
    const hash = String(row.hash)
    if (!(await isSigned(ring, { hash, mac: String(row.mac) }))) throw new Error('the archive is not signed by us')
    return macOf(ring, hash)
  },
}
