import pino, { type Logger } from 'pino'
import { type LineWriter, standardOutput } from './log-output.ts'
import { scrub } from './scrub.ts'
import { traceFields } from './trace-context.ts'

export type { LineWriter } from './log-output.ts'

/**
 * Structured logs, one JSON line each, without secrets (scrub.ts), written without ever waiting (log-output.ts).
 * `readable`: text for a person at a terminal instead of JSON.
 */
export function createLogger(options: {
  readonly level: string
  readonly out?: LineWriter
  readonly readable?: boolean
}): Logger {
  const out: LineWriter = options.out ?? standardOutput()
  const form = options.readable ? readableLine : (line: string) => line
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: traceFields,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: pino.stdSerializers.err },
    },
    { write: (line: string) => out.write(form(scrub(line))) },
  )
}

/** The time, the level, the message, then the other fields; the stack of an error on lines of its own. */
function readableLine(line: string): string {
  const { time, level, msg, err, ...fields } = JSON.parse(line) as Record<string, unknown>
  const { stack, message } = (err ?? {}) as { readonly stack?: string; readonly message?: string }
  const words = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const text = JSON.stringify(msg ?? '').slice(1, -1)
  const first = [String(time).slice(11, 19), String(level).toUpperCase(), text, ...words].join(' ')
  const trace = stack ?? message
  // Text from a stranger must not control the terminal.
  return `${first}\n${trace === undefined ? '' : `${trace.replaceAll(/^/gm, '    ')}\n`}`.replaceAll(
    /[^\P{Cc}\n]/gu,
    '',
  )
}
