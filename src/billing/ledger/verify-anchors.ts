/** Verifies the anchors themselves: their numbers, hashes, MACs and rows, and their copies in the file. */
import type { SqlQueries } from '../../db/sql.ts'
import { isoDay } from '../../lib/clock.ts'
import {
  type Anchor,
  type AnchorRing,
  hashOfAnchor,
  hashOfHead,
  hashOfHeads,
  isSigned,
  readAnchorHeads,
  readAnchors,
} from './anchors.ts'
import { type AnchorLine, readAnchorsFile } from './anchors-file.ts'

const ANCHORS_PER_PAGE = 1000
/** The last time that a Date can hold: an anchor with a later time is not ours. */
const TIME_MS_MAX = 8.64e15

export interface VerifyOptions {
  /** If absent, the MACs of anchors are not verified. */
  readonly ring?: AnchorRing
  readonly anchorsFile?: string
  /** Verifies only the entries since this anchor, and the anchors from it on; default: everything. */
  readonly sinceAnchor?: number | undefined
  readonly signal?: AbortSignal
}

/** Reads the file before the database: the database is written first, so the file cannot be ahead of it. */
export async function verifyAnchors(
  sql: SqlQueries,
  { ring, anchorsFile, sinceAnchor = 0 }: VerifyOptions,
): Promise<{ anchors: Map<number, Anchor>; differences: Difference[] }> {
  const lines = anchorsFile === undefined ? [] : readAnchorsFile(anchorsFile).lines
  const anchors = new Map<number, Anchor>()
  const differences: Difference[] = []
  let macProblem: Difference | undefined
  let last = sinceAnchor > 1 ? (await readAnchors(sql, sinceAnchor - 2, 1))[0] : undefined
  for (let page = await readAnchors(sql, last?.number ?? 0, ANCHORS_PER_PAGE); page.length > 0; ) {
    for (const anchor of page) {
      const problem = (await anchorProblem(sql, anchor, last)) ?? timeProblem(anchor)
      if (problem) differences.push(told(anchor.number, problem))
      if (ring && !(await isSigned(ring, anchor))) macProblem ??= told(anchor.number, WRONG_MAC)
      if (!timeProblem(anchor)) anchors.set(anchor.number, anchor)
      last = anchor
    }
    page = await readAnchors(sql, last?.number ?? 0, ANCHORS_PER_PAGE)
  }
  if (macProblem) differences.push(macProblem)
  const restored = restoreProblem(lines, anchors, last)
  if (restored) differences.push(restored)
  return { anchors, differences }
}

const told = (seq: number, problem: string) => ({ part: 'anchor' as const, organisationId: undefined, seq, problem })

const WRONG_MAC = 'its MAC does not match: it was made without the server’s secret, or with another secret'

function timeProblem({ madeAtMs }: Anchor): string | undefined {
  return Math.abs(madeAtMs) > TIME_MS_MAX ? 'its time was changed' : undefined
}

async function anchorProblem(sql: SqlQueries, anchor: Anchor, last: Anchor | undefined): Promise<string | undefined> {
  const lastNumber = last?.number ?? 0
  if (anchor.number !== lastNumber + 1) {
    return anchor.number === lastNumber + 2
      ? `anchor ${lastNumber + 1} before it is missing`
      : `anchors ${lastNumber + 1} to ${anchor.number - 1} before it are missing`
  }
  if (anchor.hash !== hashOfAnchor(last?.hash ?? '', anchor)) return 'it, or the anchor before it, was changed'
  const hashes: string[] = []
  for await (const page of readAnchorHeads(sql, anchor.number)) {
    for (const head of page) {
      if (head.hash !== hashOfHead(head)) return `its content for ${head.organisationId || 'the operator'} was changed`
      hashes.push(head.hash)
    }
  }
  if (hashes.length !== anchor.heads) return `${anchor.heads} rows belong to it, but ${hashes.length} exist`
  return hashOfHeads(hashes) === anchor.headsHash ? undefined : 'its content for an organisation was changed'
}

function restoreProblem(
  lines: readonly AnchorLine[],
  anchors: ReadonlyMap<number, Anchor>,
  last: Anchor | undefined,
): Difference | undefined {
  const lastNumber = last?.number ?? 0
  const other = lines.find(({ number, hash }) => {
    const anchor = anchors.get(number)
    return anchor ? anchor.hash !== hash : number > lastNumber
  })
  if (!other) return undefined
  const end = last && anchors.has(last.number) ? `anchor ${last.number} of ${isoDay(last.madeAtMs)}` : 'no anchor'
  const problem =
    other.number > lastNumber
      ? `the database ends with ${end}, but anchors.log contains anchor ${other.number} of ${other.made_at}: the database was restored from a backup, or its end was deleted`
      : `anchors.log contains another anchor ${other.number}, of ${other.made_at}: the database was restored from a backup and used since, or the anchors were rewritten`
  return { ...told(other.number, problem), part: 'restore' }
}

export interface Difference {
  /** `restore`: the anchors file has anchors that the database lacks, as after restoring a backup. */
  readonly part: 'ledger' | 'usage' | 'audit' | 'anchor' | 'archive' | 'restore'
  /** Undefined for anchors and archives; empty for the operator's actions outside any organisation. */
  readonly organisationId: string | undefined
  /** The entry, anchor or archive that does not match; undefined when the account or the head itself is wrong. */
  readonly seq: number | undefined
  readonly entryId?: string | undefined
  readonly problem: string
}
