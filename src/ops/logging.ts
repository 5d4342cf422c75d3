import pino, { type Logger } from 'pino'
import { type LineWriter, standardOutput } from './log-output.ts'
import { scrub } from './scrub.ts'
import { traceFields } from './trace-context.ts'

export type { LineWriter } from './log-output.ts'

/** Structured logs, one JSON line each, without secrets (scrub.ts), written without ever waiting (log-output.ts). */
export function createLogger(options: { readonly level: string; readonly out?: LineWriter }): Logger {
  const out: LineWriter = options.out ?? standardOutput()
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: traceFields,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: pino.stdSerializers.err },
    },
    { write: (line: string) => out.write(scrub(line)) },
  )
}
