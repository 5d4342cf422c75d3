import type { Readable } from 'node:stream'

/** Environment keys of the command line. The server accepts them too, so that one shell can hold both sets. */
export const ENVIRONMENT_KEYS = ['ASSAY_URL', 'ASSAY_API_KEY', 'ASSAY_CLIENT_ID', 'ASSAY_CLIENT_SECRET'] as const
type ForeignKey = 'NO_COLOR' | 'TERM' | 'XDG_CONFIG_HOME' | 'SSH_CONNECTION'

export interface Context {
  readonly env: Readonly<Partial<Record<(typeof ENVIRONMENT_KEYS)[number] | ForeignKey, string | undefined>>>
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  readonly fetch: typeof globalThis.fetch
  readonly now: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Aborted with an Interruption. */
  readonly interrupted: AbortSignal
  readonly home: string
  readonly openBrowser: (url: string) => void
}

export interface Output {
  write(text: string): boolean
  /** Resolves when the buffer has space again; rejects when nothing more can be written. */
  drained(): Promise<void>
  /** Resolves when everything has been written; rejects when that is impossible. */
  flushed(): Promise<void>
  readonly isTTY: boolean
  readonly columns: number
}

/** A failure in one line: what happened, and what to do next. */
export class CliError extends Error {
  readonly exitCode: number

  constructor(message: string, options: { readonly exitCode?: number; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'CliError'
    this.exitCode = options.exitCode ?? EXIT.error
  }
}

/** Exit codes for scripts. The last two follow shells: 128 plus the number of the signal. */
export const EXIT = { low: 0, error: 1, medium: 10, high: 20, interrupted: 130, brokenPipe: 141 } as const

export class Interruption extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number) {
    super(message)
    this.exitCode = exitCode
  }
}

export const STOPPED = new Interruption('Stopped.', EXIT.interrupted)
export const NOBODY_READS = new Interruption(
  'Stopped: the output was closed (broken pipe), and it is incomplete.',
  EXIT.brokenPipe,
)

export function interruptionBehind(error: unknown, { interrupted }: Context): Interruption | undefined {
  if (error instanceof CliError) return undefined
  // EPIPE may reach the writer before the signal is set.
  if ((error as NodeJS.ErrnoException)?.code === 'EPIPE') return NOBODY_READS
  if (!interrupted.aborted) return undefined
  return interrupted.reason instanceof Interruption ? interrupted.reason : STOPPED
}
