/**
 * `anchors.log` in the data folder: a copy of every anchor outside the database, one line of JSON each. It reveals a
 * database that was truncated or restored.
 * 1. Lines are only ever added. A line truncated by a crash does not count: its anchor is added again.
 * 2. A line with `restored` says that the operator accepted the database as it was then: lines before it no longer
 *    count.
 */
import { type Job, jobLock } from '../../jobs/runner.ts'
import { DAY_MS, iso, MINUTE_MS } from '../../lib/clock.ts'
import { appendLines, readLines } from '../../lib/line-file.ts'
import { type Anchor, type AnchorDependencies, lastAnchor, makeAnchor, readAnchors } from './anchors.ts'

export type AnchorLine = ReturnType<typeof anchorLine>

export function anchorLine({ number, madeAtMs, heads, hash }: Anchor) {
  return { number, made_at: iso(madeAtMs), heads, hash }
}

/**
 * An anchor for the log. The log redacts every long random word as a secret, so the hash is written in short groups.
 * Without the blanks it is the hash in the file.
 */
export function anchorToLog(anchor: Anchor): AnchorLine {
  const line = anchorLine(anchor)
  return { ...line, hash: line.hash.match(/.{1,5}/g)?.join(' ') ?? '' }
}

/** The anchors since the last accepted restore, in file order, and the last one of the database then; 0: none. */
export function readAnchorsFile(file: string) {
  let lines: AnchorLine[] = []
  let restoredTo = 0
  for (const line of readLines<Line>(file).filter(isWhole)) {
    if ('restored' in line) {
      lines = []
      restoredTo = line.number
    } else lines.push(line)
  }
  return { lines, restoredTo }
}

export function lastNumberOf({ lines, restoredTo }: ReturnType<typeof readAnchorsFile>): number {
  return lines.reduce((last, { number }) => Math.max(last, number), restoredTo)
}

/** From now on, the file is compared with a database whose last anchor is this one. */
export function appendRestore(file: string, last: Anchor | undefined, nowMs: number): void {
  appendLines(file, [{ restored: iso(nowMs), number: last?.number ?? 0 }])
}

/** The format as written; the report shows no other text. */
const MOMENT = /^[\d:.TZ+-]{10,40}$/

type Line = AnchorLine | { readonly restored: string; readonly number: number }

function isWhole(line: Line): boolean {
  const whole = 'restored' in line || (typeof line.hash === 'string' && MOMENT.test(line.made_at))
  return whole && Number.isSafeInteger(line.number)
}

const COPIED_AT_ONCE = 1000
const NAME = 'anchor'

export interface AnchorJobDependencies extends AnchorDependencies {
  /** Where copies of the anchors are stored: `anchors.log` in the data folder. */
  readonly anchorsFile: string
  readonly logger: { info(fields: object, message: string): void; warn(fields: object, message: string): void }
}

/** One anchor a day, by one node; every node copies it into the file in its own data folder. */
export function createAnchorJob(deps: AnchorJobDependencies): Job {
  return {
    name: NAME,
    periodMs: 10 * MINUTE_MS,
    async run(signal) {
      const last = await lastAnchor(deps.sql)
      // Also when the last anchor is from a later day: its clock was wrong, and waiting for that day could take years.
      if (!last || dayOf(last.madeAtMs) !== dayOf(deps.clock.now())) {
        const made = await makeAnchor(deps, signal)
        if (made) deps.logger.info({ anchor: anchorToLog(made) }, 'ledger and audit log are anchored')
      }
      await copyAnchors(deps)
    },
  }
}

/** Makes one more anchor now; undefined while a node makes one. */
export function anchorNow(deps: AnchorDependencies & { readonly anchorsFile: string }): Promise<Anchor | undefined> {
  return deps.sql.tryLock(jobLock(NAME), async () => {
    const made = await makeAnchor(deps)
    await copyAnchors(deps)
    return made
  })
}

type Copying = Pick<AnchorJobDependencies, 'sql' | 'anchorsFile'> & Partial<AnchorJobDependencies>

/** Adds the missing anchors to the file; nothing if the file has later ones than the database, which verify reports. */
async function copyAnchors({ sql, anchorsFile, logger }: Copying): Promise<void> {
  const known = lastNumberOf(readAnchorsFile(anchorsFile))
  const last = await lastAnchor(sql)
  if (known > (last?.number ?? 0)) {
    logger?.warn(
      { file: anchorsFile, anchor: known, database: last?.number ?? 0 },
      'anchors.log contains anchors that the database lacks: run assayd ledger verify',
    )
    return
  }
  for (let after = known; ; ) {
    const page = await readAnchors(sql, after, COPIED_AT_ONCE)
    appendLines(anchorsFile, page.map(anchorLine))
    const end = page.at(-1)
    if (!end) return
    after = end.number
  }
}

const dayOf = (timeMs: number) => Math.floor(timeMs / DAY_MS)
