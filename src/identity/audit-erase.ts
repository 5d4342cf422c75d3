/**
 * Erasing the personal fields of audit entries: name, address and request of the actor, and details.
 *
 *  1. Id, time, actor id, action, target id, number and hash of an entry stay. Its hash can no longer be computed from it, but
 *     the entry after it, the head and the anchors still hold that hash.
 *  2. The erasure writes an entry of its own, whose detail has a hash over the entries as they are then. So nobody can pass a
 *     change off as an erasure, nor change an erased entry: `ErasedEntries` finds it.
 *  3. Of people, the first erasure of an entry counts. That of the organisation takes over all entries: the erasure of a
 *     person leaves details. The detail of rule 2 stays.
 */
import { paddedList } from '../db/multi-row.ts'
import type { SqlQueries, SqlValue } from '../db/sql.ts'
import { withoutRulesForNewRows } from '../db/whole-write.ts'
import { link } from '../lib/hash-chain.ts'
import { hashedAuditFields, olderAudit, readErasedAudit, type StoredAudit } from './audit-chain.ts'

/** The detail of the entry that an erasure writes. */
export interface ErasureProof {
  readonly erasure: string
  readonly entries: number
  readonly hash: string
}

const ENTRIES_AT_ONCE = 500
/** Rule 3: the beginning of the detail of rule 2. */
const PROOF = '{"erasure":'

/** A pattern for JSON that has this field. */
export const withField = (name: string, value: string) =>
  `%${JSON.stringify({ [name]: value })
    .slice(1, -1)
    .replace(/[\\%_]/g, '\\$&')}%`

const hashErased = (before: string, entry: StoredAudit) =>
  link(before, [...hashedAuditFields(entry, entry.seq), entry.hash])

/** `person`: only entries of this actor, whose details stay, and entries about these targets or a consent of theirs. */
export interface AuditToErase {
  readonly organisationId: string
  readonly erasureId: string
  readonly person?: { readonly id: string; readonly name: string; readonly targets: readonly string[] }
}

/** How far an erasure has come. A transaction may be repeated, so it takes the state and returns the next one. */
export interface ErasedSoFar {
  readonly afterSeq: number
  readonly entries: number
  readonly hash: string
}

/** Erases page by page, so that others can write in between; an interrupted run is repeated from the start. */
export function auditEraser({ organisationId, erasureId, person }: AuditToErase) {
  const targets = paddedList(person?.targets ?? [''], 6)
  const consent = ['member_id', 'member'].map((_, i) => `detail like $${6 + targets.values.length + i} escape '\\'`)
  const isTarget = `coalesce(target_id, '') in (${targets.marks}) or (action = 'grant.withdraw' and (${consent.join(' or ')}))`
  const about = person ? `(actor_id = $5 or ${isTarget})` : '1 = 1'
  const keeps = person ? `not (${isTarget}) or` : ''
  const isToErase = person ? 'erased_by is null' : `coalesce(erased_by, '') <> $4`
  const blank = `actor_name = null, ip = null, request_id = null, erased_by = $4,
    detail = case when ${keeps} detail like '${PROOF}%' then detail else '{}' end`
  const ofPerson: SqlValue[] = person
    ? // Entries of earlier releases have the name only.
      [person.id, ...targets.values, withField('member_id', person.id), withField('member', person.name)]
    : []

  function counted(before: ErasedSoFar, entry: StoredAudit): ErasedSoFar {
    const { entries, hash } = before
    const isOurs = entry.erased_by === erasureId
    return isOurs ? { ...before, entries: entries + 1, hash: hashErased(hash, entry) } : before
  }

  return {
    /** Entries from before there were numbers. They keep the hash over all entries up to them. Call this first. */
    async older(tx: SqlQueries): Promise<ErasedSoFar> {
      let erased: ErasedSoFar = { afterSeq: 0, entries: 0, hash: '' }
      const found: { readonly entry: StoredAudit; readonly hash: string }[] = []
      for await (const page of olderAudit(tx, organisationId)) found.push(...page)
      if (found.length === 0) return erased
      await withoutRulesForNewRows(tx, async () => {
        for (const { entry, hash: upTo } of found) {
          await tx.query(
            `update audit_entry set ${blank}, hash = $1 where organisation_id = $2 and id = $3 and ${isToErase} and ${about}`,
            [upTo, organisationId, entry.id, erasureId, ...ofPerson],
          )
        }
      })
      for await (const page of olderAudit(tx, organisationId)) {
        for (const { entry } of page) erased = counted(erased, entry)
      }
      return erased
    },
    /** The next page of entries that it is about; undefined after the last. */
    async next(tx: SqlQueries, before: ErasedSoFar): Promise<ErasedSoFar | undefined> {
      const { afterSeq } = before
      const ofPage = 'organisation_id = $1 and seq > $2 and seq <= $3'
      const page = await tx.query<{ seq: number }>(
        `select seq from audit_entry where ${ofPage} and (erased_by = $4 or ${about}) order by seq limit ${ENTRIES_AT_ONCE}`,
        [organisationId, afterSeq, Number.MAX_SAFE_INTEGER, erasureId, ...ofPerson],
      )
      const last = page.at(-1)?.seq
      if (last === undefined) return undefined
      const params = [organisationId, afterSeq, last, erasureId, ...ofPerson]
      await tx.query(`update audit_entry set ${blank} where ${ofPage} and ${isToErase} and ${about}`, params)
      const erased = await readErasedAudit(tx, { organisationId, afterSeq, last, erasureId })
      return { ...erased.reduce(counted, before), afterSeq: last }
    },
    /** The remaining fields, and the detail of rule 2. */
    async rest(tx: SqlQueries, before: ErasedSoFar): Promise<ErasureProof> {
      let erased = before
      for (let more: ErasedSoFar | undefined = before; more; more = await this.next(tx, erased)) erased = more
      return { erasure: erasureId, entries: erased.entries, hash: erased.hash }
    },
  }
}

/** Compares the erased entries of one chain with the entries of their erasures. */
export class ErasedEntries {
  readonly #found = new Map<string, Omit<ErasureProof, 'erasure'>>()
  readonly #told = new Map<string, ErasureProof>()

  see(entry: StoredAudit): string | undefined {
    const isProof = entry.detail.startsWith(PROOF)
    if (isProof) {
      const proof = JSON.parse(entry.detail) as ErasureProof
      this.#told.set(proof.erasure, proof)
    }
    if (entry.erased_by === null) return undefined
    const { entries, hash } = this.#found.get(entry.erased_by) ?? { entries: 0, hash: '' }
    this.#found.set(entry.erased_by, { entries: entries + 1, hash: hashErased(hash, entry) })
    const { actor_name, ip, request_id } = entry
    return actor_name === null && ip === null && request_id === null
      ? undefined
      : 'it is marked as erased, but has content'
  }

  /** `underWay`: erasures that have not written their entry yet. `isPart`: only the end of the chain was seen. */
  problem(underWay: ReadonlySet<string>, isPart: boolean): string | undefined {
    // Rule 3: it may have taken entries from others.
    if (!underWay.isDisjointFrom(this.#found)) return undefined
    for (const [erasure, { entries, hash }] of this.#found) {
      const told = this.#told.get(erasure)
      // The entry of an erasure comes after all that it erased.
      if (told && (isPart ? told.entries >= entries : told.entries === entries && told.hash === hash)) continue
      return `${entries} entries are marked as erased by ${erasure}, which ${told ? `erased ${told.entries} others` : 'is not in the log'}: they were changed by hand`
    }
    return undefined
  }
}
