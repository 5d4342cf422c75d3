/**
 * Charges answered with 503 while the store could not be asked if they were committed.
 * 1. They are written to their own file, beside the store, before their callers are answered.
 * 2. Each is looked up again, and refunded if it was committed, with growing pauses, even after a restart.
 * 3. A failing charge never delays the others, and a disk that refuses writes never stops a charge.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { MINUTE_MS, SECOND_MS } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { beginWholeFile } from '../../lib/whole-file.ts'

export interface UncertainCharge {
  readonly organisationId: string
  readonly requestId: string
  /** The number of its entry, if it was committed. */
  readonly seq: number
}

export type UncertainCharges = ReturnType<typeof keepUncertainCharges>

interface Options {
  readonly folder: string
  /** Refunds the charge if it was committed; returns true if it was. */
  readonly refund: (charge: UncertainCharge) => Promise<boolean>
  readonly logger: { error(fields: object, message: string): void; warn(fields: object, message: string): void }
  /** Calls `fn` after a pause; returns a function that cancels it. */
  readonly later?: (pauseMs: number, fn: () => void) => () => void
}

/** One file holds the charges of one transaction: the limit of remembered transactions. */
const FILES_MAX = 1000
const PAUSE_MS_MAX = 5 * MINUTE_MS

export function keepUncertainCharges({ folder, refund, logger, later = afterPause }: Options) {
  const files = new Map<string, readonly UncertainCharge[]>()
  let pauseMs = SECOND_MS
  let callOff: (() => void) | undefined
  let round: Promise<void> | undefined
  let closed = false

  function load(): void {
    if (!existsSync(folder)) return
    const names = readdirSync(folder).filter((file) => file.endsWith('.json'))
    for (const name of names.sort()) {
      try {
        files.set(name, JSON.parse(readFileSync(join(folder, name), 'utf8')) as UncertainCharge[])
      } catch (err) {
        logger.error({ err, file: name }, 'uncertain charges cannot be read; the file is not changed')
      }
    }
  }

  // A log line has a length limit: all charges in one line would be truncated.
  function tellEach(charges: readonly UncertainCharge[], message: string): void {
    for (const charge of charges) logger.error(fieldsOf(charge), message)
  }

  /** In memory first: if the disk refuses, this process still retries. */
  function keep(name: string, charges: readonly UncertainCharge[]): void {
    if (charges.length > 0) files.set(name, charges)
    else files.delete(name)
    try {
      if (charges.length === 0) {
        rmSync(join(folder, name), { force: true })
        return
      }
      using file = beginWholeFile(join(folder, name), { mode: 0o600 })
      file.put(Buffer.from(JSON.stringify(charges)))
      file.keep()
    } catch (err) {
      logger.error({ err, charges: charges.length }, 'uncertain charges cannot be written')
      tellEach(charges, 'an uncertain charge could not be saved to a file: do not restart until it is resolved')
    }
  }

  function plan(): void {
    if (closed || callOff || round || files.size === 0) return
    callOff = later(pauseMs, () => {
      callOff = undefined
      round = tryAll().finally(() => {
        round = undefined
        plan()
      })
    })
  }

  async function tryAll(): Promise<void> {
    pauseMs = Math.min(PAUSE_MS_MAX, 2 * pauseMs)
    for (const [name, charges] of [...files]) {
      const left: UncertainCharge[] = []
      for (const charge of charges) {
        if (closed) return
        try {
          if (await refund(charge)) logger.warn(fieldsOf(charge), 'an undelivered answer is refunded')
        } catch (err) {
          left.push(charge)
          logger.warn({ err, ...fieldsOf(charge) }, 'an uncertain charge will be retried later')
        }
      }
      if (left.length < charges.length) keep(name, left)
    }
    if (files.size === 0) pauseMs = SECOND_MS
  }

  load()
  plan()
  return {
    add(charges: readonly UncertainCharge[]) {
      if (charges.length === 0) return
      if (files.size >= FILES_MAX) tellEach(charges, 'too many uncertain charges: check this one manually')
      else keep(`${newId('owe')}.json`, charges)
      plan()
    },
    get waiting() {
      return [...files.values()].reduce((sum, charges) => sum + charges.length, 0)
    },
    /** Resolves when no attempt is running; the rest stays in its files. */
    async close() {
      closed = true
      callOff?.()
      await round
    },
  }
}

/** The field names of all other log lines. */
const fieldsOf = ({ organisationId, requestId, seq }: UncertainCharge) => ({
  organisation_id: organisationId,
  request_id: requestId,
  seq,
})

function afterPause(pauseMs: number, fn: () => void): () => void {
  const timer = setTimeout(fn, pauseMs).unref()
  return () => clearTimeout(timer)
}
