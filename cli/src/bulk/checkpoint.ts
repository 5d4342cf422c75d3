import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { createInterface } from 'node:readline'
import type { BillingSum, Decision, Journal, Kind, Outcome, Risk, Signal, StoredBatch } from '@assay/sdk'
import { CliError, type Context } from '../context.ts'
import { tryLock } from '../lock.ts'

/**
 * The progress of a run, stored on disk so that the run can be interrupted at any moment.
 *
 * 1. The first line identifies the run. A batch is written before it is sent, and again when its answer has arrived;
 *    each line is on disk before anything else happens.
 * 2. Batches and their idempotency keys are derived from the run's id and the file: a batch that was sent and not
 *    finished is sent again under its old key, and the server returns the answer that has already been paid.
 * 3. An incomplete line is dropped. The lines before it are never changed.
 * 4. It contains no indicators: only digests, levels and scores.
 */
export interface RunHeader {
  readonly format: 'assay-bulk-1'
  readonly run: string
  readonly url: string
  /** Kinds and columns, separated by commas. */
  readonly kind: string
  readonly column: number | string
  readonly explain: boolean
  /** `csv`, `jsonl`, or the full path of a file: a resumed run completes the same output. */
  readonly out?: string
  readonly batch_size: number
  readonly records: number
  readonly distinct: number
  readonly started_at_ms: number
}

/** The server stores answers for 24 hours, minus the duration of a try; later a batch would be paid again. */
const KEPT_MS = 23.5 * 3600 * 1000

export type Checkpoint = ReturnType<typeof assemble>

/** Batches of each kind are numbered from 0; `kind` is there if a run has several. */
type Line =
  | {
      readonly begin: number
      readonly kind?: Kind
      readonly digest: string
      readonly size: number
      readonly at_ms: number
    }
  | { readonly refused: number; readonly kind?: Kind; readonly digest: string }
  | {
      readonly done: number
      readonly kind?: Kind
      readonly digest: string
      readonly billing: BillingSum
      readonly outcomes: readonly Packed[]
    }

interface Begun {
  readonly digest: string
  readonly size: number
  /** Undefined when the batch was refused since: nothing of it was charged. */
  readonly atMs: number | undefined
}

/** Level × 1000 + score, or an object where there is more to store. */
type Packed =
  | number
  | { readonly r: number; readonly s: readonly Signal[]; readonly o?: Decision }
  | { readonly c: string; readonly d: string }

const RISKS: readonly Risk[] = ['low', 'medium', 'high']

export function createCheckpoint(context: Context, file: string, header: RunHeader): Checkpoint {
  // Lock first: a second command that starts at the same time never sees a half-written checkpoint.
  const unlock = lock(file)
  let handle: number | undefined
  try {
    handle = openNew(file)
    const writer = createWriter(file, handle, 0)
    writer.append(header)
    return assemble(context, file, handle, unlock, header, writer, new Map(), new Map())
  } catch (error) {
    if (handle !== undefined) {
      closeSync(handle)
      if (!isDevice(file)) rmSync(file, { force: true })
    }
    unlock()
    throw error
  }
}

