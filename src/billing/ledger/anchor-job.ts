import { type Job, jobLock } from '../../jobs/runner.ts'
import { DAY_MS, MINUTE_MS } from '../../lib/clock.ts'
import { type Anchor, type AnchorDependencies, lastAnchor, makeAnchor, readAnchors } from './anchors.ts'
import { anchorToLog, appendAnchors, lastNumberOf, readAnchorsFile } from './anchors-file.ts'

/** One anchor a day, by one node; every node copies it into the file in its own data folder. */

const COPIED_AT_ONCE = 1000
const NAME = 'anchor'

export interface AnchorJobDependencies extends AnchorDependencies {
  /** Where copies of the anchors are stored: `anchors.log` in the data folder. */
  readonly anchorsFile: string
  readonly logger: { info(fields: object, message: string): void; warn(fields: object, message: string): void }
}

export function createAnchorJob(deps: AnchorJobDependencies): Job {
  return {
    name: NAME,
    periodMs: 10 * MINUTE_MS,
    async run(signal) {
      const last = await lastAnchor(deps.sql)
      // Also when the last anchor is from a later day: its clock was wrong, and waiting for that day could take years.
      if (!last || dayOf(last.madeAtMs) !== dayOf(deps.clock.now())) {
        const made = await makeAnchor(deps, signal)
        if (made) deps.logger.info({ anchor: anchorToLog(made) }, 'the heads of ledger and audit log are anchored')
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

/**
 * Adds the missing anchors to the file. Adds nothing if the file has later anchors than the database: verify reports
 * that.
 */
async function copyAnchors({
  sql,
  anchorsFile,
  logger,
}: Pick<AnchorJobDependencies, 'sql' | 'anchorsFile'> & Partial<Pick<AnchorJobDependencies, 'logger'>>): Promise<void> {
  const known = lastNumberOf(readAnchorsFile(anchorsFile))
  const last = await lastAnchor(sql)
  if (known > (last?.number ?? 0)) {
    logger?.warn(
      { file: anchorsFile, anchor: known, database: last?.number ?? 0 },
      'the file of anchors knows later ones than the database: run assayd ledger verify',
    )
    return
  }
  for (let after = known; ; ) {
    const page = await readAnchors(sql, after, COPIED_AT_ONCE)
    appendAnchors(anchorsFile, page)
    const end = page.at(-1)
    if (!end) return
    after = end.number
  }
}

const dayOf = (timeMs: number) => Math.floor(timeMs / DAY_MS)
