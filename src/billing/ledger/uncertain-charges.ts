/**
 * Charges whose callers were told 503 while nobody could ask the store whether they were committed.
 *
 *  1. They are written to a file of their own, beside the store, before their callers are answered.
 *  2. Each is asked about again, and refunded if it was committed, with growing pauses, even after a restart.
 *  3. One that fails never keeps the others waiting, and a disk that refuses never stops a charge.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { MINUTE_MS, SECOND_MS } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { beginWholeFile } from '../../lib/whole-file.ts'

export interface UncertainCharge {
  readonly organisationId: string
  readonly requestId: string
  /** The number its entry has if it was committed. */
  readonly seq: number
}

export interface UncertainCharges {
  add(charges: readonly UncertainCharge[]): void
  /** How many are not settled yet. */
  readonly waiting: number
  /** Resolves when nothing is being tried any more; what is left stays in its files. */
  close(): Promise<void>
}

interface Options {
  readonly folder: string
  /** Refunds the charge if it was committed; says whether it was. */
  readonly refund: (charge: UncertainCharge) => Promise<boolean>
  readonly logger: { error(fields: object, message: string): void; warn(fields: object, message: string): void }
  /** Calls `fn` after a pause; returns how to call that off. */
  readonly later?: (pauseMs: number, fn: () => void) => () => void
}

/** One file holds the charges of one transaction: this many transactions are remembered. */
const FILES_MAX = 1000
const PAUSE_MS_MAX = 5 * MINUTE_MS

export function keepUncertainCharges({ folder, refund, logger, later = afterPause }: Options): UncertainCharges {
  const files = new Map<string, readonly UncertainCharge[]>()
  let pauseMs = SECOND_MS
  let callOff: (() => void) | undefined
  let round: Promise<void> | undefined
  let closed = false

  function load(): void {
    if (!existsSync(folder)) return
    for (const name of readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .sort()) {
      try {
        files.set(name, JSON.parse(readFileSync(join(folder, name), 'utf8')) as UncertainCharge[])
      } catch (err) {
        logger.error({ err, file: name }, 'uncertain charges cannot be read; the file is left as it is')
      }
    }
  }

  // A line has a bound: all of them in one would be cut.
  function tellEach(charges: readonly UncertainCharge[], message: string): void {
    for (const charge of charges) logger.error(fieldsOf(charge), message)
  }

  /** In memory first: what the disk refuses is still tried by this process. */
  function keep(name: string, charges: readonly UncertainCharge[]): void {
    if (charges.length > 0) files.set(name, charges)
    else files.delete(name)
    try {
      if (charges.length === 0) {
        rmSync(join(folder, name), { force: true })
        return
      }
      const file = beginWholeFile(join(folder, name), { mode: 0o600 })
      file.put(Buffer.from(JSON.stringify(charges)))
      file.keep()
    } catch (err) {
      logger.error({ err, charges: charges.length }, 'uncertain charges cannot be written')
      tellEach(charges, 'an uncertain charge is in no file: until it is known, do not restart')
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
          if (await refund(charge)) logger.warn(fieldsOf(charge), 'an answer that was not delivered is refunded')
        } catch (err) {
          left.push(charge)
          logger.warn({ err, ...fieldsOf(charge) }, 'an uncertain charge is tried again later')
        }
      }
      if (left.length < charges.length) keep(name, left)
    }
    if (files.size === 0) pauseMs = SECOND_MS
  }

  load()
  plan()
  return {
    add(charges) {
      if (charges.length === 0) return
      if (files.size >= FILES_MAX) tellEach(charges, 'too many uncertain charges: look this one up by hand')
      else keep(`${newId('owe')}.json`, charges)
      plan()
    },
    get waiting() {
      return [...files.values()].reduce((sum, charges) => sum + charges.length, 0)
    },
    async close() {
      closed = true
      callOff?.()
      await round
    },
  }
}

/** As every other line of the log names them. */
const fieldsOf = ({ organisationId, requestId, seq }: UncertainCharge) => ({
  organisation_id: organisationId,
  request_id: requestId,
  seq,
})

function afterPause(pauseMs: number, fn: () => void): () => void {
  const timer = setTimeout(fn, pauseMs)
  timer.unref()
  return () => clearTimeout(timer)
}
