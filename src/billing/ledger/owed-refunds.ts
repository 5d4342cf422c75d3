/**
 * Refunds owed: charges that may have been made although their callers were told that nothing was charged. They are
 * kept in a file of the node until each is refunded, or known to owe nothing.
 *
 *  1. `add` resolves when the entries are on the disk: they survive a restart and a power cut.
 *  2. An entry leaves the file only after it was looked up in the ledger. Looking it up twice is harmless, so `done`
 *     does not wait for the disk.
 *  3. A line that was cut off in the middle spoils no other line.
 *  4. The file holds at most OWED_MAX entries; what comes beyond is logged as an error and left out.
 *  5. One process at a time writes the file: a data folder belongs to one node.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { MINUTE_MS, SECOND_MS } from '../../lib/clock.ts'
import { beginWholeFile } from '../../lib/whole-file.ts'

export interface OwedRefund {
  /** Names this entry in the file. */
  readonly id: string
  readonly organisationId: string
  readonly requestId: string
  /** Number that the charge has in the ledger, if it was made. */
  readonly seq: number
  readonly atMs: number
}

export interface OwedRefunds {
  /** Rejects when the disk refuses; the entries are then remembered until this process ends. */
  add(owed: readonly OwedRefund[]): Promise<void>
  /** Oldest first. */
  all(): OwedRefund[]
  done(id: string): Promise<void>
  /** Resolves when everything given so far is written. */
  close(): Promise<void>
}

