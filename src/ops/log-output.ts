import { fstatSync, write, writeSync } from 'node:fs'
import { iso, systemClock } from '../lib/clock.ts'

/**
 * The output of log lines. A log that cannot be written (disk full, reader gone, pipe that nobody empties) never stops
 * the service:
 *
 *  1. `write` returns immediately and never throws.
 *  2. At most one piece is being written, and at most `bytesMax` wait in the queue.
 *  3. A line that finds no room is dropped and counted. The count is logged when writing works again.
 *  4. Lines are written whole and in order: a partly written piece is continued where it ended.
 */
export interface LineWriter {
  write(line: string): void
}

export interface LogOutput extends LineWriter {
  linesDropped(): number
  /** Begins to write the queue, or retries a failed write. */
  flush(): void
}

export interface LogSink {
  /** `written` bytes of them were written, also when there was an error. */
  write(bytes: Buffer, done: (error: Error | null | undefined, written: number) => void): void
}

const STANDARD_OUTPUT = 1
const FLUSH_MS = 200
// Lines are written together: one system call per request would cost a tenth of the server's time.
const PIECE_BYTES = 8 * 1024
const WAITING_BYTES_MAX = 1024 * 1024

export function createLogOutput(sink: LogSink, { bytesMax = WAITING_BYTES_MAX } = {}): LogOutput & { rest(): Buffer } {
  let lines: string[] = []
  let waitingBytes = 0
  let piece: Buffer | undefined
  let writing = false
  let failing = false
  let dropped = 0
  let droppedTold = 0

  function takePiece(): Buffer {
    const told = dropped > droppedTold ? [droppedLine(dropped - droppedTold)] : []
    droppedTold = dropped
    const bytes = Buffer.from([...told, ...lines].join(''))
    lines = []
    waitingBytes = 0
    return bytes
  }

  function flush(): void {
    if (writing || (piece === undefined && lines.length === 0 && dropped === droppedTold)) return
    piece ??= takePiece()
    writing = true
    sink.write(piece, (error, written) => {
      writing = false
      failing = Boolean(error)
      piece = piece !== undefined && written < piece.length ? piece.subarray(written) : undefined
      // After an error the timer retries, so that a full disk does not keep the process busy.
      if (!failing && (piece !== undefined || waitingBytes >= PIECE_BYTES)) flush()
    })
  }

  return {
    linesDropped: () => dropped,
    flush,
    write(line) {
      const bytes = Buffer.byteLength(line)
      if (waitingBytes + bytes > bytesMax) {
        dropped++
        return
      }
      lines.push(line)
      waitingBytes += bytes
      if (waitingBytes >= PIECE_BYTES && !failing) flush()
    },
    /** The lines that are not being written yet, for the last moment of the process. */
    rest: () => (writing ? takePiece() : Buffer.concat([piece ?? Buffer.alloc(0), takePiece()])),
  }
}

function droppedLine(count: number): string {
  const line = { level: 'warn', time: iso(systemClock.now()), lines_dropped: count, msg: 'log lines were dropped' }
  return `${JSON.stringify(line)}\n`
}

let standard: LogOutput | undefined

export function standardOutput(): LogOutput {
  standard ??= openStandardOutput()
  return standard
}

/** The count since the start, for the metric. */
export const logLinesDropped = (): number => standard?.linesDropped() ?? 0

function openStandardOutput(): LogOutput {
  const pipe = isPipe()
  let busy = false
  const sink = pipe ? pipeSink() : fileSink
  const output = createLogOutput({
    write(bytes, done) {
      busy = true
      sink.write(bytes, (error, written) => {
        busy = false
        done(error, written)
      })
    },
  })
  setInterval(output.flush, FLUSH_MS).unref()
  process.on('exit', () => {
    // A pipe that is still busy is full: its reader may never read.
    if (!pipe || !busy) writeNow(output.rest())
  })
  return output
}

function isPipe(): boolean {
  try {
    const kind = fstatSync(STANDARD_OUTPUT)
    return kind.isFIFO() || kind.isSocket()
  } catch {
    return false
  }
}

/** Files and terminals are written on a thread of the pool: neither a slow disk nor a stopped terminal blocks us. */
const fileSink: LogSink = {
  write: (bytes, done) => write(STANDARD_OUTPUT, bytes, (error, written) => done(error, written ?? 0)),
}

/** Pipes are not: a thread that waits for a missing reader would keep the process from ending. */
function pipeSink(): LogSink {
  // The callback gets the error too; without a listener it would end the process.
  process.stdout.on('error', () => {})
  return { write: (bytes, done) => process.stdout.write(bytes, (error) => done(error, error ? 0 : bytes.length)) }
}

function writeNow(bytes: Buffer): void {
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(STANDARD_OUTPUT, bytes, done)
  } catch {
    // The process is ending; nobody is left to notify.
  }
}
