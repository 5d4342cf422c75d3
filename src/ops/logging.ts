import pino, { type Logger } from 'pino'

/**
 * Structured logs, one JSON line each. Credentials and email addresses must never reach a log, whatever object or
 * error message somebody logs: every finished line is scrubbed on its way out.
 */

const API_KEY = /ask_[0-9A-Za-z]{8,}/g
const BEARER = /((?:bearer|basic)\s+)[A-Za-z0-9\-._~+/=]{6,}/gi
const EMAIL = /[^\s"'<>:,;()\\[\]{}]{1,64}@(?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,}/gu
const DATABASE_PASSWORD = /(postgres(?:ql)?:\/\/[^:@/\s]*:)[^@/\s]+@/g
const SECRET_FIELDS =
  /("(?:password|client_secret|secret|token|access_token|refresh_token|id_token|device_code|user_code|code|api_key|x-api-key|authorization|cookie|set-cookie)":)"(?:[^"\\]|\\.)*"/gi

export function scrub(line: string): string {
  let clean = line.replace(SECRET_FIELDS, '$1"[redacted]"')
  // Most lines hold none of these; looking for a telling character first keeps the patterns off the hot path.
  if (clean.includes('ask_')) clean = clean.replace(API_KEY, '[redacted key]')
  if (/earer|asic/i.test(clean)) clean = clean.replace(BEARER, '$1[redacted]')
  if (clean.includes('@')) clean = clean.replace(DATABASE_PASSWORD, '$1[redacted]@').replace(EMAIL, '[redacted email]')
  return clean
}

export interface LineWriter {
  write(line: string): void
}

const FLUSH_MS = 200
const BUFFER_BYTES = 8 * 1024

/** Lines are written together: one system call per request would cost a tenth of the server's time. */
function standardOutput(): LineWriter {
  const out = pino.destination({ fd: 1, sync: false, minLength: BUFFER_BYTES })
  setInterval(() => out.flush(), FLUSH_MS).unref()
  return out
}

export function createLogger(options: { readonly level: string; readonly out?: LineWriter }): Logger {
  const out: LineWriter = options.out ?? standardOutput()
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: pino.stdSerializers.err },
    },
    { write: (line: string) => out.write(scrub(line)) },
  )
}