function openNew(file: string): number {
  try {
    return openSync(file, isDevice(file) ? 'a' : 'ax', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw notWritten(file, error)
    throw cutOff(file)
  }
}

export const cutOff = (file: string) =>
  new CliError(
    `An earlier run was interrupted: ${file} still exists. Continue with --resume, or delete it to start over.`,
  )

export const nothingBegun = (file: string) =>
  new CliError(`There is no run to resume: ${file} does not exist. Without --resume a new run is billed.`)

export async function resumeCheckpoint(context: Context, file: string): Promise<Checkpoint> {
  const unlock = lock(file)
  try {
    // The run that held the lock may have completed and removed the checkpoint.
    if (!checkpointExists(file)) throw nothingBegun(file)
    const begun = new Map<string, Begun>()
    const done = new Map<string, string>()
    let header: RunHeader | undefined
    let whole = 0
    // A line without a line break was cut off while it was written.
    const bytes = readLastComplete(file)
    const lines = createInterface({ input: createReadStream(file, { end: Math.max(0, bytes - 1) }), crlfDelay: 0 })
    for await (const text of lines) {
      whole++
      if (!header) {
        header = parseHeader(file, text)
        continue
      }
      const { event, name } = headOf(file, text, whole)
      const before = begun.get(name)
      if (event === 'done') done.set(name, text)
      else if (event === 'refused') {
        if (before) begun.set(name, { ...before, atMs: undefined })
      } else {
        const line = JSON.parse(text) as Extract<Line, { begin: number }>
        begun.set(name, { digest: line.digest, size: line.size, atMs: line.at_ms })
      }
    }
    if (!header) throw damaged(file)
    const handle = openSync(file, 'r+')
    ftruncateSync(handle, bytes)
    return assemble(context, file, handle, unlock, header, createWriter(file, handle, bytes), begun, done)
  } catch (error) {
    unlock()
    throw error
  }
}

function assemble(
  context: Context,
  file: string,
  handle: number,
  unlock: () => void,
  header: RunHeader,
  writer: { append(line: object): void },
  begun: Map<string, Begun>,
  done: Map<string, string>,
) {
  let open = true
  const close = (last: () => void = () => {}) => {
    if (!open) return
    open = false
    closeSync(handle)
    last()
    unlock()
  }
  const forgottenBefore = context.now() - KEPT_MS
  return {
    header,
    finished: done.size,
    finishedRecords: [...done.keys()].reduce((sum, name) => sum + (begun.get(name)?.size ?? 0), 0),
    /** Distinct records that were in progress too long ago: the server no longer stores their answers. */
    atRisk: [...begun]
      .filter(([name, { atMs = forgottenBefore }]) => !done.has(name) && atMs < forgottenBefore)
      .reduce((sum, [, { size }]) => sum + size, 0),
    journal(kind: Kind): Journal {
      const own = header.kind.includes(',') ? { kind } : {}
      return {
        runId: own.kind ? `${header.run}-${kind}` : header.run,
        async begin({ number, digest, size }) {
          const name = nameOf(number, own.kind)
          const before = begun.get(name)
          if (before && before.digest !== digest) {
            const undo = `Restore it, or delete ${file} to start over.`
            throw new CliError(`The input has changed since the run began. ${undo}`)
          }
          const text = done.get(name)
          if (text !== undefined) {
            done.delete(name)
            return unpack(JSON.parse(text) as Extract<Line, { done: number }>)
          }
          if (before?.atMs === undefined) {
            writer.append({ begin: number, ...own, digest, size, at_ms: context.now() } satisfies Line)
          }
          return undefined
        },
        async complete({ number, digest, outcomes, billing }) {
          writer.append({ done: number, ...own, digest, billing, outcomes: outcomes.map(pack) } satisfies Line)
        },
        async refused({ number, digest }) {
          writer.append({ refused: number, ...own, digest } satisfies Line)
        },
      }
    },
    close: () => close(),
    // Delete before the lock is released: otherwise the next command would start to read a file that is being deleted.
    remove: () => close(() => isDevice(file) || rmSync(file, { force: true })),
  }
}

function createWriter(file: string, handle: number, length: number) {
  let good = length
  return {
    append(line: object): void {
      const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
      try {
        let written = 0
        while (written < bytes.length) {
          written += writeSync(handle, bytes, written, bytes.length - written, isDevice(file) ? null : good + written)
        }
        fsyncSync(handle)
        good += bytes.length
      } catch (error) {
        try {
          ftruncateSync(handle, good)
        } catch {}
        throw notWritten(file, error)
      }
    },
  }
}

function notWritten(file: string, error: unknown): CliError {
  const { code, message } = error as NodeJS.ErrnoException
  const why = code === 'ENOSPC' ? 'the disk is full' : message
  return new CliError(
    `The checkpoint ${file} cannot be written: ${why}. Free some space or choose another place with --checkpoint.`,
  )
}

function pack(outcome: Outcome): Packed {
  if ('invalid' in outcome) return { c: outcome.invalid.code, d: outcome.invalid.detail }
  const risk = RISKS.indexOf(outcome.risk) * 1000 + outcome.risk_score
  const { signals, decision } = outcome
  return signals ? { r: risk, s: signals, ...(decision ? { o: decision } : {}) } : risk
}

function unpack({ outcomes, billing }: Extract<Line, { done: number }>): StoredBatch {
  const answer = (packed: number) => ({ risk: RISKS[Math.floor(packed / 1000)]!, risk_score: packed % 1000 })
  return {
    billing,
    outcomes: outcomes.map((packed): Outcome => {
      if (typeof packed === 'number') return answer(packed)
      if ('c' in packed) return { invalid: { code: packed.c, detail: packed.d } }
      return { ...answer(packed.r), signals: packed.s, ...(packed.o ? { decision: packed.o } : {}) }
    }),
  }
}

function readLastComplete(file: string): number {
  const bytes = readFileSync(file)
  return bytes.lastIndexOf(0x0a) + 1
}

function parseHeader(file: string, text: string): RunHeader {
  try {
    const header = JSON.parse(text) as RunHeader
    if (header.format === 'assay-bulk-1' && typeof header.run === 'string') return header
  } catch {}
  throw damaged(file)
}

const nameOf = (number: number | string, kind = '') => `${kind} ${number}`

function headOf(file: string, text: string, line: number) {
  const [, event, number = '', kind] = /^\{"(begin|done|refused)":(\d{1,9}),(?:"kind":"(\w+)",)?/.exec(text) ?? []
  if (event === undefined || !text.endsWith('}')) throw damaged(file, line)
  return { event, name: nameOf(number, kind) }
}

function damaged(file: string, line?: number): CliError {
  return new CliError(
    `${file} is not a checkpoint of this command line${line ? ` (line ${line})` : ''}. Delete it to start over.`,
  )
}

/** `/dev/shm` is a folder of files, in memory. */
const isDevice = (file: string) => /^\/dev\/(?!shm\/)/.test(file)

/** Two runs with the same checkpoint at the same time would overwrite each other. */
function lock(file: string): () => void {
  if (isDevice(file)) return () => {}
  const path = `${file}.lock`
  let release: (() => void) | undefined
  try {
    release = tryLock(path)
  } catch (error) {
    throw notWritten(file, error)
  }
  if (release) return release
  throw new CliError(`Another assay command is working on ${file}. Wait for it, or delete ${path} if none is running.`)
}

export const checkpointExists = (file: string) => existsSync(file) && !isDevice(file)