/** The logger of the server, as far as this file needs it. */
export interface OwedLogger {
  error(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export const OWED_MAX = 10_000
const FILE_MODE = 0o600
/** The file is written anew when it has this many lines and most of them are of entries that are done. */
const LINES_MIN_TO_COMPACT = 1000

export function openOwedRefunds({ file, logger }: { readonly file: string; readonly logger: OwedLogger }): OwedRefunds {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const { entries, lines: linesRead, clean } = readOwed(file, logger)
  let lines = linesRead
  let handle: FileHandle | undefined
  /** A write failed, perhaps in the middle of a line: the next one begins on a line of its own. */
  let torn = false
  let closed = false
  let writing: Promise<void> = Promise.resolve()
  if (!clean) compact()
  else createDurably(file)

  /** Writes happen one after another; one that fails does not stop the next. */
  function inTurn(write: () => Promise<void>): Promise<void> {
    const turn = writing.then(write)
    writing = turn.catch(() => {})
    return turn
  }

  async function append(values: readonly object[], { durable }: { readonly durable: boolean }): Promise<void> {
    handle ??= await open(file, 'a', FILE_MODE)
    const text = values.map((value) => `${JSON.stringify(value)}\n`).join('')
    try {
      await handle.appendFile(torn ? `\n${text}` : text)
      torn = false
      if (durable) await handle.datasync()
    } catch (error) {
      torn = true
      throw error
    }
    lines += values.length
  }

  /** Writes the file anew, with the entries that are still owed. */
  function compact(): void {
    const whole = beginWholeFile(file, { mode: FILE_MODE })
    try {
      for (const entry of entries.values()) whole.put(Buffer.from(`${JSON.stringify(entry)}\n`))
      whole.keep()
    } catch (error) {
      whole.discard()
      throw error
    }
    syncFolder(file)
    lines = entries.size
    torn = false
  }

  async function compactWhenWorthIt(): Promise<void> {
    if (lines < LINES_MIN_TO_COMPACT || lines < 4 * entries.size) return
    // The handle is of the old file.
    await handle?.close()
    handle = undefined
    compact()
  }

  function refuseClosed(): void {
    if (closed) throw new Error('the refunds owed were closed')
  }

  return {
    async add(owed) {
      refuseClosed()
      const fresh = owed.filter(({ id }) => !entries.has(id))
      const room = Math.max(0, OWED_MAX - entries.size)
      const taken = fresh.slice(0, room)
      const leftOut = fresh.slice(room)
      if (leftOut.length > 0) {
        logger.error(
          { file, leftOut },
          `${OWED_MAX} refunds are owed already: ${leftOut.length} more are not kept. Look the requests up in the ledger and credit them by hand.`,
        )
      }
      if (taken.length === 0) return
      for (const one of taken) entries.set(one.id, one)
      await inTurn(() => append(taken, { durable: true }))
    },
    all: () => [...entries.values()],
    async done(id) {
      refuseClosed()
      if (!entries.delete(id)) return
      await inTurn(async () => {
        await append([{ done: id }], { durable: false })
        await compactWhenWorthIt()
      })
    },
    async close() {
      closed = true
      await writing
      await handle?.close()
      handle = undefined
    },
  }
}

interface OwedFile {
  readonly entries: Map<string, OwedRefund>
  readonly lines: number
  /** Whether the file holds nothing but entries that are owed, each on a whole line. */
  readonly clean: boolean
}

function readOwed(file: string, logger: OwedLogger): OwedFile {
  const entries = new Map<string, OwedRefund>()
  let clean = true
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { entries, lines: 0, clean }
    throw error
  }
  const lines = text.split('\n')
  // Behind the last line break there is nothing, or a line that was cut off before its `add` could resolve.
  const cutOff = lines.pop() ?? ''
  if (cutOff !== '') {
    clean = false
    logger.warn({ file, line: cutOff.slice(0, 500) }, 'the last line of the refunds owed was cut off and is skipped')
  }
  for (const [index, line] of lines.entries()) {
    const value = line === '' ? undefined : parseLine(line)
    if (isOwed(value)) {
      entries.set(value.id, value)
      continue
    }
    clean = false
    if (isDone(value)) entries.delete(value.done)
    else if (line !== '') {
      logger.error({ file, number: index + 1, line: line.slice(0, 500) }, 'a line of the refunds owed is unreadable')
    }
  }
  return { entries, lines: lines.length, clean }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function isDone(value: unknown): value is { readonly done: string } {
  return typeof value === 'object' && value !== null && 'done' in value && typeof value.done === 'string'
}

function isOwed(value: unknown): value is OwedRefund {
  if (typeof value !== 'object' || value === null) return false
  const { id, organisationId, requestId, seq, atMs } = value as Partial<Record<keyof OwedRefund, unknown>>
  return [id, organisationId, requestId].every((one) => typeof one === 'string') && [seq, atMs].every(Number.isInteger)
}

function createDurably(file: string): void {
  closeSync(openSync(file, 'a', FILE_MODE))
  syncFolder(file)
}

/** A new name is durable when its folder is. */
function syncFolder(file: string): void {
  const folder = openSync(dirname(file), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

export interface SettleOptions {
  readonly logger: OwedLogger
  /** Runs `fn` after a pause; returns what calls it off. */
  readonly later?: (pauseMs: number, fn: () => void) => () => void
}

export interface Settling {
  /** Tries what is owed soon; without effect while a round is planned. To be called after `add`, and once at start. */
  wake(): void
  /** Resolves when nothing is being tried any more; what is owed stays in the file. */
  close(): Promise<void>
}

const PAUSE_MS_MIN = SECOND_MS
const PAUSE_MS_MAX = 5 * MINUTE_MS

/**
 * Goes through the refunds owed until none is left. One that fails is logged and tried again in the next round; the
 * others do not wait for it. The pauses between rounds grow from a second to five minutes.
 */
export function settleOwed(
  owed: Pick<OwedRefunds, 'all' | 'done'>,
  tryOne: (one: OwedRefund) => Promise<'settled' | 'nothing owed'>,
  { logger, later = laterUnreferenced }: SettleOptions,
): Settling {
  let pauseMs = PAUSE_MS_MIN
  let callOff: (() => void) | undefined
  let round: Promise<void> | undefined
  let wokenDuringRound = false
  let closed = false
  /** Entries whose failure was logged. While the store is away every entry fails in every round: once is enough. */
  const logged = new Set<string>()

  function plan(): void {
    callOff = later(pauseMs, () => {
      callOff = undefined
      round = runRound().finally(() => {
        round = undefined
      })
    })
  }

  async function runRound(): Promise<void> {
    wokenDuringRound = false
    let failed = 0
    for (const one of owed.all()) {
      if (closed) return
      if (!(await settled(one))) failed++
    }
    if (closed) return
    pauseMs = failed === 0 ? PAUSE_MS_MIN : Math.min(PAUSE_MS_MAX, 2 * pauseMs)
    if (failed > 0)
      logger.warn({ owed: failed, pauseMs }, 'some refunds owed are not settled yet: they are tried again')
    if (failed > 0 || wokenDuringRound) plan()
  }

  async function settled(one: OwedRefund): Promise<boolean> {
    const { id, organisationId, requestId, seq } = one
    try {
      const outcome = await tryOne(one)
      if (outcome === 'settled') logger.warn({ organisationId, requestId, seq }, 'an undelivered answer was refunded')
    } catch (error) {
      if (!logged.has(id)) {
        logged.add(id)
        logger.warn({ organisationId, requestId, seq, err: error }, 'a refund owed could not be settled')
      }
      return false
    }
    logged.delete(id)
    try {
      await owed.done(id)
    } catch (error) {
      // The file still has it: after a restart it is looked up again, and owes nothing.
      logger.warn({ organisationId, requestId, err: error }, 'a settled refund could not be taken out of its file')
    }
    return true
  }

  return {
    wake() {
      if (closed || callOff) return
      if (round) wokenDuringRound = true
      else plan()
    },
    async close() {
      closed = true
      callOff?.()
      callOff = undefined
      await round
    },
  }
}

function laterUnreferenced(pauseMs: number, fn: () => void): () => void {
  const timer = setTimeout(fn, pauseMs).unref()
  return () => clearTimeout(timer)
}
